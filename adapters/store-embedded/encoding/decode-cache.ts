import type { KvValue } from '../../store-kv/engine/kv.ts';
import { valueEncoder } from './value-encoding.ts';

interface CachedRecord {
  readonly bytes: Buffer;
  readonly value: KvValue;
}

/** The most bytes of records in each of the two generations. */
const CAPACITY = 2 * 1024 ** 2;

/** Shorter values are decoded as fast as they are compared. */
const SHORT = 64;

/** The number of first bytes that identify a record in the cache: usually they contain an id. */
const NAME = 48;
const MAX_NAMES = 10_000;

/**
 * A two-generation cache of decoded records. A record is cached when it is decoded for the second time, so that scans
 * do not fill the cache. A cached record is returned only for identical bytes, which are read each time, so it cannot
 * be stale. Records are frozen, as readers share them.
 */
export class DecodeCache {
  readonly #capacity: number;
  readonly #seenOnce = new Set<string>();
  #young = new Map<string, CachedRecord>();
  #old = new Map<string, CachedRecord>();
  #size = 0;

  /** @param capacity bytes per generation */
  constructor(capacity = CAPACITY) {
    this.#capacity = capacity;
  }

  /** @param bytes a buffer that lmdb reuses; its length is that of this value */
  value(bytes: Buffer): KvValue {
    const { length } = bytes;
    if (length < SHORT) return valueEncoder.decode(bytes);
    const name = bytes.toString('latin1', 0, NAME);
    const young = this.#young.get(name);
    if (young !== undefined && isOf(young, bytes, length)) return young.value;
    const before = this.#old.get(name);
    if (before !== undefined && isOf(before, bytes, length)) return this.#keep(name, before).value;
    if (this.#seenOnce.delete(name)) return this.#keep(name, copied(bytes, length)).value;
    if (this.#seenOnce.size >= MAX_NAMES) this.#seenOnce.clear();
    this.#seenOnce.add(name);
    return valueEncoder.decode(bytes);
  }

  #keep(name: string, kept: CachedRecord): CachedRecord {
    this.#size += kept.bytes.length - (this.#young.get(name)?.bytes.length ?? 0);
    this.#young.set(name, kept);
    if (this.#size > this.#capacity) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#size = 0;
    }
    return kept;
  }
}

function isOf(kept: CachedRecord, bytes: Buffer, length: number): boolean {
  return kept.bytes.length === length && bytes.compare(kept.bytes, 0, length, 0, length) === 0;
}

function copied(window: Buffer, length: number): CachedRecord {
  const bytes = Buffer.from(new Uint8Array(window.buffer, window.byteOffset, length));
  return { bytes, value: Object.freeze(valueEncoder.decode(bytes)) };
}
