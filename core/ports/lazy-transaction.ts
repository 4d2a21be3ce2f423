import { COLLECTION_NAMES, type CollectionName } from '../model/collections.ts';
import type { AnyCollection } from './collection.ts';
import type { ReadTransaction } from './store.ts';

type Make = (name: CollectionName) => unknown;

/** The parts of a transaction that are not collections. */
type Others<T extends ReadTransaction> = Omit<T, CollectionName>;

class LazyTransaction {
  readonly make: Make;
  readonly made: Partial<Record<CollectionName, unknown>> = {};

  constructor(make: Make, others: object) {
    this.make = make;
    Object.assign(this, others);
  }
}

for (const name of COLLECTION_NAMES) {
  Object.defineProperty(LazyTransaction.prototype, name, {
    get(this: LazyTransaction) {
      return (this.made[name] ??= this.make(name));
    },
  });
}

/** A transaction whose collections are created on first use: a call uses few of them. */
export function lazyTransaction<T extends ReadTransaction>(
  make: (name: CollectionName) => AnyCollection<never>,
  others: Others<T>,
): T {
  return new LazyTransaction(make, others) as unknown as T;
}

/**
 * A transaction with some of its parts replaced. @param collection the replacement for a collection; undefined: not
 * replaced
 */
export function withParts<T extends ReadTransaction>(
  tx: T,
  parts: Partial<Others<T>>,
  collection: (name: CollectionName) => unknown = () => undefined,
): T {
  const { structures, tasks, changeLog, activity, idempotency, settings } = tx;
  const others = { structures, tasks, changeLog, activity, idempotency, settings, ...parts };
  return new LazyTransaction((name) => collection(name) ?? tx[name], others) as unknown as T;
}
