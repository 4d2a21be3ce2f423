const NONE: ReadonlySet<string> = new Set();

/**
 * An immutable map for structures that change a little at a time: a large base shared between
 * versions, and a small overlay copied on each change. The overlay is folded into a new base when it
 * outgrows the square root of the base, so a change costs O(sqrt n) amortised and a look-up at most two.
 */
export class LayeredMap<V extends object> {
  readonly #base: ReadonlyMap<string, V>;
  /** Null marks a removed key. */
  readonly #overlay: ReadonlyMap<string, V | null>;

  constructor(base: ReadonlyMap<string, V>, overlay: ReadonlyMap<string, V | null> = new Map()) {
    this.#base = base;
    this.#overlay = overlay;
  }

  get(key: string): V | undefined {
    if (this.#overlay.size > 0) {
      const changed = this.#overlay.get(key);
      if (changed !== undefined) return changed ?? undefined;
    }
    return this.#base.get(key);
  }

  /** A map with the given entries put and the given keys removed; keys that are absent are ignored. */
  with(put: readonly (readonly [string, V])[], removed: ReadonlySet<string> = NONE): LayeredMap<V> {
    const isLarge = this.#outgrows(put.length + removed.size);
    // Copied by `forEach`, here and below: `new Map(map)` takes three times as long.
    const overlay = new Map<string, V | null>();
    this.#overlay.forEach((value, key) => overlay.set(key, removed.has(key) ? null : value));
    if (!isLarge) for (const key of removed) if (this.get(key) !== undefined) overlay.set(key, null);
    for (const [key, value] of put) overlay.set(key, value);
    if (isLarge) return this.#folded(overlay, removed);
    return this.#outgrows(overlay.size) ? this.#folded(overlay, NONE) : new LayeredMap(this.#base, overlay);
  }

  values(): Iterable<V> {
    return this.#overlay.size === 0 ? this.#base.values() : this.#layers();
  }

  *#layers(): Iterable<V> {
    for (const [key, value] of this.#base) if (!this.#overlay.has(key)) yield value;
    for (const value of this.#overlay.values()) if (value !== null) yield value;
  }

  #outgrows(changes: number): boolean {
    return changes > 16 && changes ** 2 > this.#base.size;
  }

  /** Copies only what stays: copying all and deleting afterwards takes longer. */
  #folded(overlay: ReadonlyMap<string, V | null>, removed: ReadonlySet<string>): LayeredMap<V> {
    const base = new Map<string, V>();
    this.#base.forEach((value, key) => {
      if (!removed.has(key) && !overlay.has(key)) base.set(key, value);
    });
    overlay.forEach((value, key) => {
      if (value !== null) base.set(key, value);
    });
    return new LayeredMap(base);
  }
}
