import { EspalierError } from '../../core/errors.ts';
import type { ReadTransaction, Store, Transaction } from '../../core/store.ts';
import { readOnly } from '../kv/kv.ts';
import { StructureCache } from '../kv/structure-cache.ts';
import { KvTransaction } from '../kv/transaction.ts';
import { TreeSnapshot } from './tree.ts';

/**
 * A store that lives and dies with the process. Reads work on the snapshot they began with and never
 * wait; writes run one after another. A snapshot costs nothing, whatever the store holds.
 */
export function memoryStore(): Store {
  return new MemoryStore();
}

class MemoryStore implements Store {
  readonly #cache = new StructureCache();
  #state = new TreeSnapshot();
  #lastWrite: Promise<unknown> = Promise.resolve();
  readonly #running = new Set<Promise<unknown>>();
  #closed = false;

  async read<T>(work: (tx: ReadTransaction) => Promise<T>): Promise<T> {
    this.#expectOpen();
    return this.#track(work(new KvTransaction(readOnly(this.#state), this.#cache)));
  }

  async write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    this.#expectOpen();
    const result = this.#lastWrite.then(() => this.#write(work));
    this.#lastWrite = result.catch(() => undefined);
    return this.#track(result);
  }

  async ready(): Promise<void> {
    this.#expectOpen();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#running);
    this.#state = new TreeSnapshot();
  }

  async #write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const draft = this.#state.draft();
    const tx = new KvTransaction(draft, this.#cache);
    const result = await work(tx);
    this.#state = draft.freeze();
    tx.structures.settle(this.#cache);
    return result;
  }

  #track<T>(call: Promise<T>): Promise<T> {
    const forget = (): void => void this.#running.delete(call);
    this.#running.add(call);
    call.then(forget, forget);
    return call;
  }

  #expectOpen(): void {
    if (this.#closed) throw new EspalierError('store-unavailable', 'The store is closed.');
  }
}
