import { viewerOf, type Viewer } from '../../access/viewer.ts';
import type { Board } from '../../model/content/board.ts';
import { asSeen, compareSortValues, sortValues, type TaskScope } from '../../model/content/task-query.ts';
import type { Task } from '../../model/content/task.ts';
import type { Context } from '../../ports/context.ts';
import type { ReadTransaction, Transaction } from '../../ports/store.ts';
import { write } from '../../write/transaction.ts';
import { sortOf } from '../list/sort.ts';
import { hasPosition, neighbourOf } from '../place/position.ts';
import { requireEditingBoards } from '../target.ts';
import { aboutRefused, aboutTask, pointerTo } from './about.ts';
import { planThenWrite } from './plan-then-write.ts';
import { saveTogether } from './save.ts';
import {
  requireSelection,
  selectTasks,
  stillSelected,
  type SelectedVersions,
  type TaskCount,
  type TaskSelection,
  versionsOf,
} from './select.ts';
import { prepare, requireNewAssignees, requireSet, type Prepared, type SetOnTasks } from './set.ts';

/** What `tasks.updateMany` takes: tasks, and the fields to set on each. */
export interface UpdateTasks extends TaskSelection {
  /** At least one field. */
  readonly set: SetOnTasks;
}

/** The plan of a call, made on a snapshot, without the tasks themselves. */
interface Plan {
  readonly selected: SelectedVersions;
  /** One for each selected task. */
  readonly prepared: readonly Omit<Prepared, 'task'>[];
  /** The boards of the tasks before and after. */
  readonly boards: ReadonlyMap<string, Board>;
  /** The task named in `beforeTaskId` or `afterTaskId`. */
  readonly neighbour: Task | null;
}

/**
 * Changes up to 1,000 tasks: all of them, or none. The call checks everything on a snapshot while others write. The
 * write then only confirms by revision and versions that the checks still hold. Errors point into `/set`, and to the
 * task or the filter.
 *
 * @throws as `selectTasks`, and as the update of one task
 */
export async function updateTasks(context: Context, input: UpdateTasks): Promise<TaskCount> {
  requireSelection(input);
  requireSet(input.set);
  return planThenWrite(
    context,
    async (tx) => (await planOf(tx, context, input)).plan,
    (plan, outdated) => {
      let tasks: readonly Task[] = [];
      return write(context, async (tx) => {
        const viewer = await viewerOf(tx, context, input.workspaceId);
        const known = plan === null ? null : ((await confirmed(tx, viewer, input, plan)) ?? outdated());
        const prepared = known ?? (await planOf(tx, context, input)).prepared;
        // No revision changes when a user is disabled, so this is checked again.
        if (known !== null) await checkAssignees(tx, viewer, input, prepared);
        tasks = prepared.map(({ task }) => task);
        await saveTogether(tx, context, viewer, prepared);
        return { count: prepared.length };
      }).catch((error: unknown) => {
        throw aboutRefused(error, input, tasks);
      });
    },
  );
}

async function planOf(
  tx: ReadTransaction,
  context: Context,
  input: UpdateTasks,
): Promise<{ readonly plan: Plan; readonly prepared: readonly Prepared[] }> {
  const found = await selectTasks(tx, context, input);
  const { set, workspaceId } = input;
  const { boardId } = set;
  const { viewer } = found;
  if (boardId !== undefined)
    await forEachTask(viewer, input, found.tasks, (task) => requireEditingBoards(viewer, task, boardId));
  const neighbour = await neighbourOf(tx, workspaceId, set);
  const boardIds = new Set(found.tasks.map(({ boardId }) => boardId));
  if (set.boardId !== undefined) boardIds.add(set.boardId);
  const boards = await tx.boards.many(workspaceId, [...boardIds]);
  const { asked } = found;
  // Tasks that a filter finds keep their order where they are placed together.
  const tasks = asked !== null && isPlacing(set) ? byPosition(found.tasks, asked.scope, boards) : found.tasks;
  const others = neighbour !== null && tasks.some(({ id }) => id === neighbour.id) ? null : neighbour;
  const prepared: Prepared[] = [];
  await forEachTask(viewer, input, tasks, (task) => {
    prepared.push(prepare(viewer, boards, task, set, others));
  });
  await checkAssignees(tx, viewer, input, prepared);
  const withoutTasks = prepared.map(({ fields, placing }) => ({ fields, placing }));
  return { plan: { selected: versionsOf({ ...found, tasks }), prepared: withoutTasks, boards, neighbour }, prepared };
}

const BY_POSITION = sortOf(['position']);

function isPlacing(set: UpdateTasks['set']): boolean {
  return set.boardId !== undefined || set.statusId !== undefined || hasPosition(set);
}

/** As a list by `position` shows them to the caller. O(n log n). */
function byPosition(tasks: readonly Task[], scope: TaskScope, boards: ReadonlyMap<string, Board>): readonly Task[] {
  const statuses = [...boards.values()].flatMap((board) => board.statuses);
  const query = { sort: BY_POSITION, statusOrder: new Map(statuses.map(({ id, orderKey }) => [id, orderKey])) };
  return tasks
    .map((task) => ({ task, values: sortValues(asSeen(task, scope), query) }))
    .sort((a, b) => compareSortValues(a.values, b.values, BY_POSITION))
    .map(({ task }) => task);
}

/** The plan for the tasks as they are now; null if it must be made anew. */
async function confirmed(
  tx: Transaction,
  viewer: Viewer,
  { workspaceId, set }: UpdateTasks,
  { selected, prepared, boards, neighbour }: Plan,
): Promise<readonly Prepared[] | null> {
  const tasks = await stillSelected(tx, viewer, selected);
  if (tasks === null) return null;
  const now = await tx.boards.many(workspaceId, [...boards.keys()]);
  for (const [id, { version }] of boards) if (now.get(id)?.version !== version) return null;
  if ((await neighbourOf(tx, workspaceId, set))?.version !== neighbour?.version) return null;
  return prepared.map((one, i) => ({ ...one, task: tasks[i]! }));
}

function checkAssignees(
  tx: ReadTransaction,
  viewer: Viewer,
  input: UpdateTasks,
  prepared: readonly Prepared[],
): Promise<void> {
  const tasks = prepared.map(({ task }) => task);
  return forEachTask(viewer, input, tasks, (_, i) => requireNewAssignees(tx, viewer, prepared[i]!, input.set));
}

/** In steps. The pointers of errors start at `/set`, and then name the task. */
async function forEachTask(
  { yielder }: Viewer,
  selection: TaskSelection,
  tasks: readonly Task[],
  work: (task: Task, index: number) => void | Promise<void>,
): Promise<void> {
  for (const [i, task] of tasks.entries()) {
    try {
      const working = work(task, i);
      if (working !== undefined) await working;
    } catch (error) {
      throw aboutTask(error, pointerTo(selection, task, i), '/set');
    }
    const pause = yielder.step();
    if (pause !== null) await pause;
  }
}
