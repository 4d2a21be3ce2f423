/** Up to this many ids are copied. */
const MAX_COPIED = 64;

/** The pages that a transaction has removed. Sets of many ids are not copied: everybody would wait for that. */
export class RemovedPages {
  readonly #few = new Set<string>();
  readonly #sets: ReadonlySet<string>[] = [];

  add(ids: ReadonlySet<string>): void {
    if (ids.size > MAX_COPIED) this.#sets.push(ids);
    else for (const id of ids) this.#few.add(id);
  }

  has(id: string): boolean {
    return this.#few.has(id) || this.#sets.some((ids) => ids.has(id));
  }
}
