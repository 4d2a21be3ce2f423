import type { Yielder } from '../ports/yielder.ts';

/** Long work as a generator that yields after each small step, so that other work can run in between. */
export type Stepwise<T> = Generator<void, T, void>;

/** The number of items in memory, such as pages of a structure, that one step visits: some microseconds of work. */
export const ITEMS_PER_STEP = 32;

/** Calls `visit` with each number below `count`, in order. */
export function* forEachStepwise(count: number, visit: (n: number) => void): Stepwise<void> {
  for (let from = 0; from < count; from += ITEMS_PER_STEP) {
    const to = Math.min(count, from + ITEMS_PER_STEP);
    for (let n = from; n < to; n += 1) visit(n);
    yield;
  }
}

/** Calls `visit` with each item, in order. */
export function* forEachItemStepwise<T>(items: Iterable<T>, visit: (item: T) => void): Stepwise<void> {
  let visited = 0;
  for (const item of items) {
    visit(item);
    visited += 1;
    if (visited % ITEMS_PER_STEP === 0) yield;
  }
}

/** A list allocated at its full length. One that grows instead is copied as a whole now and then, in a single step. */
export function listOfLength<T>(length: number): T[] {
  // oxlint-disable-next-line unicorn/no-new-array -- the other ways take time by length
  return new Array<T>(length);
}

/** Maps items, in order. */
export function* mapStepwise<T, R>(items: readonly T[], map: (item: T) => R): Stepwise<R[]> {
  const results = listOfLength<R>(items.length);
  yield* forEachStepwise(items.length, (n) => void (results[n] = map(items[n]!)));
  return results;
}

/** Calls `visit` until it returns false. */
export function* whileStepwise(visit: () => boolean): Stepwise<void> {
  for (;;) {
    for (let n = 0; n < ITEMS_PER_STEP; n += 1) if (!visit()) return;
    yield;
  }
}

/** Runs all steps without a pause; everything else waits. */
export function atOnce<T>(work: Stepwise<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/**
 * Runs the steps; other work runs in between, as the yielder decides.
 *
 * @param units the work of one step
 */
export async function inSteps<T>(work: Stepwise<T>, yielder: Yielder, units = 1): Promise<T> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    const pause = yielder.step(units);
    if (pause !== null) await pause;
  }
}

/** Calls `visit` with each item, in order. For many small items: {@link ITEMS_PER_STEP} count as one unit of work. */
export function visitItems<T>(items: Iterable<T>, yielder: Yielder, visit: (item: T) => void): Promise<void> {
  return inSteps(forEachItemStepwise(items, visit), yielder);
}

/** Maps items, in order. For small ones, as {@link visitItems}. */
export function mapItems<T, R>(items: readonly T[], yielder: Yielder, map: (item: T) => R): Promise<R[]> {
  return inSteps(mapStepwise(items, map), yielder);
}

/**
 * Maps items, in order; other work runs in between, as the yielder decides.
 *
 * @param unitsOf the work of an item
 */
export async function mapInSteps<T, R>(
  items: readonly T[],
  yielder: Yielder,
  unitsOf: (item: T) => number,
  map: (item: T) => R,
): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) {
    results.push(map(item));
    const pause = yielder.step(unitsOf(item));
    if (pause !== null) await pause;
  }
  return results;
}

/**
 * The items that pass a test, in order; other work runs in between, as the yielder decides. One test is taken to be as
 * much work as a record that is read.
 */
export async function filterInSteps<T>(
  items: readonly T[],
  yielder: Yielder,
  passes: (item: T) => boolean,
): Promise<T[]> {
  const found: T[] = [];
  for (const item of items) {
    if (passes(item)) found.push(item);
    const pause = yielder.step();
    if (pause !== null) await pause;
  }
  return found;
}

/** The set itself if all of the items are in it, else a new one. O(items); O(set) in addition for a new one. */
export function* union<T>(set: ReadonlySet<T>, items: Iterable<T>): Stepwise<ReadonlySet<T>> {
  const missing: T[] = [];
  yield* forEachItemStepwise(items, (item) => {
    if (!set.has(item)) missing.push(item);
  });
  if (missing.length === 0) return set;
  const all = new Set<T>();
  yield* forEachItemStepwise(set, (item) => void all.add(item));
  yield* forEachItemStepwise(missing, (item) => void all.add(item));
  return all;
}

/**
 * Reads all items together, which takes a store behind a network one round trip. With a store that answers at once,
 * other work runs in between, as the yielder decides.
 */
export async function readInSteps<T, R>(
  items: readonly T[],
  yielder: Yielder,
  read: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let begun: Promise<R>[] = [];
  for (const item of items) {
    begun.push(read(item));
    const pause = yielder.step();
    if (pause === null) continue;
    results.push(...(await Promise.all(begun)));
    begun = [];
    await pause;
  }
  return [...results, ...(await Promise.all(begun))];
}

/** Caches values that are computed in steps from immutable keys. Concurrent calls for a key share one computation. */
export class StepwiseCache<K extends object, T> {
  readonly #known = new WeakMap<K, { readonly value: T }>();
  readonly #running = new WeakMap<K, Promise<T>>();

  /** The cached value itself, not a promise, if there is one: then there is nothing to await. */
  of(key: K, work: () => Stepwise<T>, yielder: Yielder): T | Promise<T> {
    const known = this.#known.get(key);
    if (known !== undefined) return known.value;
    return this.#running.get(key) ?? this.#run(key, work(), yielder);
  }

  #run(key: K, work: Stepwise<T>, yielder: Yielder): Promise<T> {
    const running = inSteps(work, yielder)
      .then((value) => {
        this.#known.set(key, { value });
        return value;
      })
      .finally(() => this.#running.delete(key));
    this.#running.set(key, running);
    return running;
  }
}

/** Maps a value that may still be computed: at once if it is there, else when its promise resolves. */
export function mapNowOrLater<T, R>(value: T | Promise<T>, map: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(map) : map(value);
}

/** Items that are sorted in one step: some tenths of a millisecond. */
const RUN = 512;

/**
 * A sorted copy, by a stable merge sort in steps. O(n log n). Runs of 512 items are sorted in one step each, then
 * merged.
 */
export function* sortedStepwise<T>(items: readonly T[], compare: (a: T, b: T) => number): Stepwise<T[]> {
  if (items.length <= RUN) return items.toSorted(compare);
  let runs: T[][] = [];
  for (let from = 0; from < items.length; from += RUN) {
    runs.push(items.slice(from, from + RUN).sort(compare));
    yield;
    yield;
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let i = 0; i < runs.length; i += 2) {
      const [left, right] = [runs[i]!, runs[i + 1]];
      merged.push(right === undefined ? left : yield* merge(left, right, compare));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

function* merge<T>(left: readonly T[], right: readonly T[], compare: (a: T, b: T) => number): Stepwise<T[]> {
  const all: T[] = [];
  let [l, r] = [0, 0];
  yield* forEachStepwise(left.length + right.length, () => {
    const takesLeft = r === right.length || (l < left.length && compare(left[l]!, right[r]!) <= 0);
    all.push(takesLeft ? left[l++]! : right[r++]!);
  });
  return all;
}
