import type { DocumentCollection } from '../connection/collections.ts';
import type { Write } from '../query/query.ts';

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

/** Writes that are not sent yet, in the order of the writers. Those of the present one can be rolled back until any is sent. */
export class WriteBuffer {
  /** `kept`: how many of them are of earlier writers. */
  readonly #buffered = new Map<DocumentCollection, { readonly writes: Write[]; kept: number }>();
  /** Whether a write of the present writer was sent. */
  #flushed = false;

  add(from: DocumentCollection, write: Write): void {
    const buffered = this.#buffered.get(from);
    if (buffered === undefined) this.#buffered.set(from, { writes: [write], kept: 0 });
    else buffered.writes.push(write);
  }

  get collections(): readonly DocumentCollection[] {
    return [...this.#buffered.keys()];
  }

  /** Takes the writes to a collection out, to be sent. */
  take(from: DocumentCollection): Write[] {
    const { writes, kept } = this.#buffered.get(from) ?? { writes: [], kept: 0 };
    this.#buffered.delete(from);
    if (writes.length > kept) this.#flushed = true;
    return writes;
  }

  keepWriter(): void {
    for (const each of this.#buffered.values()) each.kept = each.writes.length;
    this.#flushed = false;
  }

  /** @returns false when it is too late: something of the present writer was sent */
  rollbackWriter(): boolean {
    for (const { writes, kept } of this.#buffered.values()) writes.length = kept;
    return !this.#flushed;
  }
}
