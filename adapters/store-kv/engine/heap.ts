/** A binary heap: the first of its items in order is found in O(1). */
export class Heap<T> {
  readonly #items: T[] = [];
  readonly #isBefore: (a: T, b: T) => boolean;

  constructor(isBefore: (a: T, b: T) => boolean) {
    this.#isBefore = isBefore;
  }

  /** Undefined if there is none. */
  get first(): T | undefined {
    return this.#items[0];
  }

  /** O(log items). */
  add(item: T): void {
    let at = this.#items.push(item) - 1;
    for (let above = (at - 1) >> 1; at > 0 && this.#isOutOfOrder(above, at); above = (at - 1) >> 1) {
      this.#swap(at, above);
      at = above;
    }
  }

  /** To be called after the first item has changed, so that another may precede it. O(log items). */
  firstChanged(): void {
    const { length } = this.#items;
    for (let at = 0, below = 1; below < length; below = 2 * at + 1) {
      if (below + 1 < length && this.#isOutOfOrder(below, below + 1)) below += 1;
      if (!this.#isOutOfOrder(at, below)) return;
      this.#swap(at, below);
      at = below;
    }
  }

  /** O(log items). */
  removeFirst(): void {
    const last = this.#items.pop();
    if (this.#items.length === 0) return;
    this.#items[0] = last as T;
    this.firstChanged();
  }

  #isOutOfOrder(above: number, below: number): boolean {
    return this.#isBefore(this.#items[below] as T, this.#items[above] as T);
  }

  #swap(a: number, b: number): void {
    const items = this.#items;
    [items[a], items[b]] = [items[b] as T, items[a] as T];
  }
}
