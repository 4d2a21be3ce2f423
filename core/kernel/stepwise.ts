import type { Yielder } from '../ports/yielder.ts';

/** Work that yields after each small step, so that others can run in between. */
export type Stepwise<T> = Generator<void, T, void>;

/** Looks at small things in memory, such as pages of a structure, in one step: some microseconds. */
const LOOKS = 256;

/** Looks at each number below `count`, in order. */
export function* lookAtAll(count: number, look: (n: number) => void): Stepwise<void> {
  for (let from = 0; from < count; from += LOOKS) {
    const to = Math.min(count, from + LOOKS);
    for (let n = from; n < to; n += 1) look(n);
    yield;
  }
}

/** The results for all items, in order. */
export function* mapStepwise<T, R>(items: readonly T[], map: (item: T) => R): Stepwise<R[]> {
  const results: R[] = [];
  yield* lookAtAll(items.length, (n) => void results.push(map(items[n]!)));
  return results;
}

/** Looks on until there is nothing more to look at. */
export function* lookWhile(look: () => boolean): Stepwise<void> {
  for (;;) {
    for (let n = 0; n < LOOKS; n += 1) if (!look()) return;
    yield;
  }
}

/** Does the work while everybody else waits. */
export function atOnce<T>(work: Stepwise<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** Does the work, letting others run in between. */
export async function inSteps<T>(work: Stepwise<T>, yielder: Yielder): Promise<T> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    const pause = yielder.step();
    if (pause !== null) await pause;
  }
}

/** What was worked out in steps from something that never changes: once for each key, and for all that ask meanwhile. */
export class StepwiseCache<K extends object, T> {
  readonly #known = new WeakMap<K, { readonly value: T }>();
  readonly #running = new WeakMap<K, Promise<T>>();

  /** Not a promise where it is known, so that what is worked out once costs nothing from then on. */
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

/** Items that are sorted at once: some tenths of a millisecond. */
const RUN = 512;

/** A sorted copy. Equal items keep their order. O(n log n), in steps of O(1), and of 512 items to begin with. */
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
  yield* lookAtAll(left.length + right.length, () => {
    const takesLeft = r === right.length || (l < left.length && compare(left[l]!, right[r]!) <= 0);
    all.push(takesLeft ? left[l++]! : right[r++]!);
  });
  return all;
}
