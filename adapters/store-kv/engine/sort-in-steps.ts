import { BTree } from './b-tree.ts';

/** The number of items that are sorted at once. */
const SORTED_AT_ONCE = 64;

/** Items of a long iteration, and undefined for each step without one: the consumer may yield between any two. */
export type Steps<T> = IterableIterator<T | undefined>;

/**
 * Sorts in steps of one item, each O(log n).
 *
 * @param compare a total order; of equal items only one is kept
 */
export function* sortInSteps<T>(items: Iterable<T | undefined>, compare: (a: T, b: T) => number): Steps<T> {
  const few: T[] = [];
  let many: InstanceType<typeof BTree<T, undefined>> | null = null;
  for (const item of items) {
    if (item !== undefined) {
      if (many === null && few.length < SORTED_AT_ONCE) few.push(item);
      else {
        many ??= new BTree<T, undefined>(
          few.map((one): [T, undefined] => [one, undefined]),
          compare,
        );
        many.set(item, undefined);
      }
    }
    yield undefined;
  }
  if (many === null) yield* few.toSorted(compare);
  else yield* many.keys();
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
