import { removeFirst, type Removed } from '../kernel/removed.ts';
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

/** Removes up to `limit` comments of a task. */
export function removeCommentsOf(
  tx: Transaction,
  workspaceId: string,
  taskId: string,
  limit: number,
): Promise<Removed> {
  return removeFirst(
    limit,
    (first) => tx.comments.list('ofTask', { workspaceId, taskId }, { limit: first }),
    (comment) => tx.comments.remove(comment),
  );
}
