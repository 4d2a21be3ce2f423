import { EDIT, VIEW } from '../model/level.ts';
import { levelOnTask, requireLevel, viewerAfter, type Viewer } from '../access/viewer.ts';
import type { Context } from '../ports/context.ts';
import type { Transaction } from '../ports/store.ts';
import type { Task } from '../model/task.ts';
import { removePage, deleteInTwoPhases } from '../page/delete.ts';
import { removeTask } from '../purge/remove-task.ts';
import { expectVersion } from '../kernel/record.ts';
import { versionSeen } from './board-edits.ts';
import { taskAt, type TaskAddress } from './read.ts';

/** Deletes a task with its page and everything below that. @throws `hidden-content` */
export function deleteTask(context: Context, input: TaskAddress): Promise<void> {
  const { workspaceId, taskId } = input;
  return deleteInTwoPhases(context, { workspaceId, pageId: taskId }, async (tx, most) => {
    const { viewer, task } = await taskAt(tx, context, input, VIEW);
    await deleteSeenTask(tx, context, viewer, task, most);
  });
}

/**
 * Deletes a task that the viewer sees, after checking access to it and to everything below its page.
 *
 * @param most pages that this transaction may visit, see `deleteInTwoPhases`
 * @returns the viewer from then on
 */
export async function deleteSeenTask(
  tx: Transaction,
  context: Context,
  viewer: Viewer,
  task: Task,
  most: number,
): Promise<Viewer> {
  const page = viewer.structure.page(task.id);
  if (page !== undefined) {
    return viewerAfter(viewer, await removePage(tx, context, viewer, page, versionSeen(viewer, task), most));
  }
  requireLevel(levelOnTask(viewer, task), EDIT);
  expectVersion(context, versionSeen(viewer, task));
  await removeTask(tx, task, context);
  return viewer;
}
