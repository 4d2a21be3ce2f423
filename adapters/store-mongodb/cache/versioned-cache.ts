import { LRUCache } from 'lru-cache';

/** A value with the number that its document had when it was read. */
export interface Versioned<V> {
  readonly value: V;
  readonly version: number;
}

interface Entry<V> {
  /** The newest last. */
  readonly versions: readonly Versioned<V>[];
  readonly weight: number;
}

export interface CacheBounds {
  /** All weights together, the least recently used dropped first. One entry stays however heavy it is. */
  readonly capacity: number;
  /** Versions of one value that are kept. Default 1. */
  readonly versions?: number;
  /** Milliseconds after which an entry that was not confirmed is dropped. Default: never. */
  readonly maxAge?: number;
}

/**
 * Values made from committed documents. Each is valid while one document has the same number: which document and
 * which number, is said where the cache is declared. So a value is used in one of two ways: the number was read by
 * the same transaction (`at`), or it is assumed, and the transaction counts only if it finds that number (`latest`).
 */
export class VersionedCache<V> {
  readonly #entries: LRUCache<string, Entry<V>>;
  readonly #capacity: number;
  readonly #versions: number;

  constructor({ capacity, versions = 1, maxAge = 0 }: CacheBounds) {
    this.#entries = new LRUCache({ maxSize: capacity, sizeCalculation: ({ weight }) => weight, ttl: maxAge });
    this.#capacity = capacity;
    this.#versions = versions;
  }

  /** The newest that is known. An assumption: to be validated before its effects count. */
  latest(key: string): Versioned<V> | undefined {
    return this.#entries.get(key)?.versions.at(-1);
  }

  /** The value of exactly this version. */
  at(key: string, version: number): V | undefined {
    const found = this.#entries.peek(key)?.versions.find((one) => one.version === version);
    if (found !== undefined) this.#entries.get(key, { updateAgeOnGet: true });
    return found?.value;
  }

  /** The newest of those that are older than a version, to be brought up to it. */
  before(key: string, version: number): V | undefined {
    return this.#entries.peek(key)?.versions.findLast((one) => one.version < version)?.value;
  }

  weightOf(key: string): number {
    return this.#entries.peek(key)?.weight ?? 0;
  }

  set(key: string, version: number, value: V, weight = 1): void {
    const others = this.#versions === 1 ? [] : (this.#entries.peek(key)?.versions ?? []);
    const versions = [...others.filter((one) => one.version !== version), { value, version }];
    versions.sort((a, b) => a.version - b.version);
    this.#entries.set(key, { versions: versions.slice(-this.#versions), weight: Math.min(weight, this.#capacity) });
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}
