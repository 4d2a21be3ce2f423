/** The most entries. */
const CAPACITY = 8_000;

/**
 * Caches values derived from immutable objects, by object identity, for as long as the object is in use. A full cache is
 * cleared.
 */
export class BoundedWeakCache<K extends object, V> {
  readonly #capacity: number;
  #values = new WeakMap<K, V>();
  #size = 0;

  /** @param capacity the most entries, or the largest sum of their sizes */
  constructor(capacity = CAPACITY) {
    this.#capacity = capacity;
  }

  get(key: K): V | undefined {
    return this.#values.get(key);
  }

  /** @param size what it takes of the capacity */
  set(key: K, value: V, size = 1): void {
    this.makeRoom(size);
    this.#size += size;
    this.#values.set(key, value);
  }

  /** Clears the cache if a value of this size has no room in it. */
  makeRoom(size: number): void {
    if (this.#size + size <= this.#capacity) return;
    this.#values = new WeakMap();
    this.#size = 0;
  }
}
