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

type Writes = Map<DocumentCollection, Write[]>;

/**
 * Writes that are not sent yet, in two layers: those of earlier writers, and those of the present one, which can be
 * rolled back until any of them is sent.
 */
export class WriteBuffer {
  readonly #kept: Writes = new Map();
  readonly #ofWriter: Writes = new Map();
  /** Collections with writes to documents that are not known one by one. */
  readonly #unindexedWrites = new Set<DocumentCollection>();
  /** Whether a write of the present writer was sent. */
  #flushed = false;

  add(from: DocumentCollection, write: Write): void {
    append(this.#ofWriter, from, [write]);
  }

  addUnindexed(from: DocumentCollection, write: Write): void {
    this.#unindexedWrites.add(from);
    this.add(from, write);
  }

  hasUnindexed(from: DocumentCollection): boolean {
    return this.#unindexedWrites.has(from);
  }

  get collections(): readonly DocumentCollection[] {
    return [...new Set([...this.#kept.keys(), ...this.#ofWriter.keys()])];
  }

  /** Takes the writes to a collection out, in their order, to be sent. */
  take(from: DocumentCollection): Write[] {
    const [kept, own] = [this.#kept.get(from) ?? [], this.#ofWriter.get(from) ?? []];
    this.#kept.delete(from);
    this.#ofWriter.delete(from);
    this.#unindexedWrites.delete(from);
    if (own.length > 0) this.#flushed = true;
    return [...kept, ...own];
  }

  keepWriter(): void {
    for (const [from, writes] of this.#ofWriter) append(this.#kept, from, writes);
    this.#ofWriter.clear();
    this.#flushed = false;
  }

  /** @returns false when it is too late: something of the present writer was sent */
  rollbackWriter(): boolean {
    this.#ofWriter.clear();
    return !this.#flushed;
  }
}

function append(writes: Writes, from: DocumentCollection, more: readonly Write[]): void {
  const all = writes.get(from);
  if (all === undefined) writes.set(from, [...more]);
  else for (const write of more) all.push(write);
}
