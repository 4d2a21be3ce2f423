import type { Comment } from '../model/content/comment.ts';
import type { Task } from '../model/content/task.ts';
import type { ReadTransaction, Transaction } from '../ports/store.ts';

/** By creation time, then id. O(comments). */
export function commentsOf(
  tx: Pick<ReadTransaction, 'comments'>,
  { workspaceId, id: taskId }: Pick<Task, 'workspaceId' | 'id'>,
): Promise<readonly Comment[]> {
  return tx.comments.list('ofTask', { workspaceId, taskId }, { limit: Infinity });
}

/** Removes up to `limit` comments of a task. @returns how many, and whether any are left */
export async function removeCommentsOf(
  tx: Transaction,
  workspaceId: string,
  taskId: string,
  limit: number,
): Promise<{ readonly removed: number; readonly more: boolean }> {
  const comments = await tx.comments.list('ofTask', { workspaceId, taskId }, { limit: limit + 1 });
  const removed = comments.slice(0, limit);
  for (const comment of removed) await tx.comments.remove(comment);
  return { removed: removed.length, more: comments.length > limit };
}
