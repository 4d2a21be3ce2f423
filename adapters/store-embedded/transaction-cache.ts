import type { KvChange } from '../store-kv/engine/overlay.ts';
import type { KvEntry, KvRange, KvReader, KvValue } from '../store-kv/engine/kv.ts';

/** Keys kept at most: far more than a group of short writes reads. */
const MOST_KEYS = 4_096;

/**
 * A read-through cache over the open transaction: writes that share it mostly read the same records, such as the
 * caller, the board and the counters. It sees all that is written to the transaction, and goes with it. Ranges are not
 * kept.
 */
export class TransactionCache implements KvReader {
  readonly #transaction: KvReader;
  readonly #values = new Map<string, KvValue | undefined>();

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
    return this.#transaction.range(range, limit, reverse);
  }

  count(range: KvRange): number {
    return this.#transaction.count(range);
  }

  /** To be told of everything that is written to the transaction. */
  written([key, value]: KvChange): void {
    // Records are read anew, so that whoever reads one gets what is stored and not an object of whoever wrote it.
    if (typeof value === 'object' && value !== null) this.#values.delete(key);
    else this.#keep(key, value ?? undefined);
  }

  /** To be called when a part of the transaction is undone. */
  clear(): void {
    this.#values.clear();
  }

  #keep(key: string, value: KvValue | undefined): void {
    if (this.#values.size >= MOST_KEYS) this.#values.clear();
    this.#values.set(key, value);
  }
}
