import { KEY_LIMIT } from '../../../core/kernel/order-key.ts';
import type { Task } from '../../../core/model/content/task.ts';
import type { ColumnRange } from '../../../core/ports/tasks.ts';
import type { DerivedValues } from '../query/documents.ts';

/** The place of a task in its status. */
export interface TakenPlace {
  readonly id: string;
  readonly key: number;
}

/** All occupied places from one integer key to another, ascending. The bound is infinite at an end of the column. */
interface Interval {
  readonly from: number;
  readonly to: number;
  readonly places: readonly TakenPlace[];
}

/**
 * The intervals of columns that a transaction knows, by status. They do not overlap, and are never changed in place.
 */
export type ColumnPlaces = ReadonlyMap<string, readonly Interval[]>;

/** The number of places that one query reads, so that tasks can be placed near each other without a further query. */
export const READ_AHEAD = 64;
/** The most places that are cached of one column. An interval counts as one more. */
const MAX_PLACES = 4_000;
/** The most places of one interval, which is copied with each change. */
const MAX_OF_INTERVAL = 256;
const CACHE_KEY = 'places';
const NONE: ColumnPlaces = new Map();

/** A key outside of the valid range, used between two writes of one transaction. */
const TEMPORARY_KEY = KEY_LIMIT + 1;

export function columnPlaces(cache: DerivedValues): ColumnPlaces {
  return (cache.get(CACHE_KEY) as ColumnPlaces | undefined) ?? NONE;
}

/** Adds cached places to a transaction, except where it knows newer ones. */
export function withPlaces(cache: DerivedValues, columns: ColumnPlaces): void {
  cache.set(CACHE_KEY, new Map([...columns, ...columnPlaces(cache)]));
}

/** The places of a range in its order; undefined if they must be queried. */
export function knownPlaces(
  cache: DerivedValues,
  statusId: string,
  range: ColumnRange,
): readonly TakenPlace[] | undefined {
  const { descending = false, limit } = range;
  const intervals = columnPlaces(cache).get(statusId) ?? [];
  const found: TakenPlace[] = [];
  for (let start = startOf(range); found.length < limit;) {
    const interval = intervals.find((one) => holds(one, start));
    if (interval === undefined) return undefined;
    const { from, to, places } = interval;
    const at = lowerBound(places, descending ? start + 1 : start);
    const left = limit - found.length;
    found.push(...(descending ? places.slice(Math.max(0, at - left), at).toReversed() : places.slice(at, at + left)));
    const end = descending ? from : to;
    if (Math.abs(end) === Infinity) break;
    start = descending ? end - 1 : end + 1;
  }
  return found;
}

/** @param places all that a query has found for the range, in its order */
export function addPlaces(
  cache: DerivedValues,
  statusId: string,
  range: ColumnRange,
  places: readonly TakenPlace[],
): void {
  const columns = columnPlaces(cache);
  const last = places.length < range.limit ? undefined : places.at(-1)?.key;
  const added =
    range.descending === true
      ? { from: last ?? -Infinity, to: startOf(range), places: places.toReversed() }
      : { from: startOf(range), to: last ?? Infinity, places };
  cache.set(CACHE_KEY, new Map(columns).set(statusId, merged(columns.get(statusId) ?? [], added)));
}

/** @param before the task as it stood; null: it is new @param after null: it is removed */
export function placesAfterWrite(cache: DerivedValues, before: Task | null, after: Task | null): void {
  if (before?.statusId === after?.statusId && before?.statusOrderKey === after?.statusOrderKey) return;
  const columns = columnPlaces(cache);
  const left = before === null ? columns : edited(columns, before, []);
  const entered = after === null ? left : edited(left, after, [{ id: after.id, key: after.statusOrderKey }]);
  if (entered !== columns) cache.set(CACHE_KEY, entered);
}

/** The columns with a task removed from its place, or added to it: only known intervals change. */
function edited(columns: ColumnPlaces, task: Task, instead: readonly TakenPlace[]): ColumnPlaces {
  const { id, statusId, statusOrderKey } = task;
  const intervals = columns.get(statusId) ?? [];
  const interval = intervals.find((one) => holds(one, statusOrderKey));
  if (interval === undefined) return columns;
  const at = lowerBound(interval.places, statusOrderKey);
  const places = interval.places.toSpliced(at, Number(interval.places[at]?.id === id), ...instead);
  const changed = split({ ...interval, places });
  const others = intervals.filter((one) => one !== interval);
  return new Map(columns).set(statusId, bounded([...others, ...changed], changed));
}

/** The intervals with one added, which replaces all that overlap it. */
function merged(intervals: readonly Interval[], added: Interval): readonly Interval[] {
  const overlaps = (one: Interval): boolean => one.from <= added.to && added.from <= one.to;
  const whole = intervals.filter(overlaps).reduce(
    (all, { from, to, places }) => ({
      from: Math.min(all.from, from),
      to: Math.max(all.to, to),
      places: [
        ...places.filter(({ key }) => key < all.from),
        ...all.places,
        ...places.filter(({ key }) => key > all.to),
      ],
    }),
    added,
  );
  return bounded([...intervals.filter((one) => !overlaps(one)), ...split(whole)], split(added));
}

/** All that is known of a column or, if that is too much, what was needed last. */
function bounded(all: readonly Interval[], last: readonly Interval[]): readonly Interval[] {
  return all.reduce((sum, { places }) => sum + 1 + places.length, 0) > MAX_PLACES ? last : all;
}

/** A long interval split into adjacent parts, which can grow. */
function split(interval: Interval): readonly Interval[] {
  const { to, places } = interval;
  if (places.length <= MAX_OF_INTERVAL) return [interval];
  const parts: Interval[] = [];
  for (let at = 0, { from } = interval; at < places.length;) {
    const next = at + MAX_OF_INTERVAL / 2;
    const end = places[next];
    parts.push({ from, to: end === undefined ? to : end.key - 1, places: places.slice(at, next) });
    at = next;
    from = end?.key ?? to;
  }
  return parts;
}

function startOf({ from, descending }: ColumnRange): number {
  return from ?? (descending === true ? Infinity : -Infinity);
}

function holds({ from, to }: Interval, key: number): boolean {
  return from <= key && key <= to;
}

/** The index of the first place whose key is not less. */
function lowerBound(places: readonly TakenPlace[], key: number): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (places[middle]!.key < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Tasks in an order in which the place of each is free when it is written. If tasks exchange places in a cycle, one of
 * them is first written with a temporary place. O(tasks).
 *
 * @param before the same tasks as they stand now
 */
export function inFreeingOrder(tasks: readonly Task[], before: readonly (Task | null)[]): Task[] {
  const holders = new Map<string, number>();
  for (const [n, task] of before.entries()) if (task !== null) holders.set(placeOf(task), n);
  const ordered: Task[] = [];
  const done = new Set<number>();
  for (const first of tasks.keys()) {
    const path = new Set<number>();
    let n: number | undefined = first;
    for (; n !== undefined && !done.has(n) && !path.has(n); n = holders.get(placeOf(tasks[n]!))) path.add(n);
    const last = [...path].at(-1);
    if (n !== undefined && n !== last && path.has(n)) ordered.push({ ...before[n]!, statusOrderKey: TEMPORARY_KEY });
    for (const next of [...path].toReversed()) {
      ordered.push(tasks[next]!);
      done.add(next);
    }
  }
  return ordered;
}

function placeOf({ statusId, statusOrderKey }: Task): string {
  return `${statusId} ${statusOrderKey}`;
}
