import {
  asSeen,
  compareSortValues,
  isByColumn,
  type SortKey,
  sortValues,
  type TaskQuery,
} from '../../../core/model/content/task-query.ts';
import type { Task } from '../../../core/model/content/task.ts';
import { ENTRY_COST } from '../engine/costs.ts';
import { Heap } from '../engine/heap.ts';
import { sorted, type Steps } from '../engine/sort-in-steps.ts';
import type { Yielder } from '../../../core/ports/yielder.ts';
import { integerKey, isTimestamp, timeKey } from '../engine/key.ts';
import { chunks, resumeFrom, type KvEntry, type KvRange, scan, prefixRange } from '../engine/kv.ts';
import { byPosition } from './position-scan.ts';
import { numOf, taskKey } from './index-keys.ts';
import type { TaskReader } from './reader.ts';
import { inQueryOrder, sortedWithoutBoard } from './visibility.ts';
import { type AccessPath, coversScope } from './access-path.ts';

/**
 * The tasks of an access path in the order of the query, from about `after` on, read lazily. Null if no index has that
 * order. May yield tasks that do not match the query.
 */
export function orderedScan(reader: TaskReader, query: TaskQuery, source: AccessPath): Steps<Task> | null {
  const first = query.sort[0] as SortKey;
  if (first.field === 'num') return source.byNum && source.by !== 'externalId' ? byNum(reader, query, source) : null;
  if (first.field === 'statusOrder') {
    const fits = source.by === 'statusId' || source.by === 'boardId' || coversScope(source);
    return isByColumn(query) && fits ? byPosition(reader, query, source) : null;
  }
  if (first.field === 'updatedAt') {
    const all = prefixRange(taskKey.byUpdate(reader.workspaceKey));
    if (source.by !== 'updatedAt' && !coversScope(source)) return null;
    return mergeTasksWithoutBoard(
      reader,
      query,
      byUpdate(reader, query, source.by === 'updatedAt' ? source.ranges[0]! : all),
    );
  }
  return null;
}

/** Merges the ranges, whose keys all end with `num`. A task in several of them is yielded once. */
function* byNum(reader: TaskReader, query: TaskQuery, source: AccessPath): Steps<Task> {
  const { descending } = query.sort[0] as SortKey;
  const start = query.after?.[0];
  const ranges = source.ranges.map((range) =>
    Number.isSafeInteger(start) ? resumeFrom(range, range.from + integerKey(start as number), descending) : range,
  );
  if (ranges.length === 1 && source.withoutBoard.length === 0) {
    // A single range, such as that of one board, needs no merge.
    for (const entries of chunks(reader.kv, ranges[0]!, descending, query.limit)) {
      for (const entry of entries) yield reader.at(entry);
    }
    return;
  }
  // Of each of very many boards little more than the first task is read.
  const expected = Math.min(MOST_EXPECTED, Math.ceil(query.limit / ranges.length));
  const runs = ranges.map((range) => run(reader, range, descending, expected));
  if (source.withoutBoard.length > 0) {
    runs.push(yield* sorted(numberedWithoutBoard(reader, source.withoutBoard), byNumber(descending)));
  }
  yield* merged(reader, runs, descending);
}

/**
 * The number of runs whose first tasks are looked up in one step. Fewer runs, such as the boards of a filter, take no
 * step of their own.
 */
const HEADS_PER_STEP = 8;
/** The most entries of a run that are read at first. */
const MOST_EXPECTED = 16;

/** Merges sorted runs, in O(log runs) for each task. A task in several of them is yielded once. */
function* merged(reader: TaskReader, runs: readonly Iterator<NumberedEntry>[], descending: boolean): Steps<Task> {
  const heads = new Heap<RunHead>((a, b) => a.first.num !== b.first.num && a.first.num < b.first.num !== descending);
  for (const [n, rest] of runs.entries()) {
    if (n % HEADS_PER_STEP === HEADS_PER_STEP - 1) yield undefined;
    const first = rest.next();
    if (first.done !== true) heads.add({ first: first.value, rest });
  }
  let last = '';
  for (let head = heads.first; head !== undefined; head = heads.first) {
    const { num, entry } = head.first;
    const next = head.rest.next();
    if (next.done === true) heads.removeFirst();
    else {
      head.first = next.value;
      heads.firstChanged();
    }
    yield num === last ? undefined : reader.at(entry);
    last = num;
  }
}

/** The rest of a run that is merged with others, and the entry before it. */
interface RunHead {
  first: NumberedEntry;
  readonly rest: Iterator<NumberedEntry>;
}

