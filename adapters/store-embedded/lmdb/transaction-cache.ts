import type { KvChange } from '../../store-kv/engine/overlay.ts';
import {
  isOfPrefix,
  type KvEntry,
  type KvChunk,
  type KvRange,
  type KvReader,
  type KvValue,
  chunkOf,
} from '../../store-kv/engine/kv.ts';
import type { OpenTransaction } from './snapshot.ts';

/** The most cached keys: far more than a group of short writes reads. */
const MAX_KEYS = 4_096;

/** The first or the last entry with a prefix. */
interface RangeEnd {
  readonly range: KvRange;
  readonly reverse: boolean;
  readonly entry: KvEntry | undefined;
}

/** The most cached ends: every write of a key checks each of them. */
const MAX_ENDS = 16;

/**
 * A cache over the open transaction: writes of one group mostly read the same records, such as the caller, the board
 * and counters. It also caches the first and the last entry with a prefix, as each task appended to a column reads the
 * last sort key. Counters, which most writes of a group raise, are written once, by `flush`. Every write goes through
 * the cache, which lives as long as the transaction.
 */
export class TransactionCache implements KvReader {
  readonly #transaction: OpenTransaction;
  readonly #values = new Map<string, KvValue | undefined>();
  readonly #ends = new Map<string, RangeEnd>();
  /** Counters that are not written yet. */
  readonly #counters = new Map<string, number>();
  #isNested = false;

  constructor(transaction: OpenTransaction) {
    this.#transaction = transaction;
  }

  get(key: string): KvValue | undefined {
    const known = this.#values.get(key);
    if (known !== undefined || this.#values.has(key)) return known;
    const value = this.#counters.get(key) ?? this.#transaction.get(key);
    this.#keep(key, value);
    return value;
  }

  range(range: KvRange, limit: number, reverse: boolean): readonly KvEntry[] {
    this.#flushWithin(range);
    // The ends of other ranges are seldom read twice.
    if (limit !== 1 || !isOfPrefix(range)) return this.#transaction.range(range, limit, reverse);
    const name = (reverse ? '<' : '>') + range.from;
    const known = this.#ends.get(name) ?? this.#keepEnd(name, range, reverse);
    return known.entry === undefined ? [] : [known.entry];
  }

  chunk(range: KvRange, limit: number, reverse: boolean): KvChunk {
    if (limit === 1) return chunkOf(this.range(range, limit, reverse), limit);
    this.#flushWithin(range);
    return this.#transaction.chunk(range, limit, reverse);
  }

  count(range: KvRange): number {
    this.#flushWithin(range);
    return this.#transaction.count(range);
  }

  hasMore(range: KvRange, than: number): boolean {
    this.#flushWithin(range);
    return this.#transaction.hasMore(range, than);
  }

  write(change: KvChange): void {
    const [key, value] = change;
    if (typeof value === 'number' && !this.#isNested) this.#counters.set(key, value);
    else {
      if (this.#counters.size > 0) this.#counters.delete(key);
      this.#transaction.write(change);
    }
    this.#written(key, value);
  }

  /** Writes the counters. To be called at the end of the transaction. */
  flush(): void {
    for (const change of this.#counters) this.#transaction.write(change);
    this.#counters.clear();
  }

  /** To be called when a nested transaction begins, which may be aborted by itself. */
  beginNested(): void {
    this.flush();
    this.#isNested = true;
  }

  endNested(isAborted: boolean): void {
    this.#isNested = false;
    if (!isAborted) return;
    this.#values.clear();
    this.#ends.clear();
  }

  #flushWithin({ from, to }: KvRange): void {
    for (const key of this.#counters.keys()) {
      if (key < from || key >= to) continue;
      this.flush();
      return;
    }
  }

  #written(key: string, value: KvValue | null): void {
    // Records are read again after a write, so that readers get the stored record, not the writer's object.
    if (typeof value === 'object' && value !== null) this.#values.delete(key);
    else this.#keep(key, value ?? undefined);
    for (const [name, { range, reverse, entry }] of this.#ends) {
      if (key < range.from || key >= range.to) continue;
      const isBehind = entry !== undefined && (reverse ? key < entry[0] : key > entry[0]);
      if (isBehind) continue;
      if (typeof value === 'string') this.#ends.set(name, { range, reverse, entry: [key, value] });
      else this.#ends.delete(name);
    }
  }

  #keepEnd(name: string, range: KvRange, reverse: boolean): RangeEnd {
    if (this.#ends.size >= MAX_ENDS) this.#ends.clear();
    const end = { range, reverse, entry: this.#transaction.range(range, 1, reverse)[0] };
    this.#ends.set(name, end);
    return end;
  }

  #keep(key: string, value: KvValue | undefined): void {
    if (this.#values.size >= MAX_KEYS) this.#values.clear();
    this.#values.set(key, value);
  }
}
