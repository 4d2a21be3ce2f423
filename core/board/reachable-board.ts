import type { Board } from '../model/content/board.ts';
import type { Transaction } from '../ports/store.ts';

/** The board, unless it is deleted; a deleted one waits to be purged. */
export async function reachableBoard(
  tx: Pick<Transaction, 'structures' | 'boards'>,
  { workspaceId, boardId }: { readonly workspaceId: string; readonly boardId: string },
): Promise<Board | null> {
  const structure = await tx.structures.get(workspaceId);
  return structure?.page(boardId) === undefined ? null : tx.boards.get(workspaceId, boardId);
}
