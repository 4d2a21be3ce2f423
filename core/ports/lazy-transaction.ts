import { COLLECTION_NAMES, type CollectionName } from '../model/collections.ts';
import type { AnyCollection } from './collection.ts';
import type { ReadTransaction, Transaction } from './store.ts';

/** Create the parts of a transaction that are not collections. */
type OtherParts<T extends ReadTransaction> = { readonly [Name in keyof Omit<T, CollectionName>]: () => T[Name] };

type OtherName = keyof OtherParts<Transaction>;

const OTHERS: Readonly<Record<OtherName, true>> = {
  structures: true,
  tasks: true,
  changeLog: true,
  activity: true,
  idempotency: true,
  settings: true,
  indexes: true,
};

type PartName = CollectionName | OtherName;

const NAMES: readonly PartName[] = [...COLLECTION_NAMES, ...(Object.keys(OTHERS) as OtherName[])];

const NONE_MADE: readonly unknown[] = NAMES.map(() => undefined);

class LazyTransaction {
  readonly make: (name: PartName) => unknown;
  /** By the index of the name: reading a property by a variable name takes several times as long. */
  readonly made: unknown[] = NONE_MADE.slice();

  constructor(make: (name: PartName) => unknown) {
    this.make = make;
  }
}

for (const [n, name] of NAMES.entries()) {
  Object.defineProperty(LazyTransaction.prototype, name, {
    get(this: LazyTransaction) {
      return (this.made[n] ??= this.make(name));
    },
  });
}

/** A transaction whose parts are created on first use: a call uses few of them. */
export function lazyTransaction<T extends ReadTransaction>(
  make: (name: CollectionName) => AnyCollection<never>,
  others: OtherParts<T>,
): T {
  const parts = others as OtherParts<Transaction>;
  return new LazyTransaction((name) => (isOther(name) ? parts[name]?.() : make(name))) as unknown as T;
}

/**
 * A transaction with some of its parts replaced. @param collection the replacement for a collection; undefined: not
 * replaced
 */
export function withParts<T extends ReadTransaction>(
  tx: T,
  parts: Partial<OtherParts<T>>,
  collection: (name: CollectionName) => unknown = () => undefined,
): T {
  const replaced = parts as Partial<OtherParts<Transaction>>;
  const make = (name: PartName) => (isOther(name) ? replaced[name]?.() : collection(name)) ?? tx[name as keyof T];
  return new LazyTransaction(make) as unknown as T;
}

function isOther(name: PartName): name is OtherName {
  return name in OTHERS;
}
