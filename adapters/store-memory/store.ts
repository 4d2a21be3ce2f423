import { EspalierError } from '../../core/kernel/errors.ts';
import type { ReadTransaction, Store, Transaction } from '../../core/ports/store.ts';
import { CallTracker } from '../event-loop/call-tracker.ts';
import { readOnly } from '../store-kv/engine/kv.ts';
import { StructureCache } from '../store-kv/structure/structure-cache.ts';
import { runWithWholeStructures } from '../store-kv/structure/whole-structures.ts';
import { kvTransaction, kvWriteTransaction } from '../store-kv/transaction.ts';
import { CommittedTree } from './committed-tree.ts';

/**
 * A store without persistence. Reads use the snapshot they began with and never wait; writes run one after another. A
 * snapshot is O(1) (see {@link CommittedTree}).
 */
export function memoryStore(): Store {
  return new MemoryStore();
}

class MemoryStore implements Store {
  /** The default limit of the change logs, as they are in memory. */
  readonly keepChanges = { count: 100_000 };
  readonly #cache = new StructureCache();
  #tree = new CommittedTree();
  #lastWrite: Promise<unknown> = Promise.resolve();
  readonly #calls = new CallTracker();
  #closing: Promise<void> | null = null;

  read<T>(work: (tx: ReadTransaction) => Promise<T>): Promise<T> {
    return this.#call(() => this.#read(work));
  }

  write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#call((mayLoad) => this.#queue(work, mayLoad));
  }

  async ready(): Promise<void> {
    this.#expectOpen();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#calls.idle();
    this.#tree = new CommittedTree();
  }

  #call<T>(run: (mayLoad: boolean) => Promise<T>): Promise<T> {
    return this.#calls.track(() => {
      this.#expectOpen();
      return runWithWholeStructures(run, this.#load);
    });
  }

  readonly #load = (work: (tx: ReadTransaction) => Promise<unknown>): Promise<unknown> => this.#read(work);

  #read<T>(work: (tx: ReadTransaction) => Promise<T>): Promise<T> {
    return work(kvTransaction(readOnly(this.#tree.snapshot()), this.#cache));
  }

  #queue<T>(work: (tx: Transaction) => Promise<T>, mayLoad: boolean): Promise<T> {
    const result = this.#lastWrite.then(() => this.#write(work, mayLoad));
    this.#lastWrite = result.catch(() => undefined);
    return result;
  }

  async #write<T>(work: (tx: Transaction) => Promise<T>, mayLoad: boolean): Promise<T> {
    const tree = this.#tree;
    const tx = kvWriteTransaction(tree.draft(), this.#cache, mayLoad);
    try {
      const result = await work(tx);
      tree.commit();
      tx.structures.settle(this.#cache);
      return result;
    } catch (error) {
      tree.rollback();
      throw error;
    }
  }

  #expectOpen(): void {
    if (this.#closing !== null) throw new EspalierError('store-unavailable', 'The store is closed.');
  }
}
