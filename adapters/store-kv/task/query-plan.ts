import {
  compareSortValues,
  type SeenTask,
  sortValues,
  type SortValue,
  type TaskQuery,
} from '../../../core/model/content/task-query.ts';
import type { Task } from '../../../core/model/content/task.ts';
import { scan } from '../engine/kv.ts';
import { orderedScan, sortedByNum } from './ordered-scan.ts';
import type { TaskReader } from './reader.ts';
import { type Visibility, visibilityFor, workOf } from './visibility.ts';
import { FirstInOrder, type Steps } from '../engine/sort-in-steps.ts';
import type { Yielder } from '../../../core/ports/yielder.ts';
import { isSmall, mostSelective, accessPaths, type AccessPath, pathOfWorkspace, SMALL } from './access-path.ts';
import { narrowerPath } from './narrower-path.ts';

/**
 * Finds tasks. If an index has the order of the query, it is scanned from `after` until `limit` tasks are found.
 * Otherwise the most selective access path is read whole, keeping the first `limit`. If most tasks of either are
 * hidden, the boards in scope are scanned instead. If a filter names very many tasks by id, all tasks of the workspace
 * are scanned by number first. It yields between any two tasks.
 */
export async function findTasks(reader: TaskReader, query: TaskQuery, yielder: Yielder): Promise<readonly SeenTask[]> {
  if (query.limit <= 0) return [];
  const all = accessPaths(reader, query);
  const best = mostSelective(reader, all);
  const search: Search = { query, see: visibilityFor(query), workOf: workOf(query), yielder };
  const among = await foundAmongAll(reader, best, search);
  if (among !== null) return among;
  const found: SeenTask[] = [];
  const ordered = inOwnOrder(reader, query, best);
  if (ordered !== null && (await takeFrom(ordered, search, found, SMALL + query.limit))) return found;
  const narrower = await narrowerPath(reader, best, query.scope, yielder);
  if (narrower !== null) return findAlong(reader, narrower, all, search);
  if (ordered === null) return findAlong(reader, best, all, search);
  const most = isScattered(query, best) ? reader.lastNum() / SCATTERED_PART : Infinity;
  return (await takeFrom(ordered, search, found, most)) ? found : firstOf(reader, best, search);
}

/** The index by `updatedAt` leads to the records in another order than they are stored in. */
function isScattered({ sort }: TaskQuery, { by }: AccessPath): boolean {
  return by === 'workspace' && sort[0]?.field === 'updatedAt';
}

/** Up to this part of all tasks, reading them scattered is not slower than reading all of them as they are stored. */
const SCATTERED_PART = 8;

/**
 * The tasks of a path that names very many by id, found in a scan of all tasks of the workspace by number: otherwise
 * each would be read first to sort them. Null if the query has another order, or if the scan would skip more tasks than
 * are named.
 */
async function foundAmongAll(
  reader: TaskReader,
  { withoutBoard }: AccessPath,
  search: Search,
): Promise<readonly SeenTask[] | null> {
  const { sort, limit } = search.query;
  const most = withoutBoard.length;
  if (sort[0]?.field !== 'num' || most < SMALL || (limit * reader.lastNum()) / most > most) return null;
  const found: SeenTask[] = [];
  const all = orderedScan(reader, search.query, pathOfWorkspace(reader));
  return all !== null && (await takeFrom(all, search, found, most)) ? found : null;
}

/**
 * The tasks of an access path in the order of the query; null if no index has that, or if its scan may read many more
 * tasks than the path has.
 */
function inOwnOrder(reader: TaskReader, query: TaskQuery, path: AccessPath): Steps<Task> | null {
  return readsOthers(query, path) ? null : orderedScan(reader, query, path);
}

/**
 * The index by `updatedAt` covers all boards: if few are in scope, it may have very many other tasks in between. And all
 * tasks that are seen without their boards are read to merge them in.
 */
function readsOthers({ sort, scope }: TaskQuery, { by }: AccessPath): boolean {
  if (sort[0]?.field !== 'updatedAt') return false;
  return by === 'scope' || (by === 'updatedAt' && scope !== null && scope.withoutBoard.size > 0);
}

