import { VIEW } from '../model/level.ts';
import { viewerOf, levelOnTask, requireLevel, type Viewer } from '../access/viewer.ts';
import type { Context } from '../ports/context.ts';
import { found } from '../kernel/errors.ts';
import type { ReadTransaction } from '../ports/store.ts';
import { read } from '../write/transaction.ts';
import type { Task } from '../model/task.ts';
import { taskView, type TaskView } from './view.ts';

export interface TaskAddress {
  readonly workspaceId: string;
  readonly taskId: string;
}

export function getTask(context: Context, input: TaskAddress): Promise<TaskView> {
  return read(context, async (tx) => {
    const { viewer, task } = await taskAt(tx, context, input, VIEW);
    return taskView(tx, viewer, task);
  });
}

/** @throws `not-found` when the caller may not see it, `forbidden` below what is needed */
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
