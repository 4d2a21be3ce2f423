import { forEachItemStepwise, ITEMS_PER_STEP, type Stepwise } from '../kernel/stepwise.ts';

const NONE: ReadonlySet<string> = new Set();

/** The size from which on a map is split. Below, it is copied as a whole in two milliseconds, and nothing is hashed to find a key. */
const SPLIT = 16_384;
/** The number of partitions: with 500,000 entries each is copied in less than a millisecond. */
const PARTS = 128;

/** A map under construction. It is split as it grows: a `Map` of very many entries stops everything each time it is rehashed. */
export class GrowingMap<V extends object> {
  #parts: readonly Map<string, V>[] = [new Map()];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get parts(): readonly ReadonlyMap<string, V>[] {
    return this.#parts;
  }

  get(key: string): V | undefined {
    return this.#partOf(key).get(key);
  }

  has(key: string): boolean {
    return this.#partOf(key).has(key);
  }

  set(key: string, value: V): void {
    const part = this.#partOf(key);
    const before = part.size;
    part.set(key, value);
    this.#size += part.size - before;
    if (this.#parts.length === 1 && part.size >= SPLIT) this.#split(part);
  }

  /** @returns whether it was there */
  delete(key: string): boolean {
    const isDeleted = this.#partOf(key).delete(key);
    if (isDeleted) this.#size -= 1;
    return isDeleted;
  }

  /** Entries may be replaced and deleted meanwhile. */
  *[Symbol.iterator](): IterableIterator<[string, V]> {
    for (const part of this.#parts) yield* part;
  }

  *keys(): IterableIterator<string> {
    for (const part of this.#parts) yield* part.keys();
  }

  *values(): IterableIterator<V> {
    for (const part of this.#parts) yield* part.values();
  }

  #partOf(key: string): Map<string, V> {
    const parts = this.#parts;
    return parts[parts.length === 1 ? 0 : partOf(key)]!;
  }

  #split(all: Map<string, V>): void {
    const parts = Array.from({ length: PARTS }, () => new Map<string, V>());
    all.forEach((value, key) => parts[partOf(key)]!.set(key, value));
    this.#parts = parts;
  }
}

/**
 * A persistent (immutable) map for structures that change a little at a time. Keys are hashed to partitions, each a
 * {@link Layers}; a change copies only those it touches: O(PARTS + sqrt(n / PARTS)) amortised, and at most O(n / PARTS)
 * for one key.
 */
export class LayeredMap<V extends object> {
  readonly #parts: readonly Layers<V>[];

  private constructor(parts: readonly Layers<V>[]) {
    this.#parts = parts;
  }

  /** O(1): takes over the entries, which are not to be changed any more. */
  static of<V extends object>(entries: GrowingMap<V>): LayeredMap<V> {
    return new LayeredMap(entries.parts.map((part) => new Layers(part)));
  }

  get(key: string): V | undefined {
    const parts = this.#parts;
    return parts[parts.length === 1 ? 0 : partOf(key)]!.get(key);
  }

  /** A map with the given entries put and the given keys removed; keys that are absent are ignored. */
  *with(put: readonly (readonly [string, V])[], removed: ReadonlySet<string> = NONE): Stepwise<LayeredMap<V>> {
    if (put.length + removed.size === 0) return this;
    const [only] = this.#parts;
    if (this.#parts.length === 1) {
      if (only!.baseSize + put.length < SPLIT) return new LayeredMap([only!.with(put, removed)]);
      const all = new GrowingMap<V>();
      yield* forEachItemStepwise(only!.entries(), ([key, value]) => all.set(key, value));
      yield* forEachItemStepwise(removed, (key) => void all.delete(key));
      yield* forEachItemStepwise(put, ([key, value]) => all.set(key, value));
      return LayeredMap.of(all);
    }
    const parts = [...this.#parts];
    for (const [n, { puts, removals }] of yield* byPart(put, removed)) {
      const before = parts[n]!;
      parts[n] = before.with(puts, removals);
      // One that is folded is copied as a whole.
      const copied = parts[n].baseSize === before.baseSize ? puts.length + removals.size : parts[n].baseSize;
      for (let items = 0; items <= copied; items += ITEMS_PER_STEP) yield;
    }
    return new LayeredMap(parts);
  }

  *values(): Iterable<V> {
    for (const part of this.#parts) yield* part.values();
  }

  /**
   * The keys whose value differs from that in an earlier map, or that only one of the two has. O(entries not shared):
   * maps a few changes apart share almost everything.
   */
  *keysChangedSince(before: LayeredMap<V>): Stepwise<ReadonlySet<string>> {
    const changed = new Set<string>();
    const isSplitAlike = this.#parts.length === before.#parts.length;
    if (!isSplitAlike) {
      yield* forEachItemStepwise(this.#keys(), (key) => void (this.get(key) !== before.get(key) && changed.add(key)));
      yield* forEachItemStepwise(before.#keys(), (key) => void (this.get(key) === undefined && changed.add(key)));
      return changed;
    }
    for (const [n, part] of this.#parts.entries()) {
      const other = before.#parts[n]!;
      if (part === other) continue;
      yield* forEachItemStepwise(
        part.keysToCompare(other),
        (key) => void (part.get(key) !== other.get(key) && changed.add(key)),
      );
      yield;
    }
    return changed;
  }

  *#keys(): Iterable<string> {
    for (const part of this.#parts) yield* part.keys();
  }
}

interface PartChange<V> {
  readonly puts: (readonly [string, V])[];
  readonly removals: Set<string>;
}

function* byPart<V>(
  put: readonly (readonly [string, V])[],
  removed: ReadonlySet<string>,
): Stepwise<Map<number, PartChange<V>>> {
  const changes = new Map<number, PartChange<V>>();
  const changeOf = (key: string): PartChange<V> => {
    const part = partOf(key);
    const change = changes.get(part) ?? { puts: [], removals: new Set() };
    changes.set(part, change);
    return change;
  };
  yield* forEachItemStepwise(put, (entry) => void changeOf(entry[0]).puts.push(entry));
  yield* forEachItemStepwise(removed, (key) => void changeOf(key).removals.add(key));
  return changes;
}

/** The number of last characters of a key that are hashed: ids differ most there. */
const TAIL = 6;

function partOf(key: string): number {
  let hash = 0;
  for (let i = Math.max(0, key.length - TAIL); i < key.length; i += 1) hash = (hash * 31 + key.charCodeAt(i)) | 0;
  return (hash >>> 0) % PARTS;
}

/**
 * A large base shared between versions, and a small overlay copied on each change. The overlay is folded into a new
 * base when it outgrows the square root of the base, so a change costs O(sqrt n) amortised and a look-up at most two.
 */
class Layers<V extends object> {
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
  with(put: readonly (readonly [string, V])[], removed: ReadonlySet<string> = NONE): Layers<V> {
    const isLarge = this.#outgrows(put.length + removed.size);
    // Copied with `forEach`, here and below: `new Map(map)` takes three times as long.
    const overlay = new Map<string, V | null>();
    this.#overlay.forEach((value, key) => overlay.set(key, removed.has(key) ? null : value));
    if (!isLarge) for (const key of removed) if (this.get(key) !== undefined) overlay.set(key, null);
    for (const [key, value] of put) overlay.set(key, value);
    if (isLarge) return this.#folded(overlay, removed);
    return this.#outgrows(overlay.size) ? this.#folded(overlay, NONE) : new Layers(this.#base, overlay);
  }

  get baseSize(): number {
    return this.#base.size;
  }

  *entries(): Iterable<[string, V]> {
    for (const entry of this.#base) if (!this.#overlay.has(entry[0])) yield entry;
    for (const [key, value] of this.#overlay) if (value !== null) yield [key, value];
  }

  *keys(): Iterable<string> {
    for (const [key] of this.entries()) yield key;
  }

  /** All keys whose values may differ from those of another version: with the same base the changed ones alone. */
  *keysToCompare(other: Layers<V>): Iterable<string> {
    yield* this.#overlay.keys();
    yield* other.#overlay.keys();
    if (this.#base === other.#base) return;
    yield* this.#base.keys();
    yield* other.#base.keys();
  }

  *values(): Iterable<V> {
    if (this.#overlay.size === 0) yield* this.#base.values();
    else for (const [, value] of this.entries()) yield value;
  }

  #outgrows(changes: number): boolean {
    return changes > 16 && changes ** 2 > this.#base.size;
  }

  /** Copies only entries that stay: copying all and deleting afterwards takes longer. */
  #folded(overlay: ReadonlyMap<string, V | null>, removed: ReadonlySet<string>): Layers<V> {
    const base = new Map<string, V>();
    this.#base.forEach((value, key) => {
      if (!removed.has(key) && !overlay.has(key)) base.set(key, value);
    });
    overlay.forEach((value, key) => {
      if (value !== null) base.set(key, value);
    });
    return new Layers(base);
  }
}
