import type { TaskAddress } from '../model/address.ts';
import { EDIT, VIEW } from '../model/access/level.ts';
import { viewerOf, levelOnTask, requireLevel, type Viewer } from '../access/viewer.ts';
import type { Context } from '../ports/context.ts';
import { EspalierError, found } from '../kernel/errors.ts';
import type { ReadTransaction } from '../ports/store.ts';
import { expectVersion } from '../kernel/record.ts';
import { read } from '../write/transaction.ts';
import { versionSeen } from './board-edits.ts';
import { mapInSteps } from '../kernel/stepwise.ts';
import { memberNames } from '../names/names.ts';
import { taskNames, type FullTaskExpansion } from '../names/task-names.ts';
import type { CommentView } from '../comment/view.ts';
import type { Task } from '../model/content/task.ts';
import { type BeforeAnswer, madeInTurn } from './large-answer.ts';
import { sharedTaskView, SHOWN_COST, taskView, type TaskView, UNREAD } from './view.ts';

/** What `tasks.get` takes. */
export interface GetTask extends TaskAddress {
  /** Which ids to resolve to names, in `expanded`; `author` in each comment. */
  readonly expand?: readonly FullTaskExpansion[];
}

export function getTask(context: Context, input: GetTask): Promise<TaskView> {
  return madeInTurn(context, (beforeAnswer) => shownTask(context, input, beforeAnswer));
}

/** Reads the comments that a write has left unread, as they are after it; none where the task cannot be read any more. */
export async function withComments<A extends object>(context: Context, answer: A): Promise<A> {
  if (context.leavesComments === true || !('comments' in answer) || answer.comments !== UNREAD) return answer;
  const { workspaceId, id: taskId } = answer as unknown as TaskView;
  const read = getTask(afterWrite(context), { workspaceId, taskId }).catch((error: unknown) => {
    if (error instanceof EspalierError) return { comments: [] };
    throw error;
  });
  return { ...answer, comments: (await read).comments };
}

/** The context of a read after a write: the cursor that the caller is given stays that of the write. */
export function afterWrite(context: Context): Context {
  return { ...context, onCursor: undefined };
}

function shownTask(context: Context, input: GetTask, beforeAnswer: BeforeAnswer): Promise<TaskView> {
  return read(context, async (tx) => {
    const { viewer, task } = await taskAt(tx, context, input, VIEW);
    beforeAnswer(viewer.user.id, task.commentCount);
    const shown = sharedTaskView(viewer, task) ?? (await taskView(tx, viewer, task));
    const { expand = [] } = input;
    return expand.length === 0 ? shown : (await tasksWithNames(tx, viewer, [shown], expand))[0]!;
  });
}

/** Adds the requested names to tasks. O(tasks + comments + ids) in a few reads. */
export async function tasksWithNames(
  tx: ReadTransaction,
  viewer: Viewer,
  tasks: readonly TaskView[],
  expand: readonly FullTaskExpansion[],
): Promise<readonly TaskView[]> {
  const showsAuthors = (task: TaskView) => expand.includes('author') && task.comments !== UNREAD;
  const comments = tasks.flatMap((task) => (showsAuthors(task) ? task.comments : []));
  const [namesOf, authorOf] = await Promise.all([
    taskNames(tx, viewer, tasks, expand),
    memberNames(
      tx,
      viewer,
      comments.map(({ authorId }) => authorId),
    ),
  ]);
  const withAuthor = (comment: CommentView) => ({ ...comment, expanded: { author: authorOf(comment.authorId) } });
  const named: TaskView[] = [];
  for (const task of tasks) {
    const shown = showsAuthors(task)
      ? { comments: await mapInSteps(task.comments, viewer.yielder, () => SHOWN_COST, withAuthor) }
      : {};
    named.push({ ...task, ...shown, expanded: namesOf(task) });
  }
  return named;
}

/**
 * @param otherId of another task, which is read together with it, whether or not the caller may see that
 * @throws `not-found` if the caller may not see it, `forbidden` below the needed level
 */
export async function taskAt(
  tx: ReadTransaction,
  context: Context,
  { workspaceId, taskId }: TaskAddress,
  needs: 100 | 200 | 300 | 400,
  otherId: string | null = null,
): Promise<{ readonly viewer: Viewer; readonly task: Task; readonly other: Task | null }> {
  const others = otherId === null ? [] : [tx.tasks.get(workspaceId, otherId)];
  const [viewer, stored, other = null] = await Promise.all([
    viewerOf(tx, context, workspaceId),
    tx.tasks.get(workspaceId, taskId),
    ...others,
  ]);
  const task = found(stored);
  requireLevel(levelOnTask(viewer, task), needs);
  return { viewer, task, other };
}

/** The task at an address, for a caller who may edit it. @throws as {@link taskAt}; `version-mismatch` */
export async function taskToEdit(
  tx: ReadTransaction,
  context: Context,
  address: TaskAddress,
): Promise<{ readonly viewer: Viewer; readonly task: Task }> {
  const { viewer, task } = await taskAt(tx, context, address, EDIT);
  expectVersion(context, versionSeen(viewer, task));
  return { viewer, task };
}
