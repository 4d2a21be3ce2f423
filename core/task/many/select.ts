import type { WorkspaceAddress } from '../../model/address.ts';
import { levelOnTask, requireLevel, viewerOf, type Viewer } from '../../access/viewer.ts';
import { EspalierError, invalid, type FieldError } from '../../kernel/errors.ts';
import { endedAssignments } from '../../member/membership-end.ts';
import { EDIT, VIEW } from '../../model/access/level.ts';
import { compileFilters, inScope, type TaskFilter, type TaskScope } from '../../model/content/task-query.ts';
import type { Task } from '../../model/content/task.ts';
import type { Context } from '../../ports/context.ts';
import type { ReadTransaction } from '../../ports/store.ts';
import { tasksById } from '../by-id.ts';
import { aboutTask, pointerTo } from './about.ts';
import { conditionsOf } from '../list/conditions.ts';
import { asksForUnassigned, type TaskFilters } from '../list/filters.ts';
import { listedFor } from '../list/scope.ts';
import { sortOf } from '../list/sort.ts';

/** The most tasks that one call changes or deletes. */
export const MAX_TASKS = 1_000;
const NONE: ReadonlySet<string> = new Set();

/** The tasks of a call: named, or found by a filter. */
export interface TaskSelection extends WorkspaceAddress {
  /** 1-1,000 different tasks. Not to be combined with `filter` and `count`. */
  readonly taskIds?: readonly string[];
  /**
   * The tasks that the task list finds with these filters, in its order by `num`; tasks that are placed, in its order by
   * `position`. Requires `count`.
   */
  readonly filter?: TaskFilters;
  /** The number of tasks that the filter must find. */
  readonly count?: number;
}

/** The answer of a batch call. */
export interface TaskCount {
  /** The number of tasks named or found. */
  readonly count: number;
}

/** The selected tasks, and the query that selected them. */
export interface Selected<T = Task> {
  readonly viewer: Viewer;
  /** In the order given, or of the list. All may be edited by the viewer. */
  readonly tasks: readonly T[];
  /** Of a filter: what it asks for, and the position in the change log at which it was asked. */
  readonly asked: {
    readonly filters: readonly TaskFilter[];
    readonly scope: TaskScope;
    readonly at: LogPosition;
  } | null;
}

interface LogPosition {
  readonly id: string;
  readonly last: number;
}

type TaskVersion = Pick<Task, 'id' | 'version'>;

/** What a selection is compared by later. */
export type SelectedVersions = Selected<TaskVersion>;

/** A selection that can wait for a write: a thousand tasks may have texts of 100 MB. */
export function versionsOf(selected: Selected): SelectedVersions {
  return { ...selected, tasks: selected.tasks.map(({ id, version }) => ({ id, version })) };
}

/** @throws `invalid-input` unless either tasks are named, all different, or a filter and a count are given */
export function requireSelection({ taskIds, filter, count }: TaskSelection): void {
  if (taskIds === undefined) {
    if (filter === undefined) throw invalid('/taskIds', 'is required, unless filter and count are given');
    if (count === undefined) throw invalid('/count', 'is required with filter');
    return;
  }
  if (filter !== undefined) throw invalid('/filter', 'must not be combined with taskIds');
  if (count !== undefined) throw invalid('/count', 'must not be combined with taskIds');
  const first = new Map<string, number>();
  for (const [i, id] of taskIds.entries()) {
    if (first.has(id)) throw invalid(`/taskIds/${i}`, `repeats /taskIds/${first.get(id)!}`);
    first.set(id, i);
  }
}

/**
 * The tasks of a selection. O(tasks), and for a filter as much as the task list.
 *
 * @throws `forbidden` if a task that the caller sees may not be edited by them
 * @throws `unusable-reference` for named tasks that are missing or hidden
 * @throws `too-many` if a filter finds more than 1,000, else `count-mismatch` if it finds another number
 */
export async function selectTasks(tx: ReadTransaction, context: Context, input: TaskSelection): Promise<Selected> {
  const viewer = await viewerOf(tx, context, input.workspaceId);
  if (input.taskIds === undefined) return foundTasks(tx, context, viewer, input);
  const stored = await tasksById(tx, viewer, input.taskIds);
  const seen: (Task | null)[] = [];
  for (const task of stored) {
    seen.push(task !== null && levelOnTask(viewer, task) >= VIEW ? task : null);
    const pause = viewer.yielder.step();
    if (pause !== null) await pause;
  }
  const tasks = seen.filter((task) => task !== null);
  await requireEditable(viewer, input, seen);
  if (tasks.length < seen.length) throw unusableTasks(seen);
  return { viewer, tasks, asked: null };
}

