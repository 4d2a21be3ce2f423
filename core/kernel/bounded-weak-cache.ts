/** The most entries. A full cache is cleared. */
const CAPACITY = 8_000;

/** Caches values derived from immutable objects, by object identity, for as long as the object is in use. */
export class BoundedWeakCache<K extends object, V> {
  #values = new WeakMap<K, V>();
  #size = 0;

  get(key: K): V | undefined {
    return this.#values.get(key);
  }

  set(key: K, value: V): void {
    if (this.#size >= CAPACITY) {
      this.#values = new WeakMap();
      this.#size = 0;
    }
    this.#size += 1;
    this.#values.set(key, value);
  }
}
