import type { Board } from '../model/content/board.ts';
import type { Transaction } from '../ports/store.ts';

/**
 * The board of a job, also while it is in the trash, as it may be restored. Null: the board or its workspace no longer
 * exists.
 */
export async function storedBoard(
  tx: Pick<Transaction, 'structures' | 'boards'>,
  { workspaceId, boardId }: { readonly workspaceId: string; readonly boardId: string },
): Promise<Board | null> {
  const structure = await tx.structures.get(workspaceId);
  return structure === null ? null : tx.boards.get(workspaceId, boardId);
}
