import {
  asSeen,
  compileFilters,
  idsNamed,
  type SeenTask,
  type TaskFilter,
  type TaskQuery,
} from '../../../core/model/task-query.ts';
import { prefixRange } from '../engine/kv.ts';
import type { Yielder } from '../../event-loop/yield.ts';
import { mostSelective, sources } from './access-path.ts';
import { countIndexed } from './count-by-index.ts';
import { countNumbered } from './count-entries.ts';
import { taskKey } from './index-keys.ts';
import { unordered } from './query-plan.ts';
import type { TaskReader } from './reader.ts';
import { countsOfBoard } from './status-counts.ts';
import { seeing, workOf } from './visibility.ts';

type Wanted = Pick<TaskQuery, 'scope' | 'filters'>;

/**
 * Without filters, and with those for boards and statuses alone, told from the counts of statuses; by one filter that
 * has an index, from that. Otherwise every task of the most selective source is read.
 */
export async function countTasks(reader: TaskReader, query: Wanted, yielder: Yielder): Promise<number> {
  const { scope, filters } = query;
  if (scope === null && filters.length === 0) return countNumbered(reader.kv, taskKey.records(reader.space), yielder);
  const onBoards = filters.every(isPlace)
    ? await countPlaces(reader, query, yielder)
    : await countByIndex(reader, query, yielder);
  if (onBoards !== null) return onBoards + (await countOfOwnPages(reader, query, yielder));
  let count = 0;
  const see = seeing(query);
  const work = workOf(query);
  for (const task of unordered(reader, mostSelective(reader, sources(reader, query)))) {
    const pause = yielder.step(work(task));
    if (pause !== null) await pause;
    if (see(task) !== null) count += 1;
  }
  return count;
}

function isPlace(filter: TaskFilter): boolean {
  return 'in' in filter && (filter.field === 'boardId' || filter.field === 'statusId');
}

/** The tasks on the boards in scope that match filters for boards and statuses. Null where it takes reading to tell. */
async function countPlaces(reader: TaskReader, query: Wanted, yielder: Yielder): Promise<number | null> {
  const { scope, filters } = query;
  const boards = idsNamed(filters, 'boardId') ?? boardsOfStatuses(reader, query) ?? scope?.boards;
  if (boards === undefined) return null;
  const matches = compileFilters(filters);
  let count = 0;
  for (const boardId of boards) {
    if (scope !== null && !scope.boards.has(boardId)) continue;
    for (const [statusId, tasks] of await countsOfBoard(reader, boardId, yielder)) {
      if (matches({ boardId, statusId } as SeenTask)) count += tasks;
    }
  }
  return count;
}

/** The boards with tasks in the statuses that are named; undefined when none are named. */
function boardsOfStatuses(reader: TaskReader, { filters }: Wanted): ReadonlySet<string> | undefined {
  const statuses = idsNamed(filters, 'statusId');
  if (statuses === null) return undefined;
  const found = statuses.map((id) => {
    // All tasks of a status are on one board.
    const [first] = reader.kv.range(prefixRange(taskKey.column(reader.space, id)), 1, false);
    return first && reader.at(first)?.boardId;
  });
  return new Set(found.filter((boardId) => boardId !== undefined));
}

/** What is not X is what there is without what is X. */
async function countByIndex(reader: TaskReader, query: Wanted, yielder: Yielder): Promise<number | null> {
  const { scope, filters } = query;
  const [filter, ...others] = filters;
  if (filter === undefined || others.length > 0) return null;
  if (!('not' in filter) || !filter.not) return countIndexed(reader, scope, filter, yielder);
  const all = await countPlaces(reader, { scope, filters: [] }, yielder);
  const left = all === null ? null : await countIndexed(reader, scope, { ...filter, not: false }, yielder);
  return all === null || left === null ? null : all - left;
}

/** What tasks with pages of their own add to what is counted on the boards in scope, or take from it. */
async function countOfOwnPages(reader: TaskReader, { scope, filters }: Wanted, yielder: Yielder): Promise<number> {
  if (scope === null) return 0;
  const matches = compileFilters(filters);
  let count = 0;
  for (const id of scope.hidden) {
    const pause = yielder.step();
    if (pause !== null) await pause;
    const task = reader.byId(id);
    if (task !== undefined && scope.boards.has(task.boardId) && matches(task)) count -= 1;
  }
  for (const id of scope.alone) {
    const pause = yielder.step();
    if (pause !== null) await pause;
    const task = reader.byId(id);
    if (task !== undefined && !scope.boards.has(task.boardId) && matches(asSeen(task, scope))) count += 1;
  }
  return count;
}

/** How many of these tasks each status of a board holds. */
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
