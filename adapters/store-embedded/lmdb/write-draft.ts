import type { Share } from '../../event-loop/loop-share.ts';
import { EventLoopYielder } from '../../event-loop/yielder.ts';
import type { Kv, KvEntry, KvChunk, KvRange, KvValue } from '../../store-kv/engine/kv.ts';
import { Overlay } from '../../store-kv/engine/overlay.ts';
import type { Database } from './snapshot.ts';
import type { TransactionCache } from './transaction-cache.ts';
import { closed } from '../store-errors.ts';

/**
 * The most changes in memory. Beyond that, each further change moves the oldest one into a nested transaction of lmdb.
 */
const MAX_IN_MEMORY = 256;

/**
 * The buffered changes of one write on top of the open transaction, applied at its end: a write that throws has changed
 * nothing. Not to be used after its end.
 */
export class WriteDraft implements Kv {
  readonly #db: Database;
  readonly #below: TransactionCache;
  readonly #overlay: Overlay;
  readonly #share: Share;
  #inner: InnerTransaction | null = null;
  #ended = false;

  /**
   * @param below the open transaction, for reads
   * @param share for how long the changes may be written before other work has a turn
   */
  constructor(db: Database, below: TransactionCache, share: Share) {
    this.#share = share;
    this.#db = db;
    this.#below = below;
    this.#overlay = new Overlay(below);
  }

  /** Whether a nested transaction is open. */
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

  chunk(range: KvRange, limit: number, reverse: boolean): KvChunk {
    this.#expectAlive();
    return this.#overlay.chunk(range, limit, reverse);
  }

  count(range: KvRange): number {
    this.#expectAlive();
    return this.#overlay.count(range);
  }

  hasMore(range: KvRange, than: number): boolean {
    this.#expectAlive();
    return this.#overlay.hasMore(range, than);
  }

  put(key: string, value: KvValue): void {
    this.#expectAlive();
    this.#overlay.put(key, value);
    if (this.#overlay.size > MAX_IN_MEMORY) this.#spill();
  }

  putNew(key: string, value: KvValue): boolean {
    if (this.get(key) !== undefined) return false;
    this.put(key, value);
    return true;
  }

  remove(key: string): void {
    this.#expectAlive();
    this.#overlay.remove(key);
    if (this.#overlay.size > MAX_IN_MEMORY) this.#spill();
  }

  /**
   * Ends the draft and writes its changes to the transaction, in steps. If lmdb throws, the whole transaction must be
   * aborted.
   */
  async apply(): Promise<void> {
    this.#ended = true;
    const yielder = new EventLoopYielder(this.#share);
    for (const change of this.#overlay.changes()) {
      this.#below.write(change);
      const pause = yielder.step();
      if (pause !== null) await pause;
    }
    if (this.#inner === null) return;
    await this.#inner.commit();
    this.#inner = null;
    this.#below.endNested(false);
  }

  /** Ends the draft and discards its changes. */
  async discard(): Promise<void> {
    this.#ended = true;
    if (this.#inner === null) return;
    await this.#inner.abort();
    this.#inner = null;
    this.#below.endNested(true);
  }

  #spill(): void {
    if (this.#inner === null) {
      this.#below.beginNested();
      this.#inner = new InnerTransaction(this.#db);
    }
    const oldest = this.#overlay.takeOldest();
    if (oldest !== undefined) this.#below.write(oldest);
  }

  #expectAlive(): void {
    if (this.#ended) throw closed();
  }
}

/** A nested transaction, begun at once. All writes go to it until it ends. */
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
