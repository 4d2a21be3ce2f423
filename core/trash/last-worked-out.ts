import type { Store } from '../ports/store.ts';
import type { WorkedOut } from '../ports/worked-out.ts';

type Key = readonly (string | number | null | undefined)[];

/** What was worked out last on a snapshot: by one call, for the write that follows, or on a store, for calls that are repeated. */
export class LastWorkedOut<T> {
  readonly #last = new WeakMap<WorkedOut | Store, { readonly key: Key; readonly value: T }>();

  /** Null: it was worked out for something else, or not at all. */
  get(by: WorkedOut | Store | undefined, key: Key): T | null {
    const last = by && this.#last.get(by);
    return last !== undefined && key.every((part, i) => last.key[i] === part) ? last.value : null;
  }

  /** @param key always of as many parts: among them the revision that it was worked out from */
  set(by: WorkedOut | Store, key: Key, value: T): void {
    this.#last.set(by, { key, value });
  }
}
