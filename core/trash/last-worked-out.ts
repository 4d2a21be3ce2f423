import type { Store } from '../ports/store.ts';

type Key = readonly (string | number | null | undefined)[];

/** Keeps, for each store, what was worked out last on a snapshot, for the write that follows. */
export class LastWorkedOut<T> {
  readonly #last = new WeakMap<Store, { readonly key: Key; readonly value: T }>();

  /** Null: it was worked out for something else, or not at all. */
  get(store: Store, key: Key): T | null {
    const last = this.#last.get(store);
    return last !== undefined && key.every((part, i) => last.key[i] === part) ? last.value : null;
  }

  /** @param key always of as many parts: among them the revision that it was worked out from */
  set(store: Store, key: Key, value: T): void {
    this.#last.set(store, { key, value });
  }
}
