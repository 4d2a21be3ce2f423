import { BTree } from './b-tree.ts';

/** The number of items that are sorted at once: some tenths of a millisecond. */
const RUN = 256;

/**
 * Items of a long iteration, and undefined for a step without an item: the consumer may yield between any two steps.
 */
export type Steps<T> = IterableIterator<T | undefined>;

/**
 * Sorts in steps of O(log n) each, except that one in {@link RUN} steps sorts a run. Runs are merged as items are
 * taken, so the first few of many items cost little more than sorting the runs.
 *
 * @param compare a total order
 */
export function* sortInSteps<T>(items: Iterable<T | undefined>, compare: (a: T, b: T) => number): Steps<T> {
  yield* yield* sorted(items, compare);
}

/** The same, with the steps before the first item separated: it returns the items, each of which takes O(log n). */
export function* sorted<T>(
  items: Iterable<T | undefined>,
  compare: (a: T, b: T) => number,
): Generator<undefined, IterableIterator<T>> {
  const runs = new SortedRuns(compare);
  let run: T[] = [];
  for (const item of items) {
    if (item !== undefined) run.push(item);
    if (run.length === RUN) {
      runs.add(run);
      run = [];
    }
    yield undefined;
  }
  if (run.length > 0) runs.add(run);
  return runs.items();
}

/** Not empty; the last item is the first in order. */
type ReversedRun<T> = T[];

/** Sorted runs, merged as their items are taken: a binary heap of the runs by their first items. */
class SortedRuns<T> {
  readonly #compare: (a: T, b: T) => number;
  readonly #heap: ReversedRun<T>[] = [];

  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare;
  }

  /** @param run not empty, and not the caller's any more */
  add(run: T[]): void {
    run.sort((a, b) => this.#compare(b, a));
    const heap = this.#heap;
    let at = heap.push(run) - 1;
    for (let above = (at - 1) >> 1; at > 0 && this.#isBefore(at, above); above = (at - 1) >> 1) {
      this.#swap(at, above);
      at = above;
    }
  }

  /** All items in order, each removed as it is taken. */
  *items(): IterableIterator<T> {
    for (let item = this.#take(); item !== undefined; item = this.#take()) yield item;
  }

  /** The first of all items, which is removed; undefined if there is none. O(log runs). */
  #take(): T | undefined {
    const heap = this.#heap;
    const item = heap[0]?.pop();
    if (heap[0]?.length === 0) {
      const last = heap.pop()!;
      if (heap.length > 0) heap[0] = last;
    }
    this.#sink();
    return item;
  }

  #sink(): void {
    const { length } = this.#heap;
    for (let at = 0, below = 1; below < length; below = 2 * at + 1) {
      if (below + 1 < length && this.#isBefore(below + 1, below)) below += 1;
      if (!this.#isBefore(below, at)) return;
      this.#swap(at, below);
      at = below;
    }
  }

  #isBefore(a: number, b: number): boolean {
    return this.#compare(this.#heap[a]!.at(-1)!, this.#heap[b]!.at(-1)!) < 0;
  }

  #swap(a: number, b: number): void {
    const heap = this.#heap;
    [heap[a], heap[b]] = [heap[b]!, heap[a]!];
  }
}

/** Keeps the first `limit` items in order. `put` is O(log limit). */
export class FirstInOrder<T> {
  readonly #tree: InstanceType<typeof BTree<T, undefined>>;
  readonly #compare: (a: T, b: T) => number;
  readonly #limit: number;

  constructor(limit: number, compare: (a: T, b: T) => number) {
    this.#limit = limit;
    this.#compare = compare;
    this.#tree = new BTree<T, undefined>(undefined, compare);
  }

  put(item: T): void {
    if (this.#tree.size >= this.#limit) {
      const last = this.#tree.maxKey() as T;
      if (this.#compare(item, last) >= 0) return;
      this.#tree.delete(last);
    }
    this.#tree.set(item, undefined);
  }

  items(): T[] {
    return this.#tree.keysArray();
  }
}
