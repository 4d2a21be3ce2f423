import { BTree } from './b-tree.ts';
import { compareKeys } from './key.ts';
import { type Kv, type KvEntry, type KvChunk, type KvRange, type KvReader, type KvValue, chunkOf } from './kv.ts';

/** A put, or with null a removal. */
export type KvChange = readonly [key: string, value: KvValue | null];

/** Buffered changes over a snapshot that nothing else changes; reads see both merged. */
export class Overlay implements Kv {
  readonly #below: KvReader;
  readonly #changes = new BTree<string, KvValue | null>(undefined, compareKeys);
  /**
   * The keys of the changes in their order, from the first call of `takeOldest` on. Null before that, and so for most
   * writes.
   */
  #order: Set<string> | null = null;

  constructor(below: KvReader) {
    this.#below = below;
  }

  get size(): number {
    return this.#changes.size;
  }

  /** In key order, each key once. */
  changes(): readonly KvChange[] {
    return this.#changes.toArray();
  }

  /**
   * Removes a change and returns it; the snapshot must contain it from now on. Changes that existed at the first call
   * come first, then later ones by the time at which their key was first changed.
   */
  takeOldest(): KvChange | undefined {
    this.#order ??= new Set(this.changes().map(([key]) => key));
    for (const key of this.#order) {
      const value = this.#changes.get(key)!;
      this.#order.delete(key);
      this.#changes.delete(key);
      return [key, value];
    }
    return undefined;
  }

  get(key: string): KvValue | undefined {
    const change = this.#changes.get(key);
    return change === undefined ? this.#below.get(key) : (change ?? undefined);
  }

  range(range: KvRange, limit: number, reverse: boolean): readonly KvEntry[] {
    const changes = this.#prefixRange(range);
    if (changes.length === 0) return this.#below.range(range, limit, reverse);
    // Each change hides at most one entry below.
    const below = this.#below.range(range, limit + changes.length, reverse);
    return merged(below, reverse ? changes.toReversed() : changes, limit, reverse);
  }

  chunk(range: KvRange, limit: number, reverse: boolean): KvChunk {
    const changes = this.#prefixRange(range);
    const below = this.#below.chunk(range, limit, reverse);
    if (changes.length === 0) return below;
    const { entries, end } = below;
    const isRead = ([key]: KvChange): boolean => end === null || key === end || key < end !== reverse;
    const read = (reverse ? changes.toReversed() : changes).filter(isRead);
    const found = chunkOf(merged(entries, read, limit, reverse), limit);
    return { ...found, end: found.end ?? end };
  }

  count(range: KvRange): number {
    return this.#below.count(range) + this.#growthOf(range);
  }

  hasMore(range: KvRange, than: number): boolean {
    const least = than - this.#growthOf(range);
    return least < 0 || this.#below.hasMore(range, least);
  }

  /** How many more entries a range has by the changes. O(changes in it). */
  #growthOf(range: KvRange): number {
    let growth = 0;
    for (const [key, value] of this.#prefixRange(range)) {
      growth += Number(value !== null) - Number(this.#below.get(key) !== undefined);
    }
    return growth;
  }

  put(key: string, value: KvValue): void {
    this.#change(key, value);
  }

  putNew(key: string, value: KvValue): boolean {
    if (this.get(key) !== undefined) return false;
    this.put(key, value);
    return true;
  }

  remove(key: string): void {
    this.#change(key, null);
  }

  #change(key: string, value: KvValue | null): void {
    this.#changes.set(key, value);
    this.#order?.add(key);
  }

  #prefixRange({ from, to }: KvRange): KvChange[] {
    const found: KvChange[] = [];
    if (this.#changes.size === 0) return found;
    for (const change of this.#changes.entries(from)) {
      if (change[0] >= to) break;
      found.push(change);
    }
    return found;
  }
}

/** Merges entries and changes, both in reading direction. */
function merged(below: readonly KvEntry[], changes: readonly KvChange[], limit: number, reverse: boolean): KvEntry[] {
  const found: KvEntry[] = [];
  let [b, c] = [0, 0];
  while (found.length < limit) {
    const entry = below[b];
    const change = changes[c];
    if (change === undefined) {
      if (entry === undefined) break;
      found.push(entry);
      b += 1;
      continue;
    }
    const [key, value] = change;
    if (entry !== undefined && entry[0] !== key && entry[0] < key !== reverse) {
      found.push(entry);
      b += 1;
      continue;
    }
    if (value !== null) found.push([key, value]);
    if (entry?.[0] === key) b += 1;
    c += 1;
  }
  return found;
}