/** Finds the tasks of an access path, in its own order or by scanning another path that has the order. */
async function findAlong(
  reader: TaskReader,
  path: AccessPath,
  all: readonly AccessPath[],
  search: Search,
): Promise<readonly SeenTask[]> {
  const { query, yielder } = search;
  const found: SeenTask[] = [];
  const ordered = inOwnOrder(reader, query, path);
  if (ordered !== null) {
    await takeFrom(ordered, search, found, Infinity);
    return found;
  }
  if (path.by !== 'scope' && isTiny(reader, path)) return firstOf(reader, path, search);
  const others = inAnyOrderOf(reader, query, all);
  // Which of the two plans is cheaper is unknown: the ordered scan is abandoned when it has read about as much as the
  // other path has. So the cost is at most a few times that of the cheaper plan.
  if (others === null) return firstOf(reader, path, search);
  if (query.sort[0]?.field === 'num' && path.withoutBoard.length === 0) {
    for (let most = FIRST_TASKS; most * ENTRIES_PER_TASK <= MAX_SORTED_ENTRIES; most *= 4) {
      if (await takeFrom(others, search, found, most)) return found;
      const sorted = await sortedByNum(reader, query, path, most * ENTRIES_PER_TASK, yielder);
      if (sorted === null) continue;
      const all: SeenTask[] = [];
      await takeFrom(sorted, search, all, Infinity);
      return all;
    }
  }
  const isFew = path.by !== 'scope' || (await isSmall(reader, path, FIRST_TASKS, yielder));
  if (!isFew && (await takeFrom(others, search, found, SMALL))) return found;
  for (let most = SMALL; !(await isSmall(reader, path, most, yielder)); most *= 4) {
    if (await takeFrom(others, search, found, most)) return found;
  }
  return firstOf(reader, path, search);
}

/**
 * Whether reading the whole path is faster than beginning an ordered scan, as for a task by its number or external id.
 */
function isTiny(reader: TaskReader, { ranges, withoutBoard }: AccessPath): boolean {
  return withoutBoard.length + reader.sizeUpTo(FIRST_TASKS, ranges) < FIRST_TASKS;
}

interface Search {
  readonly query: TaskQuery;
  readonly see: Visibility;
  readonly workOf: (task: Task) => number;
  readonly yielder: Yielder;
}

/** The number of tasks that an ordered scan reads before index entries are sorted instead. */
const FIRST_TASKS = 64;
/** Index entries that are sorted by number, without reading their tasks, for each task that an ordered scan has read. */
const ENTRIES_PER_TASK = 64;
/** The most index entries that are sorted, all in memory: some megabytes. */
const MAX_SORTED_ENTRIES = 65_536;

/** The tasks of an access path, each once, in no order. */
export function* unordered(reader: TaskReader, source: AccessPath): Steps<Task> {
  const several = source.ranges.length > 1 || source.withoutBoard.length > 0;
  const seen = several ? new Set<number>() : null;
  for (const task of tasksOf(reader, source)) {
    if (task === undefined) yield undefined;
    else if (seen?.has(task.num) !== true) {
      seen?.add(task.num);
      yield task;
    }
  }
}

/** Each range takes a step too, as there may be thousands of empty ones. */
function* tasksOf(reader: TaskReader, source: AccessPath): Steps<Task> {
  for (const range of source.ranges) {
    if (source.ranges.length > 1) yield undefined;
    for (const entry of scan(reader.kv, range)) {
      const task = reader.at(entry);
      if (task !== undefined) yield task;
    }
  }
  for (const id of source.withoutBoard) {
    const task = reader.byId(id);
    if (task !== undefined) yield task;
  }
}

function inAnyOrderOf(reader: TaskReader, query: TaskQuery, all: readonly AccessPath[]): Steps<Task> | null {
  for (const source of all) {
    const ordered = orderedScan(reader, query, source);
    if (ordered !== null) return ordered;
  }
  return null;
}

/** Takes up to `most` steps. @returns whether the result is complete */
async function takeFrom(
  tasks: Steps<Task>,
  { query, see, workOf: work, yielder }: Search,
  found: SeenTask[],
  most: number,
): Promise<boolean> {
  for (let looked = 0; looked < most; looked += 1) {
    const next = tasks.next();
    if (next.done === true) return true;
    const task = next.value;
    const pause = yielder.step(task === undefined ? 1 : work(task));
    if (pause !== null) await pause;
    const seen = task === undefined ? null : see(task);
    if (seen === null) continue;
    if (query.after !== null && !isBehind(sortValues(seen, query), query)) continue;
    found.push(seen);
    if (found.length >= query.limit) return true;
  }
  return false;
}

interface SortableTask {
  readonly task: SeenTask;
  readonly values: readonly SortValue[];
}

async function firstOf(
  reader: TaskReader,
  source: AccessPath,
  { query, see, workOf: work, yielder }: Search,
): Promise<readonly SeenTask[]> {
  const bySort = (a: SortableTask, b: SortableTask): number => compareSortValues(a.values, b.values, query.sort);
  const first = new FirstInOrder<SortableTask>(query.limit, bySort);
  for (const task of unordered(reader, source)) {
    const pause = yielder.step(task === undefined ? 1 : work(task));
    if (pause !== null) await pause;
    const seen = task === undefined ? null : see(task);
    if (seen === null) continue;
    const candidate: SortableTask = { task: seen, values: sortValues(seen, query) };
    if (isBehind(candidate.values, query)) first.put(candidate);
  }
  return first.items().map(({ task }) => task);
}

function isBehind(values: readonly SortValue[], { after, sort }: TaskQuery): boolean {
  return after === null || compareSortValues(values, after, sort) > 0;
}
