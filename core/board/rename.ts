import { changed } from '../kernel/record.ts';
import type { Transaction } from '../ports/store.ts';

/** Renames a board with its page. */
export async function renameBoard(
  tx: Transaction,
  workspaceId: string,
  id: string,
  name: string,
  at: string,
): Promise<void> {
  const board = await tx.boards.get(workspaceId, id);
  if (board !== null) await tx.boards.replace(changed(board, { name }, at));
}
