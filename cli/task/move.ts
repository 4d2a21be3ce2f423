import type { TaskSummary, TaskView } from '../../core/task/view.ts';
import { wholeNumber, type CommandCall } from '../call.ts';
import { withoutUndefined } from '../config/without-undefined.ts';
import { option, type OptionValues } from '../option.ts';
import { YES } from '../io/confirm.ts';
import { usage } from '../io/failure.ts';
import type { WorkspaceLookup } from '../refs/workspace-lookup.ts';
import { DRY_RUN } from '../output/record/deletion-preview.ts';
import type { Placing } from './preview-move.ts';
import { changeTasks } from './several.ts';
import { requireEditable } from './would-refuse.ts';
import { COUNT, NOT_BOTH, REQUIRE_WHERE, tasksWhere, WHERE } from './where.ts';

export const MOVE = [
  option('-b, --board <board>', 'target board'),
  option('-s, --status <status>', 'target column'),
  option('--before <task>', 'before this task; end: last', { field: 'beforeTaskId' }),
  option('--after <task>', 'after this task; start: first', { field: 'afterTaskId' }),
  option('--at <key>', 'at this sort key', { field: 'statusOrderKey' }),
  WHERE,
  COUNT,
  DRY_RUN,
  YES,
];

type MoveCall = CommandCall<OptionValues<typeof MOVE>>;

/** `task move`. Several tasks keep the order of the arguments. */
export async function runMove(call: MoveCall): Promise<void> {
  const { board, status, before: next, after: previous, at: key, where, dryRun } = call.options;
  if (![board, status, next, previous, key].some((given) => given !== undefined)) {
    throw usage('No destination given: use --board, --status, --before, --after or --at.');
  }
  if (where !== undefined && call.args.length > 0) throw usage(NOT_BOTH);
  if (where === undefined && call.args.length === 0)
    throw usage('No tasks given: use a number, title or id, or --where.');
  if (where === undefined && (call.options.count !== undefined || call.options.yes)) throw usage(REQUIRE_WHERE);
  if (key !== undefined && (where !== undefined || call.args.length > 1))
    throw usage('--at moves only one task; use --before or --after for several.');
  const workspace = await call.workspace();
  const { session, workspaceId } = workspace;
  const boardId = board === undefined ? undefined : await workspace.board(board);
  const beforeTaskId = next === undefined ? undefined : await taskOr('end', next, workspace);
  let afterTaskId = previous === undefined ? undefined : await taskOr('start', previous, workspace);
  const placeOn = async (itsBoardId: string | null) =>
    withoutUndefined({
      boardId,
      statusId: await statusOn(call, workspace, boardId ?? itsBoardId),
      beforeTaskId,
      afterTaskId,
    });
  if (where !== undefined) {
    const { changeFound, setOn } = await import('./edit-where.ts');
    const found = await tasksWhere(call, workspace, where, 'position');
    const set = await setOn(found.tasks, placeOn);
    if (!dryRun || found.tasks.length === 0) return changeFound(call, workspace, found, set);
    const { MovePreview } = await import('./preview-move.ts');
    await requireEditable(workspace, found.tasks);
    const trial = new MovePreview(workspace);
    const moved: TaskSummary[] = [];
    for (const task of found.tasks) moved.push(await trial.move(task, set));
    return trial.print(call, moved, true);
  }
  const place = async (task: TaskView, move: (placing: Placing) => Promise<TaskView>): Promise<TaskView> => {
    const statusOrderKey = key === undefined ? undefined : wholeNumber('at', key);
    const moved = await move(withoutUndefined({ ...(await placeOn(task.boardId)), statusOrderKey }));
    if (afterTaskId !== undefined) afterTaskId = task.id;
    return moved;
  };
  if (dryRun) {
    const { MovePreview } = await import('./preview-move.ts');
    const trial = new MovePreview(workspace);
    const change = (task: TaskView) => place(task, (placing) => trial.move(task, placing));
    return changeTasks(call, workspace, call.args, change, (_call, _workspace, changes, areSeveral) =>
      trial.print(
        call,
        changes.map(({ after }) => after),
        areSeveral,
      ),
    );
  }
  await changeTasks(call, workspace, call.args, (task) =>
    place(task, (placing) => session.tasks.update({ workspaceId, taskId: task.id, ...placing })),
  );
}

/** The status of the option on the target board. @param boardId null: the board is hidden */
async function statusOn(
  { options: { status } }: MoveCall,
  workspace: WorkspaceLookup,
  boardId: string | null,
): Promise<string | undefined> {
  if (boardId === null) throw usage('You cannot see the board of the task, nor move it there.');
  return status === undefined ? undefined : workspace.status(boardId, status);
}

function taskOr(edge: string, ref: string, workspace: WorkspaceLookup): Promise<string | null> {
  return ref === edge ? Promise.resolve(null) : workspace.task(ref);
}

/** `task done`: moves into the first status with `done`, if the board has one. */
export async function completeTasks(call: CommandCall, complete: boolean): Promise<void> {
  const workspace = await call.workspace();
  const { session, workspaceId } = workspace;
  await changeTasks(call, workspace, call.args, async (task) => {
    const statuses = task.boardId === null ? [] : (await workspace.boardView(task.boardId)).statuses;
    const isThere = statuses.find(({ id }) => id === task.statusId)?.done === complete;
    const column = isThere ? undefined : statuses.find(({ done, beingRemoved }) => done === complete && !beingRemoved);
    if (task.complete === complete) return task;
    const to = column === undefined ? {} : { statusId: column.id };
    return session.tasks.update({ workspaceId, taskId: task.id, complete, ...to });
  });
}
