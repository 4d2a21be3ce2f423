import { removeItemsOf } from '../checklist/of-task.ts';
import { removeCommentsOf } from '../comment/of-task.ts';
import type { Transaction } from '../ports/store.ts';

/** Removes up to `limit` comments and items of the checklist of a task. @returns whether any are left */
export async function removeContentsOf(
  tx: Transaction,
  workspaceId: string,
  taskId: string,
  limit: number,
): Promise<boolean> {
  const { removed, more } = await removeItemsOf(tx, workspaceId, taskId, limit);
  return more || removeCommentsOf(tx, workspaceId, taskId, limit - removed);
}
