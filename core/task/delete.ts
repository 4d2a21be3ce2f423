import { EDIT, VIEW } from '../model/level.ts';
import { levelOnTask, requireLevel } from '../access/viewer.ts';
import type { Context } from '../ports/context.ts';
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
    const page = viewer.structure.page(task.id);
    if (page !== undefined) return removePage(tx, context, viewer, page, versionSeen(viewer, task), most);
    requireLevel(levelOnTask(viewer, task), EDIT);
    expectVersion(context, versionSeen(viewer, task));
    await removeTask(tx, task, context);
  });
}
