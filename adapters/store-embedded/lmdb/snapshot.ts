import type { RootDatabase, Transaction as Snapshot } from 'lmdb';
import { PREFIX } from '../../store-kv/engine/key-prefixes.ts';
import type { KvEntry, KvRange, KvReader, KvValue } from '../../store-kv/engine/kv.ts';
import type { KvChange } from '../../store-kv/engine/overlay.ts';
import { valueEncoder } from '../encoding/value-encoding.ts';
import { closed, unavailable } from '../unavailable.ts';

export type Database = RootDatabase<KvValue, string>;

/** The limit for lmdb when there is none. */
const ALL = 2 ** 31 - 1;

/** A read transaction: the state committed when it began. Not to be used after `end`. */
export class SnapshotReader implements KvReader {
  readonly #db: Database;
  readonly #transaction: Snapshot;
  readonly #isWriting: () => boolean;
  #ended = false;

  /** @param isWriting whether a write transaction of this process is open */
  constructor(db: Database, transaction: Snapshot, isWriting: () => boolean) {
    this.#db = db;
    this.#transaction = transaction;
    this.#isWriting = isWriting;
  }

  get(key: string): KvValue | undefined {
    this.#expectAlive();
    return reading(() => {
      const transaction = this.#transaction;
      if (!this.#isWriting()) return this.#db.get(key, { transaction });
      // While a write transaction is open, lmdb's `get` reads in that one and ignores the option `transaction`;
      // `getRange` does not.
      const range = { start: key, end: key, inclusiveEnd: true, limit: 1, transaction };
      for (const { value } of this.#db.getRange(range)) return value;
      return undefined;
    });
  }

  range(range: KvRange, limit: number, reverse: boolean): readonly KvEntry[] {
    this.#expectAlive();
    return entries(this.#db, range, limit, reverse, { transaction: this.#transaction });
  }

  count({ from, to }: KvRange): number {
    this.#expectAlive();
    if (from >= to) return 0;
    return reading(() => this.#db.getKeysCount({ start: from, end: to, transaction: this.#transaction }));
  }

  end(): void {
    this.#ended = true;
    this.#transaction.done();
  }

  #expectAlive(): void {
    if (this.#ended) throw closed();
  }
}

/** The open write transaction, which sees its own writes. */
export interface OpenTransaction extends KvReader {
  write(change: KvChange): void;
}

export function openTransaction(db: Database): OpenTransaction {
  return {
    get: (key) => reading(() => (key.startsWith(PREFIX.task) ? taskIn(db, key) : db.get(key))),
    range: (range, limit, reverse) => entries(db, range, limit, reverse, {}),
    count: ({ from, to }) => (from >= to ? 0 : reading(() => db.getKeysCount({ start: from, end: to }))),
    write([key, value]) {
      try {
        if (value === null) db.removeSync(key);
        else db.putSync(key, value);
      } catch (error) {
        throw unavailable(error, 'to write');
      }
    },
  };
}

/** Without the cache of decoded records: a task that a write reads is mostly about to change. */
function taskIn(db: Database, key: string): KvValue | undefined {
  const bytes = db.getBinaryFast(key);
  return bytes === undefined ? undefined : valueEncoder.decode(bytes);
}

function entries(
  db: Database,
  { from, to }: KvRange,
  limit: number,
  reverse: boolean,
  options: { readonly transaction?: Snapshot },
): KvEntry[] {
  const found: KvEntry[] = [];
  if (limit <= 0 || from >= to) return found;
  const bounds = reverse
    ? { start: to, exclusiveStart: true, end: from, inclusiveEnd: true, reverse: true }
    : { start: from, end: to };
  return reading(() => {
    for (const { key, value } of db.getRange({ ...bounds, limit: Math.min(limit, ALL), ...options })) {
      found.push([key, value]);
      // Else the cursor is moved once more before the limit is looked at.
      if (found.length === limit) break;
    }
    return found;
  });
}

function reading<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw unavailable(error, 'to read');
  }
}
