import { idsNamed, type TaskFilter, type TaskQuery, type TaskScope } from '../../../core/model/task-query.ts';
import type { Task } from '../../../core/model/task.ts';
import { prefixRange } from '../engine/kv.ts';
import { unordered } from './query-plan.ts';
import { taskKey } from './index-keys.ts';
import type { TaskReader } from './reader.ts';
import { seeing, workOf } from './visibility.ts';
import { mostSelective, sources } from './access-path.ts';
import type { Yielder } from '../engine/yield.ts';

/**
 * Without filters, and with those for boards and columns alone, counted on keys; otherwise every task of the most selective
 * source is looked at.
 */
export async function countTasks(
  reader: TaskReader,
  query: Pick<TaskQuery, 'scope' | 'filters'>,
  yielder: Yielder,
): Promise<number> {
  const { scope, filters } = query;
  if (filters.length === 0) {
    return scope === null
      ? reader.kv.count(prefixRange(taskKey.records(reader.space)))
      : countScope(reader, scope, yielder);
  }
  if (filters.every(isPlace)) return countPlaces(reader, query, yielder);
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

export async function countByStatus(
  reader: TaskReader,
  boardId: string,
  scope: TaskScope | null,
  yielder: Yielder,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  if (scope !== null && !scope.boards.has(boardId)) return counts;
  for (const { id } of reader.board(boardId)?.statuses ?? []) {
    const pause = yielder.step();
    if (pause !== null) await pause;
    const count = reader.kv.count(prefixRange(taskKey.column(reader.space, id)));
    if (count > 0) counts.set(id, count);
  }
  for (const id of scope?.hidden ?? []) {
    const pause = yielder.step();
    if (pause !== null) await pause;
    const task = reader.byId(id);
    if (task?.boardId === boardId) counts.set(task.statusId, (counts.get(task.statusId) ?? 0) - 1);
  }
  return counts;
}

function isPlace(filter: TaskFilter): boolean {
  return 'in' in filter && (filter.field === 'boardId' || filter.field === 'statusId') && filter.not !== true;
}

/** What is seen alone is seen on no board and in no column. */
async function countPlaces(
  reader: TaskReader,
  { scope, filters }: Pick<TaskQuery, 'scope' | 'filters'>,
  yielder: Yielder,
): Promise<number> {
  const see = seeing({ scope: null, filters });
  const counts = (task: Task): boolean => (scope === null || scope.boards.has(task.boardId)) && see(task) !== null;
  const columns = idsNamed(filters, 'statusId')?.map((id) => taskKey.column(reader.space, id));
  const boards = idsNamed(filters, 'boardId')?.map((id) => taskKey.ofBoard(reader.space, id));
  let count = 0;
  for (const range of (columns ?? boards ?? []).map(prefixRange)) {
    const pause = yielder.step();
    if (pause !== null) await pause;
    // All of a place are on one board, so that what else is asked holds for all of them or for none.
    const [first] = reader.kv.range(range, 1, false);
    const task = first && reader.at(first);
    if (task !== undefined && counts(task)) count += reader.kv.count(range);
  }
  for (const id of scope?.hidden ?? []) {
    const pause = yielder.step();
    if (pause !== null) await pause;
    const task = reader.byId(id);
    if (task !== undefined && counts(task)) count -= 1;
  }
  return count;
}

async function countScope(reader: TaskReader, scope: TaskScope, yielder: Yielder): Promise<number> {
  let count = 0;
  for (const id of scope.boards) {
    const pause = yielder.step();
    if (pause !== null) await pause;
    count += reader.kv.count(prefixRange(taskKey.ofBoard(reader.space, id)));
  }
  for (const id of scope.hidden) {
    const pause = yielder.step();
    if (pause !== null) await pause;
    const task = reader.byId(id);
    if (task !== undefined && scope.boards.has(task.boardId)) count -= 1;
  }
  for (const id of scope.alone) {
    const pause = yielder.step();
    if (pause !== null) await pause;
    const task = reader.byId(id);
    if (task !== undefined && !scope.boards.has(task.boardId)) count += 1;
  }
  return count;
}
