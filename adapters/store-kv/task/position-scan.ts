import {
  compareSortValues,
  idsNamed,
  type SortKey,
  type SortValue,
  type TaskQuery,
} from '../../../core/model/content/task-query.ts';
import type { Task } from '../../../core/model/content/task.ts';
import { sortInSteps, type Steps } from '../engine/sort-in-steps.ts';
import { integerKey } from '../engine/key.ts';
import { chunks, resumeFrom, type KvRange, prefixRange } from '../engine/kv.ts';
import { taskKey } from './index-keys.ts';
import type { TaskReader } from './reader.ts';
import { tasksWithoutBoard } from './visibility.ts';
import { type AccessPath, coversScope } from './access-path.ts';

/**
 * Scans column by column, each in order. Tasks visible only through their own page have no column and form one
 * together.
 */
export function* byPosition(reader: TaskReader, query: TaskQuery, source: AccessPath): Steps<Task> {
  const { scope, sort, after } = query;
  const inColumn = sort.slice(0, 2);
  const { descending } = sort[2] as SortKey;
  const columns = columnsOf(query, coversScope(source));
  for (const column of sortInSteps(columns, (a, b) => compareSortValues(a, b, inColumn))) {
    yield undefined;
    if (column === undefined) continue;
    const order = after === null ? 1 : compareSortValues(column, after.slice(0, 2), inColumn);
    if (order < 0) continue;
    const [, statusId] = column;
    if (statusId === null) {
      yield* tasksWithoutBoard(reader, query);
      continue;
    }
    const prefix = taskKey.column(reader.workspaceKey, statusId);
    const all = prefixRange(prefix);
    const key = order === 0 ? after?.[2] : null;
    const rest: KvRange = Number.isSafeInteger(key)
      ? resumeFrom(all, prefix + integerKey(key as number), descending)
      : all;
    for (const entries of chunks(reader.kv, rest, descending, query.limit)) {
      for (const entry of entries) {
        const task = reader.task(entry[1] as string);
        yield task !== undefined && isOnBoardIn(scope, task) ? task : undefined;
      }
    }
  }
}

/** Tasks that are seen without their board come together, not in its columns. */
function isOnBoardIn(scope: TaskQuery['scope'], { boardId }: Task): boolean {
  return scope === null || scope.boards.has(boardId);
}

type ScanColumn = readonly [order: SortValue, statusId: string | null];

const ALONE: ScanColumn = [null, null];

/** The columns that the filters by board and status allow. */
function* columnsOf({ filters, statusOrder }: TaskQuery, mergeTasksWithoutBoard: boolean): Steps<ScanColumn> {
  if (mergeTasksWithoutBoard) yield ALONE;
  const named = idsNamed(filters, 'statusId');
  const wanted = named === null ? null : new Set(named);
  for (const [id, orderKey] of statusOrder ?? []) yield wanted?.has(id) === false ? undefined : [orderKey, id];
}
