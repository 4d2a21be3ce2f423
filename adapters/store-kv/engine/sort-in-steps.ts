import { BTree } from './b-tree.ts';
import { Heap } from './heap.ts';

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

/** Sorted runs, merged as their items are taken. */
class SortedRuns<T> {
  readonly #compare: (a: T, b: T) => number;
  readonly #heap: Heap<ReversedRun<T>>;

  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare;
    this.#heap = new Heap((a, b) => compare(a.at(-1)!, b.at(-1)!) < 0);
  }

  /** @param run not empty, and not the caller's any more */
  add(run: T[]): void {
    run.sort((a, b) => this.#compare(b, a));
    this.#heap.add(run);
  }

  /** All items in order, each removed as it is taken. */
  *items(): IterableIterator<T> {
    for (let item = this.#take(); item !== undefined; item = this.#take()) yield item;
  }

  /** The first of all items, which is removed; undefined if there is none. O(log runs). */
  #take(): T | undefined {
    const run = this.#heap.first;
    const item = run?.pop();
    if (run?.length === 0) this.#heap.removeFirst();
    else this.#heap.firstChanged();
    return item;
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
