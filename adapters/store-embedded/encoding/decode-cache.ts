import type { KvValue } from '../../store-kv/engine/kv.ts';
import { valueEncoder } from './value-encoding.ts';

interface BoundedWeakCache {
  readonly bytes: Buffer;
  readonly value: KvValue;
}

/** The most bytes of records in each of the two generations. */
const CAPACITY = 2 * 1024 ** 2;

/** Shorter values are decoded as fast as they are compared. */
const SHORT = 64;

/** The number of first bytes that identify a record in the cache: usually they contain an id. */
const NAME = 48;
const MOST_NAMES = 10_000;

/**
 * A two-generation cache of decoded records. A record is cached when it is decoded for the second time, so that scans
 * do not fill the cache. A cached record is returned only for identical bytes, which are read each time, so it cannot
 * be stale. Records are frozen, as readers share them.
 */
export class DecodeCache {
  readonly #capacity: number;
  readonly #once = new Set<string>();
  #lately = new Map<string, BoundedWeakCache>();
  #before = new Map<string, BoundedWeakCache>();
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
    const lately = this.#lately.get(name);
    if (lately !== undefined && isOf(lately, bytes, length)) return lately.value;
    const before = this.#before.get(name);
    if (before !== undefined && isOf(before, bytes, length)) return this.#keep(name, before).value;
    if (this.#once.delete(name)) return this.#keep(name, copied(bytes, length)).value;
    if (this.#once.size >= MOST_NAMES) this.#once.clear();
    this.#once.add(name);
    return valueEncoder.decode(bytes);
  }

  #keep(name: string, kept: BoundedWeakCache): BoundedWeakCache {
    this.#size += kept.bytes.length - (this.#lately.get(name)?.bytes.length ?? 0);
    this.#lately.set(name, kept);
    if (this.#size > this.#capacity) {
      this.#before = this.#lately;
      this.#lately = new Map();
      this.#size = 0;
    }
    return kept;
  }
}

function isOf(kept: BoundedWeakCache, bytes: Buffer, length: number): boolean {
  return kept.bytes.length === length && bytes.compare(kept.bytes, 0, length, 0, length) === 0;
}

function copied(window: Buffer, length: number): BoundedWeakCache {
  const bytes = Buffer.from(new Uint8Array(window.buffer, window.byteOffset, length));
  return { bytes, value: Object.freeze(valueEncoder.decode(bytes)) };
}
