import type { KvValue } from '../store-kv/engine/kv.ts';
import { valueEncoder } from './value-encoding.ts';

interface BoundedWeakCache {
  readonly bytes: Buffer;
  readonly value: KvValue;
}

/** Bytes of records kept at most, twice: of those read lately, and of those read before that. */
const CAPACITY = 2 * 1024 ** 2;

/** What is shorter is read as fast as it is compared. */
const SHORT = 64;

/** By these first bytes records are looked for: an id, as a rule. */
const NAME = 48;
const MOST_NAMES = 10_000;

/**
 * Records as they were read from their bytes, from the second time on: what is read once, as by a search through
 * everything, is not kept. A record is given out again only for the very same bytes, which are read anew each
 * time: so none can be stale, whoever has written it. It is frozen, as everybody who reads it gets the same.
 */
export class DecodeCache {
  readonly #capacity: number;
  readonly #once = new Set<string>();
  #lately = new Map<string, BoundedWeakCache>();
  #before = new Map<string, BoundedWeakCache>();
  #size = 0;

  /** @param capacity bytes of records, kept twice at most */
  constructor(capacity = CAPACITY) {
    this.#capacity = capacity;
  }

  /** @param bytes a window that the engine uses again: its length is of this value */
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
