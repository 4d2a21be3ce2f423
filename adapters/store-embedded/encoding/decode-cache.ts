import { countBytes } from '../../event-loop/counted-bytes.ts';
import type { KvValue } from '../../store-kv/engine/kv.ts';
import { valueEncoder } from './value-encoding.ts';

/** The most bytes of records in each of the two generations. Decoded, a record takes some ten times as many. */
const CAPACITY = 2 * 1024 ** 2;

/** Shorter values are not cached: decoding one is as fast as comparing its bytes. */
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
  #young: Generation;
  #old: Generation;

  /** @param capacity bytes per generation. A larger record is not cached */
  constructor(capacity = CAPACITY) {
    this.#capacity = capacity;
    this.#young = new Generation(capacity);
    this.#old = new Generation(capacity);
  }

  /** @param bytes a buffer that lmdb reuses; its length is that of this value */
  value(bytes: Buffer): KvValue {
    const { length } = bytes;
    countBytes(length);
    if (length < SHORT || length > this.#capacity) return valueEncoder.decode(bytes);
    const name = bytes.toString('latin1', 0, NAME);
    const young = this.#young.valueOf(name, bytes, length);
    if (young !== undefined) return young;
    const old = this.#old.valueOf(name, bytes, length);
    if (old !== undefined) return this.#keep(name, bytes, length, old);
    if (this.#seenOnce.delete(name)) {
      return this.#keep(name, bytes, length, Object.freeze(valueEncoder.decode(bytes)));
    }
    if (this.#seenOnce.size >= MAX_NAMES) this.#seenOnce.clear();
    this.#seenOnce.add(name);
    return valueEncoder.decode(bytes);
  }

  #keep(name: string, bytes: Buffer, length: number, value: KvValue): KvValue {
    if (this.#young.add(name, bytes, length, value)) return value;
    [this.#old, this.#young] = [this.#young, this.#old];
    this.#young.clear();
    this.#young.add(name, bytes, length, value);
    return value;
  }
}

interface DecodedRecord {
  /** Part of the buffer of its generation. */
  readonly bytes: Buffer;
  readonly value: KvValue;
}

/**
 * Records and their bytes, one after another in one buffer: a small buffer for each record would keep the whole 8 KiB
 * in memory from which Node allocates small buffers.
 */
class Generation {
  readonly #capacity: number;
  readonly #records = new Map<string, DecodedRecord>();
  /** Allocated for the first record. */
  #bytes: Buffer | null = null;
  #end = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** The value of the record of this name if it has these bytes. */
  valueOf(name: string, bytes: Buffer, length: number): KvValue | undefined {
    const record = this.#records.get(name);
    if (record === undefined || record.bytes.length !== length) return undefined;
    return bytes.compare(record.bytes, 0, length, 0, length) === 0 ? record.value : undefined;
  }

  /** @returns false if the generation is full */
  add(name: string, bytes: Buffer, length: number, value: KvValue): boolean {
    const start = this.#end;
    if (start + length > this.#capacity) return false;
    this.#bytes ??= Buffer.allocUnsafeSlow(this.#capacity);
    const own = this.#bytes.subarray(start, start + length);
    own.set(new Uint8Array(bytes.buffer, bytes.byteOffset, length));
    this.#records.set(name, { bytes: own, value });
    this.#end += length;
    return true;
  }

  clear(): void {
    this.#records.clear();
    this.#end = 0;
  }
}
