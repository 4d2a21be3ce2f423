import type { SetOnTasks } from '../../core/task/many/set.ts';
import { sameJson } from '../../core/kernel/partial-update.ts';
import type { TaskSummary } from '../../core/task/view.ts';
import type { CommandCall } from '../call.ts';
import { confirmMany, type YES } from '../io/confirm.ts';
import type { OptionValues } from '../option.ts';
import { usage } from '../io/failure.ts';
import { safe } from '../io/safe-text.ts';
import { count } from '../output/table/count.ts';
import type { WorkspaceLookup } from '../refs/workspace-lookup.ts';
import { plainFieldsOf } from './fields.ts';
import { dryRunNote, preview } from './preview.ts';
import { printChanges, type TaskChange } from './several.ts';
import { hasChanges, refuseOptionsOfOneTask, NO_CHANGES, setOnBoard, type EditCall } from './edit-options.ts';
import { requireBoardShown, requireDatesInOrder, requireEditable } from './would-refuse.ts';
import { type COUNT, type TaskMatches, tasksWhere } from './where.ts';

/** `task edit --where`: changes all tasks that a filter finds in one call, or shows the changes. */
export async function editWhere(call: EditCall, where: readonly string[]): Promise<void> {
  refuseOptionsOfOneTask(call, '--where');
  if (!hasChanges(call)) throw usage(NO_CHANGES);
  const workspace = await call.workspace();
  // Invalid values that do not depend on a board are refused even if no task is found.
  await plainFieldsOf(call, workspace);
  const found = await tasksWhere(call, workspace, where);
  const { tasks } = found;
  const set = await setOn(tasks, (boardId) => setOnBoard(call, workspace, boardId));
  if (call.options.dryRun && tasks.length > 0) {
    const changes = await Promise.all(
      tasks.map(async (before) => ({ before, after: await preview(workspace, before, set) })),
    );
    await requireEditable(workspace, tasks);
    for (const task of tasks) requireBoardShown(task, set);
    requireDatesInOrder(tasks, set);
    await printChanges(call, workspace, changes, true);
    const differing = changes.filter(differs).length;
    return call.out.note(dryRunNote('changed', differing, changes.length));
  }
  await changeFound(call, workspace, found, set);
}

/** Changes all tasks that a filter has found in one call, once that is confirmed. */
export async function changeFound(
  call: CommandCall<OptionValues<[typeof COUNT, typeof YES]>>,
  { session, workspaceId }: WorkspaceLookup,
  { filter, tasks }: TaskMatches,
  set: SetOnTasks,
): Promise<void> {
  if (tasks.length === 0) return call.out.show({ count: 0 }, () => safe`No tasks match: nothing was changed.\n`);
  if (call.options.count === undefined) await confirmMany(call, `Changing ${count(tasks.length, 'task')}`);
  const done = await session.tasks.updateMany({ workspaceId, filter, count: tasks.length, set });
  call.out.show(done, () => safe`Applied to ${count(done.count, 'task')}.\n`);
}

/**
 * The changes to all tasks. Names of columns and tags must mean the same on the board of every task.
 *
 * @param setOnBoard gives the changes to the tasks of a board; null stands for hidden boards
 */
export async function setOn(
  tasks: readonly TaskSummary[],
  setOnBoard: (boardId: string | null) => Promise<SetOnTasks>,
): Promise<SetOnTasks> {
  const boards = [...new Set(tasks.map(({ boardId }) => boardId))];
  const sets: SetOnTasks[] = [];
  for (const boardId of boards) sets.push(await setOnBoard(boardId));
  const [first = {}, ...others] = sets;
  if (others.every((set) => sameJson(set, first))) return first;
  throw usage(
    `The tasks are on ${boards.length} boards, each with its own columns and tags: choose one with --where board=NAME.`,
  );
}

function differs({ before: { expanded: _, ...before }, after: { expanded: __, ...after } }: TaskChange): boolean {
  return !sameJson(before, after);
}
