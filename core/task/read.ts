import { VIEW } from '../model/level.ts';
import { viewerOf, levelOnTask, requireLevel, type Viewer } from '../access/viewer.ts';
import type { Context } from '../ports/context.ts';
import { found } from '../kernel/errors.ts';
import type { ReadTransaction } from '../ports/store.ts';
import { read } from '../write/transaction.ts';
import { memberNames } from '../names/names.ts';
import { taskNames, type FullTaskExpansion } from '../names/task-names.ts';
import type { CommentView } from '../comment/view.ts';
import type { Task } from '../model/task.ts';
import { taskView, type TaskView } from './view.ts';

export interface TaskAddress {
  /** The workspace: its id or alias. */
  readonly workspaceId: string;
  /** The task. */
  readonly taskId: string;
}

export interface GetTask extends TaskAddress {
  /** Which ids to resolve to names, in `expanded`; `author` in each comment. */
  readonly expand?: readonly FullTaskExpansion[];
}

export function getTask(context: Context, input: GetTask): Promise<TaskView> {
  return read(context, async (tx) => {
    const { viewer, task } = await taskAt(tx, context, input, VIEW);
    const shown = await taskView(tx, viewer, task);
    const { expand = [] } = input;
    if (expand.length === 0) return shown;
    const [namesOf, comments] = await Promise.all([
      taskNames(tx, viewer, [shown], expand),
      expand.includes('author') ? withAuthors(tx, viewer, shown.comments) : shown.comments,
    ]);
    return { ...shown, comments, expanded: namesOf(shown) };
  });
}

async function withAuthors(
  tx: ReadTransaction,
  viewer: Viewer,
  comments: readonly CommentView[],
): Promise<readonly CommentView[]> {
  const nameOf = await memberNames(
    tx,
    viewer,
    comments.map(({ authorId }) => authorId),
  );
  return comments.map((comment) => ({ ...comment, expanded: { author: nameOf(comment.authorId) } }));
}

/** @throws `not-found` if the caller may not see it, `forbidden` below the needed level */
export async function taskAt(
  tx: ReadTransaction,
  context: Context,
  address: TaskAddress,
  needs: 100 | 200 | 300 | 400,
): Promise<{ readonly viewer: Viewer; readonly task: Task }> {
  const [viewer, stored] = await Promise.all([
    viewerOf(tx, context, address.workspaceId),
    tx.tasks.get(address.workspaceId, address.taskId),
  ]);
  const task = found(stored);
  requireLevel(levelOnTask(viewer, task), needs);
  return { viewer, task };
}
