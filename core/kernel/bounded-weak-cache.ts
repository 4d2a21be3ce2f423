/** Entries at most; then it begins anew, which costs time and nothing else. */
const CAPACITY = 8_000;

/** What was worked out from something that never changes, kept while that is in use. */
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
