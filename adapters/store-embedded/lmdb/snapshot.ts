import type { RootDatabase, Transaction as Snapshot } from 'lmdb';
import { bytesCounted, countBytes } from '../../event-loop/counted-bytes.ts';
import { BYTES_BETWEEN_CHECKS } from '../../event-loop/yielder.ts';
import { PREFIX } from '../../store-kv/engine/key-prefixes.ts';
import type { KvEntry, KvChunk, KvRange, KvReader, KvValue } from '../../store-kv/engine/kv.ts';
import type { KvChange } from '../../store-kv/engine/overlay.ts';
import { valueEncoder } from '../encoding/value-encoding.ts';
import { closed, sameProcessId, lmdbError } from '../store-errors.ts';

export type Database = RootDatabase<KvValue, string>;

/** The limit for lmdb when there is none. */
const ALL = 2 ** 31 - 1;

/** A part of lmdb 3 that its types leave out. */
interface EnvironmentState {
  /** The open write transaction, in which `get` reads even if it is given another one. */
  writeTxn: object | null;
}

/**
 * Refuses a database in which no read can begin, after lmdb has tried for ten seconds: each reading process locks the
 * file by its process id, which may be the same for processes of two containers.
 *
 * @throws `store-unavailable`
 */
export function expectReads(db: Database): void {
  try {
    db.get('a');
  } catch (error) {
    // lmdb then returns no transaction.
    if (error instanceof TypeError) throw sameProcessId();
    throw lmdbError(error, 'to read');
  }
}

/** A read transaction: the state committed when it began. Not to be used after `end`. */
export class LmdbSnapshot implements KvReader {
  readonly #db: Database;
  readonly #environment: EnvironmentState;
  readonly #transaction: Snapshot;
  #ended = false;

  constructor(db: Database, transaction: Snapshot) {
    this.#db = db;
    this.#environment = (db as unknown as { readonly env: EnvironmentState }).env;
    this.#transaction = transaction;
  }

  get(key: string): KvValue | undefined {
    this.#expectAlive();
    const { writeTxn } = this.#environment;
    this.#environment.writeTxn = null;
    try {
      return this.#db.get(key, { transaction: this.#transaction });
    } catch (error) {
      throw lmdbError(error, 'to read');
    } finally {
      this.#environment.writeTxn = writeTxn;
    }
  }

  range(range: KvRange, limit: number, reverse: boolean): readonly KvEntry[] {
    this.#expectAlive();
    return chunkFrom(this.#db, range, limit, reverse, { transaction: this.#transaction }).entries;
  }

  chunk(range: KvRange, limit: number, reverse: boolean): KvChunk {
    this.#expectAlive();
    return chunkFrom(this.#db, range, limit, reverse, { transaction: this.#transaction }, BYTES_BETWEEN_CHECKS);
  }

  count({ from, to }: KvRange): number {
    this.#expectAlive();
    if (from >= to) return 0;
    return reading(() => this.#db.getKeysCount({ start: from, end: to, transaction: this.#transaction }));
  }

  hasMore(range: KvRange, than: number): boolean {
    this.#expectAlive();
    return hasMoreIn(this.#db, range, than, { transaction: this.#transaction });
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
    range: (range, limit, reverse) => chunkFrom(db, range, limit, reverse, {}).entries,
    chunk: (range, limit, reverse) => chunkFrom(db, range, limit, reverse, {}, BYTES_BETWEEN_CHECKS),
    count: ({ from, to }) => (from >= to ? 0 : reading(() => db.getKeysCount({ start: from, end: to }))),
    hasMore: (range, than) => hasMoreIn(db, range, than, {}),
    write([key, value]) {
      try {
        if (value === null) db.removeSync(key);
        else db.putSync(key, value);
      } catch (error) {
        throw lmdbError(error, 'to write');
      }
    },
  };
}

/** Without the cache of decoded records: a task that a write reads is mostly about to change. */
function taskIn(db: Database, key: string): KvValue | undefined {
  const bytes = db.getBinaryFast(key);
  if (bytes === undefined) return undefined;
  countBytes(bytes.length);
  return valueEncoder.decode(bytes);
}

function hasMoreIn(
  db: Database,
  { from, to }: KvRange,
  than: number,
  options: { readonly transaction?: Snapshot },
): boolean {
  if (from >= to) return false;
  return reading(() => {
    for (const _ of db.getKeys({ start: from, end: to, offset: than, limit: 1, ...options })) return true;
    return false;
  });
}

function chunkFrom(
  db: Database,
  { from, to }: KvRange,
  limit: number,
  reverse: boolean,
  options: { readonly transaction?: Snapshot },
  mostBytes = Infinity,
): KvChunk {
  const entries: KvEntry[] = [];
  if (limit <= 0 || from >= to) return { entries, end: null };
  const bounds = reverse
    ? { start: to, exclusiveStart: true, end: from, inclusiveEnd: true, reverse: true }
    : { start: from, end: to };
  const most = bytesCounted() + mostBytes;
  return reading(() => {
    for (const { key, value } of db.getRange({ ...bounds, limit: Math.min(limit, ALL), ...options })) {
      entries.push([key, value]);
      // Otherwise the cursor moves once more before the limit is checked.
      if (entries.length === limit || bytesCounted() >= most) return { entries, end: key };
    }
    return { entries, end: null };
  });
}

function reading<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw lmdbError(error, 'to read');
  }
}
