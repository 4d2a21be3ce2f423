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
import { type AccessPath, coversScope, isOnSeenBoard } from './access-path.ts';

/**
 * Scans column by column, each in order. Tasks visible only through their own page have no column and form one
 * together.
 */
export function* byPosition(reader: TaskReader, query: TaskQuery, source: AccessPath): Steps<Task> {
  const { sort, after } = query;
  const inColumn = sort.slice(0, 2);
  const { descending } = sort[2] as SortKey;
  const columns = columnsOf(reader, query, coversScope(source));
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
      for (const entry of entries) yield reader.task(entry[1] as string);
    }
  }
}

type ScanColumn = readonly [order: SortValue, statusId: string | null];

const ALONE: ScanColumn = [null, null];

/**
 * The columns that the filters allow: the filtered statuses, or all of the filtered boards, or of all boards in scope.
 */
function* columnsOf(
  reader: TaskReader,
  { scope, filters, statusOrder }: TaskQuery,
  mergeTasksWithoutBoard: boolean,
): Steps<ScanColumn> {
  const column = (id: string): ScanColumn => [statusOrder?.get(id) ?? null, id];
  if (mergeTasksWithoutBoard) yield ALONE;
  const statuses = idsNamed(filters, 'statusId');
  if (statuses !== null) {
    for (const id of statuses) {
      const range = prefixRange(taskKey.column(reader.workspaceKey, id));
      if (isOnSeenBoard(reader, scope, range)) yield column(id);
    }
    return;
  }
  const boards = idsNamed(filters, 'boardId') ?? (scope === null ? reader.boardIds() : scope.boards);
  for (const boardId of boards) {
    yield undefined;
    if (scope !== null && !scope.boards.has(boardId)) continue;
    for (const { id } of reader.board(boardId)?.statuses ?? []) yield column(id);
  }
}
