import type { Board } from '../../model/content/board.ts';
import type { Transaction } from '../../ports/store.ts';

/** Stores the names of statuses and tags that were removed from a board: histories of tasks refer to them by id. */
export async function storeRemovedNames(tx: Transaction, before: Board, after: Board): Promise<void> {
  if (before.statuses === after.statuses && before.tags === after.tags) return;
  const left = new Set([...after.statuses, ...after.tags].map(({ id }) => id));
  for (const { id, name } of [...before.statuses, ...before.tags]) {
    if (!left.has(id)) await tx.removedNames.insert({ id, workspaceId: before.workspaceId, boardId: before.id, name });
  }
}
