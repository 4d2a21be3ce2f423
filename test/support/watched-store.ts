import { EspalierError } from '../../core/kernel/errors.ts';
import type { ReadTransaction, Store, Transaction } from '../../core/ports/store.ts';
import type { StructureChange } from '../../core/model/structure.ts';

type Counted = (...args: readonly never[]) => number;

/** How many records a call of a method that writes concerns. */
const WRITES: Readonly<Record<string, Counted>> = {
  insert: () => 1,
  replace: () => 1,
  remove: () => 1,
  touch: () => 1,
  put: () => 1,
  append: (records: readonly unknown[]) => records.length,
  change: (_: unknown, { workspace, members = [], pages = [], removedPages = [] }: StructureChange) =>
    (workspace === undefined ? 0 : 1) + members.length + pages.length + removedPages.length,
};

/** A store that counts what each transaction writes, and can go out of reach between two of them. */
export class WatchedStore implements Store {
  /** Records written by each transaction that was committed. */
  readonly written: number[] = [];
  /** Transactions that may write before the store is out of reach, as if the process had ended there. */
  reach = Infinity;
  /** Told of each transaction that was committed. */
  onWritten: () => void = () => undefined;
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  read<T>(work: (tx: ReadTransaction) => Promise<T>): Promise<T> {
    return this.#store.read(work);
  }

  async write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    if (this.reach <= 0) throw new EspalierError('store-unavailable', 'The store is out of reach.');
    let records = 0;
    const result = await this.#store.write((tx) => {
      records = 0;
      return work(counting(tx, (more) => (records += more)));
    });
    if (records > 0) {
      this.written.push(records);
      this.reach -= 1;
      this.onWritten();
    }
    return result;
  }

  ready(): Promise<void> {
    return this.#store.ready();
  }

  close(): Promise<void> {
    return this.#store.close();
  }
}

function counting(tx: Transaction, count: (records: number) => void): Transaction {
  const repositories = Object.entries(tx).map(([name, repository]) => [name, watched(repository as object, count)]);
  return Object.fromEntries(repositories) as Transaction;
}

function watched(repository: object, count: (records: number) => void): object {
  return new Proxy(repository, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      const counted = typeof name === 'string' && Object.hasOwn(WRITES, name) ? WRITES[name] : undefined;
      return (...args: readonly never[]): unknown => {
        if (counted !== undefined) count(counted(...args));
        return method.apply(target, args) as unknown;
      };
    },
  });
}
