import {
  asSeen,
  compileFilters,
  idsNamed,
  isByBoardOrStatus,
  type SeenTask,
  type TaskConditions,
  type TaskFilter,
  type TaskScope,
} from '../../../core/model/content/task-query.ts';
import { ENTRY_COST } from '../engine/costs.ts';
import { prefixRange } from '../engine/kv.ts';
import type { Yielder } from '../../../core/ports/yielder.ts';
import { type AccessPath, accessPaths, coversScope, isLargePart, isSmall, mostSelective } from './access-path.ts';
import { countIndexed } from './count-by-index.ts';
import { countNumbered } from './count-entries.ts';
import { taskKey } from './index-keys.ts';
import { narrowerPath } from './narrower-path.ts';
import { unordered } from './query-plan.ts';
import type { TaskReader } from './reader.ts';
import { countsOfBoard, countsOfWorkspace } from './status-counts.ts';
import { visibilityFor, workOf } from './visibility.ts';

/**
 * Counts by the counters of statuses if all filters are by board and status, by its index for a single indexed filter,
 * or else by reading every task of the most selective access path. Numbers from counters and indexes are corrected by
 * looking up each task with a page of its own; if fewer tasks match than have one, the matching tasks are read instead.
 */
export async function countTasks(reader: TaskReader, query: TaskConditions, yielder: Yielder): Promise<number> {
  const { scope, filters } = query;
  if (scope === null && filters.length === 0)
    return countNumbered(reader.kv, taskKey.records(reader.workspaceKey), yielder);
  const onBoards = filters.every(isByBoardOrStatus)
    ? await countByStatus(reader, query, yielder)
    : await countByIndex(reader, query, yielder);
  const fewer = onBoards === null ? null : await pathOfFewer(reader, query, onBoards, yielder);
  if (fewer !== null) return countAlong(reader, query, fewer, yielder);
  if (onBoards !== null) return onBoards + (await countOfOwnPages(reader, query, yielder));
  const best = mostSelective(reader, accessPaths(reader, query));
  const path = (await narrowerPath(reader, best, scope, yielder)) ?? best;
  return countAlong(reader, query, path, yielder);
}

/**
 * The access path of the filters, if it has fewer tasks than there are tasks with pages of their own.
 *
 * @param least the least number of tasks on it
 */
async function pathOfFewer(
  reader: TaskReader,
  query: TaskConditions,
  least: number,
  yielder: Yielder,
): Promise<AccessPath | null> {
  const { scope } = query;
  const ownPages = scope === null ? 0 : scope.hidden.size + scope.withoutBoard.size;
  if (least >= ownPages) return null;
  const path = mostSelective(reader, accessPaths(reader, query));
  const most = ownPages - path.withoutBoard.length;
  return !coversScope(path) && most > 0 && (await isSmall(reader, path, most, yielder)) ? path : null;
}

/** Reads the tasks of a path. */
async function countAlong(
  reader: TaskReader,
  query: TaskConditions,
  path: AccessPath,
  yielder: Yielder,
): Promise<number> {
  let count = 0;
  const see = visibilityFor(query);
  const work = workOf(query);
  for (const task of unordered(reader, path)) {
    const pause = yielder.step(task === undefined ? 1 : work(task));
    if (pause !== null) await pause;
    if (task !== undefined && see(task) !== null) count += 1;
  }
  return count;
}

/**
 * The number of tasks on the boards in scope that match filters by board and status. Null if the counters do not
 * suffice.
 */
