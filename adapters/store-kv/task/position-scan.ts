import {
  compareSortValues,
  idsNamed,
  type SortKey,
  type SortValue,
  type TaskQuery,
} from '../../../core/model/task-query.ts';
import type { Task } from '../../../core/model/task.ts';
import { integerKey } from '../engine/key.ts';
import { resumeFrom, type KvRange, scan, prefixRange } from '../engine/kv.ts';
import { taskKey } from './index-keys.ts';
import type { TaskReader } from './reader.ts';
import { asAsked } from './visibility.ts';
import type { AccessPath } from './access-path.ts';

/** Column after column, each in order. Tasks that are seen alone stand in no column and form one of their own. */
export function* byPosition(reader: TaskReader, query: TaskQuery, source: AccessPath): IterableIterator<Task> {
  const { sort, after } = query;
  const inColumn = sort.slice(0, 2);
  const { descending } = sort[2] as SortKey;
  const columns = [...columnsOf(query, statusIds(reader, query)), ...(source.by === 'workspace' ? [ALONE] : [])];
  columns.sort((a, b) => compareSortValues(a, b, inColumn));
  for (const column of columns) {
    const order = after === null ? 1 : compareSortValues(column, after.slice(0, 2), inColumn);
    if (order < 0) continue;
    const [, statusId] = column;
    if (statusId === null) {
      yield* alone(reader, query);
      continue;
    }
    const prefix = taskKey.column(reader.space, statusId);
    const all = prefixRange(prefix);
    const key = order === 0 ? after?.[2] : null;
    const rest: KvRange = Number.isSafeInteger(key)
      ? resumeFrom(all, prefix + integerKey(key as number), descending)
      : all;
    for (const [, num] of scan(reader.kv, rest, descending)) {
      const task = reader.task(num as string);
      if (task !== undefined) yield task;
    }
  }
}

type Column = readonly [order: SortValue, statusId: string | null];

const ALONE: Column = [null, null];

function columnsOf(query: TaskQuery, statuses: Iterable<string>): Column[] {
  return Array.from(new Set(statuses), (id): Column => [query.statusOrder?.get(id) ?? null, id]);
}

/** The statuses that the filters leave: those named, or those of the boards named, or of all in scope. */
function statusIds(reader: TaskReader, { scope, filters }: TaskQuery): string[] {
  const statuses = idsNamed(filters, 'statusId');
  if (statuses !== null) return statuses;
  const boards = idsNamed(filters, 'boardId') ?? (scope === null ? reader.boardIds() : [...scope.boards]);
  const visible = scope === null ? boards : boards.filter((id) => scope.boards.has(id));
  return visible.flatMap((id) => reader.board(id)?.statuses.map((status) => status.id) ?? []);
}

function alone(reader: TaskReader, query: TaskQuery): Task[] {
  const ids = Array.from(query.scope?.alone ?? []);
  return asAsked(
    ids.flatMap((id) => reader.byId(id) ?? []),
    query,
  );
}
