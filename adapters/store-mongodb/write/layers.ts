/**
 * What the writers of one transaction have done, in two layers: what earlier writers have left, and what the present
 * writer has set on top of it. The upper layer is merged into the lower one, or dropped, of all maps at once.
 */
export class Layers {
  readonly #maps: LayeredMap<unknown>[] = [];

  map<V>(): LayeredMap<V> {
    const made = new LayeredMap<V>();
    this.#maps.push(made);
    return made;
  }

  keepWriter(): void {
    for (const each of this.#maps) each.keepWriter();
  }

  rollbackWriter(): void {
    for (const each of this.#maps) each.rollbackWriter();
  }
}

/** One map in these layers. Reads see the upper one first. */
export class LayeredMap<V> {
  readonly #lower = new Map<string, V>();
  readonly #upper = new Map<string, V>();

  get(key: string): V | undefined {
    return this.#upper.has(key) ? this.#upper.get(key) : this.#lower.get(key);
  }

  has(key: string): boolean {
    return this.#upper.has(key) || this.#lower.has(key);
  }

  set(key: string, value: V): void {
    this.#upper.set(key, value);
  }

  /** Every key once, with the value that `get` gives. */
  entries(): ReadonlyMap<string, V> {
    return new Map([...this.#lower, ...this.#upper]);
  }

  keepWriter(): void {
    for (const [key, value] of this.#upper) this.#lower.set(key, value);
    this.#upper.clear();
  }

  rollbackWriter(): void {
    this.#upper.clear();
  }
}
