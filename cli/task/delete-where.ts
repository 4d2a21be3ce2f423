import type { CommandCall } from '../call.ts';
import { confirm, type YES } from '../io/confirm.ts';
import { safe } from '../io/safe-text.ts';
import { countPagesOf, type DRY_RUN } from '../output/record/deletion-preview.ts';
import { taskColumns } from '../output/record/task.ts';
import { count } from '../output/table/count.ts';
import type { OptionValues } from '../option.ts';
import type { WorkspaceLookup } from '../refs/workspace-lookup.ts';
import { namesIn, type ShownTask } from './names.ts';
import { type COUNT, tasksWhere } from './where.ts';
import { requireEditable } from './would-refuse.ts';

/** `task delete --where`: deletes all tasks that a filter finds in one call, or lists them. */
export async function deleteWhere(
  call: CommandCall<OptionValues<[typeof COUNT, typeof YES, typeof DRY_RUN]>>,
  where: readonly string[],
): Promise<void> {
  const workspace = await call.workspace();
  const { session, workspaceId } = workspace;
  const { filter, tasks } = await tasksWhere(call, workspace, where);
  if (call.options.dryRun) {
    await requireEditable(workspace, tasks);
    return previewTaskDeletion(call, workspace, tasks);
  }
  if (tasks.length === 0) return call.out.show({ count: 0 }, () => safe`No tasks match: nothing was deleted.\n`);
  await confirm(call, `Deleting ${count(tasks.length, 'task')}`, false);
  const done = await session.tasks.deleteMany({ workspaceId, filter, count: tasks.length });
  call.out.show(done, () => safe`Deleted ${count(done.count, 'task')}.\n`);
}

/** Lists the tasks that would be deleted. @throws as the deletion for the levels of the caller on pages of the tasks */
export async function previewTaskDeletion(
  { out }: CommandCall,
  workspace: WorkspaceLookup,
  tasks: readonly ShownTask[],
): Promise<void> {
  const pages = await countPagesOf(workspace, tasks);
  await out.list(tasks, taskColumns(await namesIn(workspace, out.isForPeople ? tasks : [])));
  const also = pages === 0 ? '' : `, with ${count(pages, 'page')}`;
  out.note(`Dry run: ${count(tasks.length, 'task')} would be deleted${also}.`);
}
