import type { SortKey, TaskQuery } from '../../core/task/query.ts';
import type { Task } from '../../core/task/task.ts';
import { idKey, integerKey, isTimestamp, timeKey } from './key.ts';
import { fromEdge, type KvRange, scan, within } from './kv.ts';
import { byPosition } from './task-position.ts';
import { taskKey } from './task-index.ts';
import type { TaskReader } from './task-reader.ts';
import { asAsked } from './task-seen.ts';
import { idsOf, type TaskSource } from './task-source.ts';

/**
 * The tasks of a source in the order of the query, from about `after` on, read as they are asked for.
 * Null when no index gives that order. May yield tasks that the query does not find.
 */
export function inOrder(reader: TaskReader, query: TaskQuery, source: TaskSource): Iterable<Task> | null {
  const first = query.sort[0] as SortKey;
  if (first.field === 'num') return source.byNum && source.by !== 'externalId' ? byNum(reader, query, source) : null;
  if (first.field === 'statusOrder') {
    const columns = query.sort[1]?.field === 'statusId' && query.sort[2]?.field === 'statusOrderKey';
    const fits = source.by === 'statusId' || source.by === 'boardId' || source.by === 'workspace';
    return columns && fits ? byPosition(reader, query, source) : null;
  }
  if (first.field === 'updatedAt') {
    if (source.by === 'updatedAt') return byUpdate(reader, query, source.ranges[0] as KvRange);
    return source.by === 'workspace' ? byUpdate(reader, query, within(taskKey.byUpdate(reader.space))) : null;
  }
  if (first.field !== 'id') return null;
  return source.by === 'workspace' ? byId(reader, query) : byIdOf(reader, query, source);
}

/** Merges the ranges, which all end with `num`. A task in several of them comes once. */
function* byNum(reader: TaskReader, query: TaskQuery, source: TaskSource): IterableIterator<Task> {
  const { descending } = query.sort[0] as SortKey;
  const start = query.after?.[0];
  const runs = source.ranges.map((range) => {
    const { from: prefix } = range;
    const edge = Number.isSafeInteger(start) ? prefix + integerKey(start as number) : null;
    return run(reader, edge === null ? range : fromEdge(range, edge, descending), prefix.length, descending);
  });
  if (source.alone.length > 0) runs.push(sorted(reader, source.alone, descending));
  const [only] = runs;
  if (only !== undefined && runs.length === 1) {
    for (const { id } of only) {
      const task = reader.task(id);
      if (task !== undefined) yield task;
    }
    return;
  }
  const heads = runs.map((each) => each.next());
  let last = '';
  for (;;) {
    let least = -1;
    for (const [i, head] of heads.entries()) {
      if (head.done === true) continue;
      const best = heads[least]?.value as Numbered | undefined;
      if (best === undefined || head.value.num < best.num !== descending) least = i;
    }
    if (least < 0) return;
    const { num, id } = (heads[least] as IteratorYieldResult<Numbered>).value;
    heads[least] = (runs[least] as Iterator<Numbered>).next();
    if (num === last) continue;
    last = num;
    const task = reader.task(id);
    if (task !== undefined) yield task;
  }
}

interface Numbered {
  readonly num: string;
  readonly id: string;
}

function* run(reader: TaskReader, range: KvRange, at: number, descending: boolean): IterableIterator<Numbered> {
  for (const [key, id] of scan(reader.kv, range, descending)) yield { num: key.slice(at), id: id as string };
}

function* sorted(reader: TaskReader, ids: readonly string[], descending: boolean): IterableIterator<Numbered> {
  const found = ids.flatMap((id) => {
    const task = reader.task(id);
    return task === undefined ? [] : { num: integerKey(task.num), id };
  });
  yield* found.sort((a, b) => (a.num < b.num !== descending ? -1 : 1));
}

/** Tasks of the same instant are put in order among themselves. */
function* byUpdate(reader: TaskReader, query: TaskQuery, range: KvRange): IterableIterator<Task> {
  const { descending } = query.sort[0] as SortKey;
  const prefix = taskKey.byUpdate(reader.space);
  const start = query.after?.[0];
  const from = typeof start === 'string' && isTimestamp(start) ? within(prefix + timeKey(start)) : null;
  const rest =
    from === null
      ? range
      : descending
        ? { from: range.from, to: from.to < range.to ? from.to : range.to }
        : { from: from.from > range.from ? from.from : range.from, to: range.to };
  let instant: Task[] = [];
  for (const [, id] of scan(reader.kv, rest, descending)) {
    const task = reader.task(id as string);
    if (task === undefined) continue;
    if (instant[0]?.updatedAt !== task.updatedAt) {
      yield* asAsked(instant, query);
      instant = [];
    }
    instant.push(task);
  }
  yield* asAsked(instant, query);
}

function* byId(reader: TaskReader, query: TaskQuery): IterableIterator<Task> {
  const { descending } = query.sort[0] as SortKey;
  const prefix = taskKey.record(reader.space, '');
  const start = query.after?.[0];
  const range = within(prefix);
  const rest = typeof start === 'string' ? fromEdge(range, prefix + idKey(start), descending) : range;
  for (const [, task] of scan(reader.kv, rest, descending)) yield task as Task;
}

/** Packed ids sort like ids: no task is read before it is asked for. */
function* byIdOf(reader: TaskReader, query: TaskQuery, source: TaskSource): IterableIterator<Task> {
  const { descending } = query.sort[0] as SortKey;
  const start = query.after?.[0];
  const edge = typeof start === 'string' ? idKey(start) : null;
  const ids = Array.from(new Set(idsOf(reader, source))).sort();
  for (const id of descending ? ids.toReversed() : ids) {
    if (edge !== null && (descending ? id > edge : id < edge)) continue;
    const task = reader.task(id);
    if (task !== undefined) yield task;
  }
}