/**
 * The tasks of an access path that is not in the order of `num`, in that order: all its index entries are read and
 * sorted, while the tasks are read lazily. Null if there are more entries than `most`.
 */
export async function sortedByNum(
  reader: TaskReader,
  query: TaskQuery,
  source: AccessPath,
  most: number,
  yielder: Yielder,
): Promise<Steps<Task> | null> {
  const { descending } = query.sort[0] as SortKey;
  const start = query.after?.[0];
  const edge = Number.isSafeInteger(start) ? integerKey(start as number) : null;
  const runs: NumberedEntry[][] = [[]];
  let count = 0;
  for (const range of source.ranges) {
    // Found out without reading the entries, which takes much longer.
    if (reader.kv.hasMore(range, most - count)) return null;
    for (const entry of scan(reader.kv, range)) {
      count += 1;
      const num = numOf(entry);
      if (edge === null || num > edge !== descending) runs.at(-1)!.push({ num, entry });
      if (runs.at(-1)!.length >= RUN) runs.push([]);
      const pause = yielder.step(ENTRY_COST);
      if (pause !== null) await pause;
    }
  }
  const compare = byNumber(descending);
  for (const each of runs) {
    each.sort(compare);
    const pause = yielder.step(RUN * ENTRY_COST);
    if (pause !== null) await pause;
  }
  return merged(
    reader,
    runs.map((each) => each.values()),
    descending,
  );
}

/** The number of entries that are sorted in one step. */
const RUN = 1_024;

interface NumberedEntry {
  readonly num: string;
  readonly entry: KvEntry;
}

function* run(
  reader: TaskReader,
  range: KvRange,
  descending: boolean,
  expected: number,
): IterableIterator<NumberedEntry> {
  for (const entry of scan(reader.kv, range, descending, expected)) yield { num: numOf(entry), entry };
}

function* numberedWithoutBoard(reader: TaskReader, ids: readonly string[]): Steps<NumberedEntry> {
  for (const id of ids) {
    const task = reader.byId(id);
    const num = task && integerKey(task.num);
    yield num === undefined ? undefined : { num, entry: [taskKey.record(reader.workspaceKey, num), task!] };
  }
}

function byNumber(descending: boolean): (a: NumberedEntry, b: NumberedEntry) => number {
  return (a, b) => (a.num === b.num ? 0 : a.num < b.num !== descending ? -1 : 1);
}

/**
 * Merges the tasks visible only through their own page with those of visible boards, in the order of the query: their
 * `updatedAt` as shown differs from the indexed one.
 */
function* mergeTasksWithoutBoard(reader: TaskReader, query: TaskQuery, tasks: Steps<Task>): Steps<Task> {
  const { scope } = query;
  if (scope === null || scope.withoutBoard.size === 0) {
    yield* tasks;
    return;
  }
  const withoutBoard = yield* sortedWithoutBoard(reader, query);
  let first = withoutBoard.next();
  for (const task of tasks) {
    if (task === undefined || !scope.boards.has(task.boardId)) {
      yield undefined;
      continue;
    }
    const values = sortValues(asSeen(task, scope), query);
    for (; first.done !== true; first = withoutBoard.next()) {
      if (compareSortValues(first.value.values, values, query.sort) > 0) break;
      yield first.value.task;
    }
    yield task;
  }
  for (; first.done !== true; first = withoutBoard.next()) yield first.value.task;
}

/** Scans the index by `updatedAt`. Tasks with equal times are sorted by the further sort keys. */
function* byUpdate(reader: TaskReader, query: TaskQuery, range: KvRange): Steps<Task> {
  const { descending } = query.sort[0] as SortKey;
  const prefix = taskKey.byUpdate(reader.workspaceKey);
  const start = query.after?.[0];
  const from = typeof start === 'string' && isTimestamp(start) ? prefixRange(prefix + timeKey(start)) : null;
  const rest =
    from === null
      ? range
      : descending
        ? { from: range.from, to: from.to < range.to ? from.to : range.to }
        : { from: from.from > range.from ? from.from : range.from, to: range.to };
  let instant: Task[] = [];
  for (const entry of scan(reader.kv, rest, descending)) {
    const task = reader.at(entry);
    yield undefined;
    if (task === undefined) continue;
    if (instant[0]?.updatedAt !== task.updatedAt) {
      yield* inQueryOrder(instant, query);
      instant = [];
    }
    instant.push(task);
  }
  yield* inQueryOrder(instant, query);
}