async function countByStatus(reader: TaskReader, query: TaskConditions, yielder: Yielder): Promise<number | null> {
  const { scope, filters } = query;
  const named = idsNamed(filters, 'boardId') ?? boardsOfStatuses(reader, query);
  const boards = named ?? scope?.boards;
  if (boards === undefined) return null;
  const matches = compileFilters(filters);
  let count = 0;
  if (named === undefined && reader.countedTo() === undefined && isLargePart(reader, scope!.boards)) {
    for (const { boardId, statusId, count: tasks } of countsOfWorkspace(reader)) {
      const pause = yielder.step(ENTRY_COST);
      if (pause !== null) await pause;
      if (scope!.boards.has(boardId) && matches({ boardId, statusId } as SeenTask)) count += tasks;
    }
    return count;
  }
  for (const boardId of boards) {
    if (scope !== null && !scope.boards.has(boardId)) continue;
    for (const [statusId, tasks] of await countsOfBoard(reader, boardId, yielder)) {
      if (matches({ boardId, statusId } as SeenTask)) count += tasks;
    }
  }
  return count;
}

/** The boards with tasks in the filtered statuses; undefined without such a filter. */
function boardsOfStatuses(reader: TaskReader, { filters }: TaskConditions): ReadonlySet<string> | undefined {
  const statuses = idsNamed(filters, 'statusId');
  if (statuses === null) return undefined;
  const found = statuses.map((id) => {
    // All tasks of a status are on one board.
    const [first] = reader.kv.range(prefixRange(taskKey.column(reader.workspaceKey, id)), 1, false);
    return first && reader.at(first)?.boardId;
  });
  return new Set(found.filter((boardId) => boardId !== undefined));
}

/** Uses an index. A negated filter is counted as all tasks minus those that match it. */
async function countByIndex(reader: TaskReader, query: TaskConditions, yielder: Yielder): Promise<number | null> {
  const { scope, filters } = query;
  const [filter, ...others] = filters;
  if (filter === undefined || others.length > 0) return null;
  if (!('not' in filter) || !filter.not) return countIndexed(reader, scope, filter, yielder);
  const all = await countByStatus(reader, { scope, filters: [] }, yielder);
  const left = all === null ? null : await countMatching(reader, scope, { ...filter, not: false }, yielder);
  return all === null || left === null ? null : all - left;
}

/** The number of tasks on the boards in scope that match a filter; null if no index has these. */
async function countMatching(
  reader: TaskReader,
  scope: TaskScope | null,
  filter: TaskFilter,
  yielder: Yielder,
): Promise<number | null> {
  const count = await countIndexed(reader, scope, filter, yielder);
  if (count !== null) return count;
  const onBoards = scope && { boards: scope.boards, hidden: NONE, withoutBoard: NONE };
  const query: TaskConditions = { scope: onBoards, filters: [filter] };
  const path = mostSelective(reader, accessPaths(reader, query));
  return coversScope(path) ? null : countAlong(reader, query, path, yielder);
}

const NONE: ReadonlySet<string> = new Set();

/**
 * The correction for tasks with pages of their own: minus hidden tasks on boards in scope, plus visible tasks on other
 * boards.
 */
async function countOfOwnPages(
  reader: TaskReader,
  { scope, filters }: TaskConditions,
  yielder: Yielder,
): Promise<number> {
  if (scope === null) return 0;
  const matches = compileFilters(filters);
  let count = 0;
  for (const id of scope.hidden) {
    const pause = yielder.step();
    if (pause !== null) await pause;
    const task = reader.byId(id);
    if (task !== undefined && scope.boards.has(task.boardId) && matches(task)) count -= 1;
  }
  // All of them are stored, on other boards.
  if (filters.length === 0) return count + scope.withoutBoard.size;
  for (const id of scope.withoutBoard) {
    const pause = yielder.step();
    if (pause !== null) await pause;
    const task = reader.byId(id);
    if (task !== undefined && !scope.boards.has(task.boardId) && matches(asSeen(task, scope))) count += 1;
  }
  return count;
}

/** The number of these tasks in each status of a board. */
export async function countAmong(
  reader: TaskReader,
  boardId: string,
  ids: ReadonlySet<string>,
  yielder: Yielder,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const id of ids) {
    const pause = yielder.step();
    if (pause !== null) await pause;
    const task = reader.byId(id);
    if (task?.boardId === boardId) counts.set(task.statusId, (counts.get(task.statusId) ?? 0) + 1);
  }
  return counts;
}
