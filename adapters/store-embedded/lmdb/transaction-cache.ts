import type { KvChange } from '../../store-kv/engine/overlay.ts';
import type { KvEntry, KvRange, KvReader, KvValue } from '../../store-kv/engine/kv.ts';

/** The most cached keys: far more than a group of short writes reads. */
const MOST_KEYS = 4_096;

/** The first or the last entry of a range. */
interface End {
  readonly range: KvRange;
  readonly reverse: boolean;
  readonly entry: KvEntry | undefined;
}

/** The most cached ends: each is checked with every key that is written. */
const MOST_ENDS = 16;

/**
 * A read-through cache over the open transaction: writes of one group mostly read the same records, such as the caller,
 * the board and counters. It also caches the ends of ranges, as each task appended to a column reads the last sort key.
 * It is told of every write, and lives as long as the transaction.
 */
export class TransactionCache implements KvReader {
  readonly #transaction: KvReader;
  readonly #values = new Map<string, KvValue | undefined>();
  readonly #ends = new Map<string, End>();

  constructor(transaction: KvReader) {
    this.#transaction = transaction;
  }

  get(key: string): KvValue | undefined {
    const known = this.#values.get(key);
    if (known !== undefined || this.#values.has(key)) return known;
    const value = this.#transaction.get(key);
    this.#keep(key, value);
    return value;
  }

  range(range: KvRange, limit: number, reverse: boolean): readonly KvEntry[] {
    if (limit !== 1) return this.#transaction.range(range, limit, reverse);
    const name = `${reverse ? '<' : '>'}${range.from}${range.to}`;
    const known = this.#ends.get(name) ?? this.#keepEnd(name, range, reverse);
    return known.entry === undefined ? [] : [known.entry];
  }

  count(range: KvRange): number {
    return this.#transaction.count(range);
  }

  /** Called for everything that is written to the transaction. */
  written([key, value]: KvChange): void {
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

  /** Called when a part of the transaction is aborted. */
  clear(): void {
    this.#values.clear();
    this.#ends.clear();
  }

  #keepEnd(name: string, range: KvRange, reverse: boolean): End {
    if (this.#ends.size >= MOST_ENDS) this.#ends.clear();
    const end = { range, reverse, entry: this.#transaction.range(range, 1, reverse)[0] };
    this.#ends.set(name, end);
    return end;
  }

  #keep(key: string, value: KvValue | undefined): void {
    if (this.#values.size >= MOST_KEYS) this.#values.clear();
    this.#values.set(key, value);
  }
}
