import type { Kv, KvEntry, KvRange, KvValue } from '../store-kv/engine/kv.ts';
import { Overlay } from '../store-kv/engine/overlay.ts';
import type { Database } from './snapshot.ts';
import type { TransactionCache } from './transaction-cache.ts';
import { closed, unavailable } from './unavailable.ts';

/** Changes kept in memory at most. A write of more becomes a transaction of the engine inside that of the batch. */
const MOST_IN_MEMORY = 2_000;

/**
 * What one write has changed so far, kept beside the open transaction until the write has come to its end:
 * one that throws has touched nothing. Not to be used after its end.
 */
export class WriteDraft implements Kv {
  readonly #db: Database;
  readonly #below: TransactionCache;
  readonly #overlay: Overlay;
  #inner: InnerTransaction | null = null;
  #ended = false;

  /** @param below reads the transaction that is open */
  constructor(db: Database, below: TransactionCache) {
    this.#db = db;
    this.#below = below;
    this.#overlay = new Overlay(below);
  }

  /** Whether a transaction inside the one that is open is open. */
  get isInner(): boolean {
    return this.#inner !== null;
  }

  get(key: string): KvValue | undefined {
    this.#expectAlive();
    return this.#overlay.get(key);
  }

  range(range: KvRange, limit: number, reverse: boolean): readonly KvEntry[] {
    this.#expectAlive();
    return this.#overlay.range(range, limit, reverse);
  }

  count(range: KvRange): number {
    this.#expectAlive();
    return this.#overlay.count(range);
  }

  put(key: string, value: KvValue): void {
    this.#expectAlive();
    this.#overlay.put(key, value);
    if (this.#overlay.size >= MOST_IN_MEMORY) this.#makeRoom();
  }

  remove(key: string): void {
    this.#expectAlive();
    this.#overlay.remove(key);
    if (this.#overlay.size >= MOST_IN_MEMORY) this.#makeRoom();
  }

  /** Ends it, and gives what it holds to the transaction. It throws as the engine does: then all of that is to be undone. */
  async apply(): Promise<void> {
    this.#ended = true;
    writeChanges(this.#db, this.#overlay, this.#below);
    await this.#inner?.commit();
  }

  /** Ends it without a trace. */
  async drop(): Promise<void> {
    this.#ended = true;
    if (this.#inner === null) return;
    this.#below.clear();
    await this.#inner.abort();
  }

  #makeRoom(): void {
    this.#inner ??= new InnerTransaction(this.#db);
    writeChanges(this.#db, this.#overlay, this.#below);
    this.#overlay.clear();
  }

  #expectAlive(): void {
    if (this.#ended) throw closed();
  }
}

/** Begins at once in the transaction that is open, and is all there is until it ends. */
class InnerTransaction {
  readonly #ended: Promise<void>;
  #end!: (aborted?: Error) => void;

  constructor(db: Database) {
    const end = new Promise<void>((resolve, reject) => {
      this.#end = (aborted) => (aborted === undefined ? resolve() : reject(aborted));
    });
    this.#ended = Promise.resolve(db.childTransaction(() => end));
  }

  async commit(): Promise<void> {
    this.#end();
    await this.#ended;
  }

  async abort(): Promise<void> {
    const reason = new Error('The write is undone.');
    this.#end(reason);
    await this.#ended.catch((error: unknown) => {
      if (error !== reason) throw error;
    });
  }
}

/** Puts the changes into the transaction that is open. @param cache of what is read in it */
export function writeChanges(db: Database, changes: Overlay, cache?: TransactionCache): void {
  try {
    for (const change of changes.changes()) {
      const [key, value] = change;
      if (value === null) db.removeSync(key);
      else db.putSync(key, value);
      cache?.written(change);
    }
  } catch (error) {
    throw unavailable(error, 'to write');
  }
}
