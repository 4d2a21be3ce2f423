/**
 * An immutable map for structures that change a little at a time: a large base shared between
 * versions, and a small overlay copied on each change. The overlay is folded into a new base when it
 * outgrows the square root of the base, so a change costs O(sqrt n) amortised and a look-up at most two.
 */
export class LayeredMap<V extends object> {
  readonly #base: ReadonlyMap<string, V>;
  readonly #overlay: ReadonlyMap<string, V | null>;
  readonly size: number;

  constructor(base: ReadonlyMap<string, V>, overlay: ReadonlyMap<string, V | null> = new Map(), size = base.size) {
    this.#base = base;
    this.#overlay = overlay;
    this.size = size;
  }

  get(key: string): V | undefined {
    if (this.#overlay.size > 0) {
      const changed = this.#overlay.get(key);
      if (changed !== undefined) return changed ?? undefined;
    }
    return this.#base.get(key);
  }

  /** A map with the given entries put, or removed where the value is null. */
  with(changes: readonly (readonly [string, V | null])[]): LayeredMap<V> {
    if (this.#outgrows(changes.length)) return this.#folded(changes);
    const overlay = new Map(this.#overlay);
    let size = this.size;
    for (const [key, value] of changes) {
      const before = overlay.has(key) ? (overlay.get(key) ?? undefined) : this.#base.get(key);
      size += (value === null ? 0 : 1) - (before === undefined ? 0 : 1);
      overlay.set(key, value);
    }
    const next = new LayeredMap(this.#base, overlay, size);
    return this.#outgrows(overlay.size) ? next.#folded([]) : next;
  }

  *values(): IterableIterator<V> {
    for (const [key, value] of this.#base) if (!this.#overlay.has(key)) yield value;
    for (const value of this.#overlay.values()) if (value !== null) yield value;
  }

  #outgrows(changes: number): boolean {
    return changes > 16 && changes ** 2 > this.#base.size;
  }

  #folded(changes: readonly (readonly [string, V | null])[]): LayeredMap<V> {
    const base = new Map(this.#base);
    for (const [key, value] of [...this.#overlay, ...changes]) {
      if (value === null) base.delete(key);
      else base.set(key, value);
    }
    return new LayeredMap(base);
  }
}