async function foundTasks(
  tx: ReadTransaction,
  context: Context,
  viewer: Viewer,
  selection: TaskSelection,
): Promise<Selected> {
  const { workspaceId, filter = {}, count } = selection;
  const [listed, ended, { id, last }] = await Promise.all([
    listedFor(viewer, filter),
    asksForUnassigned(filter) ? endedAssignments(tx, workspaceId) : NONE,
    tx.changeLog.head(workspaceId),
  ]);
  const { scope } = listed;
  const filters = await conditionsOf(tx, context, viewer, filter, listed, ended);
  const query = { workspaceId, scope, filters, sort: sortOf(['num']), after: null, limit: MAX_TASKS + 1 };
  const ids = (await tx.tasks.find(query)).map(({ id }) => id);
  const stored = await tasksById(tx, viewer, ids);
  const tasks = stored.filter((task) => task !== null);
  await requireEditable(viewer, selection, tasks);
  if (tasks.length > MAX_TASKS) {
    throw new EspalierError('too-many', `More than ${MAX_TASKS} tasks were found: narrow the filter.`, [
      { pointer: '/filter', detail: `finds more than ${MAX_TASKS} tasks` },
    ]);
  }
  if (tasks.length !== count) {
    throw new EspalierError('count-mismatch', `The filter finds ${tasks.length} tasks, not ${count}.`, [
      { pointer: '/count', detail: `is not ${tasks.length}` },
    ]);
  }
  return { viewer, tasks, asked: { filters, scope, at: { id, last } } };
}

/** In steps. @param tasks null: hidden or missing */
async function requireEditable(
  viewer: Viewer,
  selection: TaskSelection,
  tasks: readonly (Task | null)[],
): Promise<void> {
  for (const [i, task] of tasks.entries()) {
    if (task === null) continue;
    try {
      requireLevel(levelOnTask(viewer, task), EDIT);
    } catch (error) {
      throw aboutTask(error, pointerTo(selection, task, i));
    }
    const pause = viewer.yielder.step();
    if (pause !== null) await pause;
  }
}

const MAX_NAMED = 20;

function unusableTasks(seen: readonly (Task | null)[]): EspalierError {
  const errors = seen.flatMap((task, i): FieldError[] =>
    task === null
      ? [{ pointer: `/taskIds/${i}`, detail: 'names something that does not exist or cannot be used here' }]
      : [],
  );
  const detail = 'The input names something that does not exist or cannot be used here.';
  return new EspalierError('unusable-reference', detail, errors.slice(0, MAX_NAMED));
}

/** The most changes of the workspace that are examined. If there are more, the selection is made again. */
const MAX_CHANGES = 100;

/**
 * The tasks of a selection that was made on an earlier snapshot, as they are now; null if it would not be the same now:
 * then it must be made anew. O(tasks).
 */
export async function stillSelected(
  tx: ReadTransaction,
  viewer: Viewer,
  { viewer: before, tasks, asked }: SelectedVersions,
): Promise<readonly Task[] | null> {
  const sameViewer = viewer.structure.revision === before.structure.revision && viewer.member.id === before.member.id;
  if (!sameViewer) return null;
  if (asked !== null && !(await asksForSame(tx, viewer, tasks, asked))) return null;
  const now = await tasksById(
    tx,
    viewer,
    tasks.map(({ id }) => id),
  );
  const same = now.filter((task, i) => task !== null && task.version === tasks[i]!.version);
  return same.length === tasks.length ? (same as readonly Task[]) : null;
}

/** Whether the filter finds no task that has changed meanwhile, besides those it found before: these are compared later. */
async function asksForSame(
  tx: ReadTransaction,
  { structure }: Viewer,
  tasks: readonly TaskVersion[],
  { filters, scope, at }: NonNullable<Selected['asked']>,
): Promise<boolean> {
  const { id: workspaceId } = structure.workspace;
  const { id, last, floor } = await tx.changeLog.head(workspaceId);
  if (last === at.last && id === at.id) return true;
  // The ids in filters by links were looked up once: this does not notice when links change.
  if (id !== at.id || floor > at.last || filters.some((filter) => 'ids' in filter)) return false;
  const changes = await tx.changeLog.list(workspaceId, at.last, MAX_CHANGES + 1);
  if (changes.length > MAX_CHANGES) return false;
  const selected = new Set(tasks.map((task) => task.id));
  const matches = compileFilters(filters);
  for (const { kind, recordId } of changes) {
    if (kind !== 'task' || selected.has(recordId)) continue;
    const task = await tx.tasks.get(workspaceId, recordId);
    // A task without its board is seen with other fields: rare enough to repeat the query.
    if (task !== null && (scope.withoutBoard.has(task.id) || (inScope(task, scope) && matches(task)))) return false;
  }
  return true;
}
