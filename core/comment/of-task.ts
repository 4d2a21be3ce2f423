import { removeFirst, type Removed } from '../kernel/removed.ts';
import { readSlices } from '../kernel/slices.ts';
import type { Comment } from '../model/content/comment.ts';
import type { Task } from '../model/content/task.ts';
import type { ReadTransaction, Transaction } from '../ports/store.ts';

type ReadsComments = Pick<ReadTransaction, 'comments'>;
type OfTask = Pick<Task, 'workspaceId' | 'id'>;

/** Comments that are read at once: they may be as long as 20,000 characters each. */
const SLICE = 100;

/** By creation time, then id. O(comments), in slices. */
export async function commentsOf(tx: ReadsComments, task: OfTask): Promise<readonly Comment[]> {
  const first = await sliceOf(tx, task, null);
  if (first.length < SLICE) return first;
  const all = [...first];
  for (let slice = first; slice.length === SLICE;) {
    slice = await sliceOf(tx, task, all.at(-1)!);
    all.push(...slice);
  }
  return all;
}

/** The same, of which only one slice is in memory at a time. */
export async function* eachCommentOf(tx: ReadsComments, task: OfTask): AsyncIterableIterator<Comment> {
  for await (const slice of readSlices<Comment>(SLICE, ({ after }) => sliceOf(tx, task, after))) yield* slice;
}

function sliceOf(
  tx: ReadsComments,
  { workspaceId, id: taskId }: OfTask,
  after: Comment | null,
): Promise<readonly Comment[]> {
  return tx.comments.list('ofTask', { workspaceId, taskId }, { after, limit: SLICE });
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
