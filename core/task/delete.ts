import type { TaskAddress } from '../model/address.ts';
import { EDIT, FULL, VIEW } from '../model/access/level.ts';
import { levelOnTask, requireLevel, viewerAfter, type Viewer } from '../access/viewer.ts';
import type { Context } from '../ports/context.ts';
import type { Transaction } from '../ports/store.ts';
import type { Task } from '../model/content/task.ts';
import { removePage, deleteInTwoPhases, type Deletion } from '../page/delete.ts';
import { removeTask } from '../purge/remove-task.ts';
import { expectVersion } from '../kernel/record.ts';
import { trashTask } from '../trash/put.ts';
import { trashMilliseconds } from '../trash/retention.ts';
import { versionSeen } from './board-edits.ts';
import { taskAt } from './read.ts';

/** What `tasks.delete` takes. */
export interface DeleteTask extends TaskAddress, Deletion {}

/**
 * Deletes a task with its page and everything below that: they go to the trash, unless the store keeps none.
 *
 * @throws `hidden-content`
 */
export function deleteTask(context: Context, input: DeleteTask): Promise<void> {
  const { workspaceId, taskId, permanently } = input;
  return deleteInTwoPhases(context, { workspaceId, pageId: taskId }, async (tx, own, most) => {
    const { viewer, task } = await taskAt(tx, own, input, VIEW);
    await deleteSeenTask(tx, own, viewer, task, most, permanently);
  });
}

/**
 * Deletes a task that the viewer sees, after checking access to it and to everything below its page.
 *
 * @param most pages that this transaction may visit, see `deleteInTwoPhases`
 * @param permanently see {@link Deletion}
 * @returns the viewer from then on
 */
export async function deleteSeenTask(
  tx: Transaction,
  context: Context,
  viewer: Viewer,
  task: Task,
  most: number,
  permanently = false,
): Promise<Viewer> {
  const page = viewer.structure.page(task.id);
  if (page !== undefined) {
    const removal = { addressed: versionSeen(viewer, task), most, permanently };
    return viewerAfter(viewer, await removePage(tx, context, viewer, page, removal));
  }
  requireLevel(levelOnTask(viewer, task), permanently ? FULL : EDIT);
  expectVersion(context, versionSeen(viewer, task));
  const keptFor = permanently ? 0 : await trashMilliseconds(tx, context);
  if (keptFor > 0) await trashTask(tx, context, viewer, task, keptFor);
  else await removeTask(tx, task, context);
  return viewer;
}
