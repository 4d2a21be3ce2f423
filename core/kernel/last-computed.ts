/** Its parts are compared by `===`. */
type Key = readonly unknown[];

/**
 * Caches the last results computed on a snapshot, by owner, for as long as the owner is in use. The owner is one call, for
 * the write that follows; or a structure, for repeated calls.
 */
export class LastComputed<Owner extends object, T> {
  readonly #most: number;
  readonly #last = new WeakMap<Owner, { readonly key: Key; readonly value: T }[]>();

  /** @param most results that are kept of one owner */
  constructor(most = 1) {
    this.#most = most;
  }

  /** The value for the key, of the first owner that has one. Null: none has. */
  get(key: Key, ...owners: readonly (Owner | undefined)[]): T | null {
    for (const owner of owners) {
      const last = owner && this.#last.get(owner)?.find((each) => key.every((part, i) => each.key[i] === part));
      if (last !== undefined) return last.value;
    }
    return null;
  }

  /**
   * @param key always has the same number of parts; one is the structure, or its revision, unless the structure is the
   * owner
   */
  set(key: Key, value: T, ...owners: readonly (Owner | undefined)[]): void {
    for (const owner of owners) {
      if (owner === undefined) continue;
      const last = this.#last.get(owner) ?? [];
      if (last.length >= this.#most) last.shift();
      last.push({ key, value });
      this.#last.set(owner, last);
    }
  }
}
