import type { DocumentCollection } from '../connection/collections.ts';
import type { Write } from '../query/query.ts';

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
