import { BoundedWeakCache } from './bounded-weak-cache.ts';
import { type Stepwise, StepwiseCache } from './stepwise.ts';
import type { Yielder } from '../ports/yielder.ts';

/**
 * Caches values that are computed in steps: any number for each immutable object, by name, for as long as the object is
 * in use. A full cache is cleared: most values are of objects that are still referenced, but never asked about again.
 */
export class NamedStepwiseCache<K extends object, T> {
  /** What {@link #values} has as keys. */
  readonly #keys: BoundedWeakCache<K, Map<string, object>>;
  readonly #values = new StepwiseCache<object, T>();

  /** @param capacity the largest sum of the sizes of values */
  constructor(capacity: number) {
    this.#keys = new BoundedWeakCache(capacity);
  }

  /**
   * The cached value itself, not a promise, if there is one.
   *
   * @param size about what the value will take of the capacity
   */
  of(owner: K, name: string, size: number, work: () => Stepwise<T>, yielder: Yielder): T | Promise<T> {
    const key = this.#keys.get(owner)?.get(name) ?? this.#newKey(owner, name, size);
    return this.#values.of(key, work, yielder);
  }

  #newKey(owner: K, name: string, size: number): object {
    this.#keys.makeRoom(size);
    const ofOwner = this.#keys.get(owner) ?? new Map<string, object>();
    const key = {};
    this.#keys.set(owner, ofOwner.set(name, key), size);
    return key;
  }
}
