import type { AnyCollection, ListRange } from '../ports/collection.ts';

/** A collection that forwards every call to another. Subclasses override methods. */
export class CollectionWrapper<T extends object> implements AnyCollection<T> {
  readonly #inner: AnyCollection<T>;

  constructor(inner: AnyCollection<T>) {
    this.#inner = inner;
  }

  get(...address: readonly string[]): Promise<T | null> {
    return this.#inner.get(...address);
  }

  many(...address: readonly [...scope: string[], ids: readonly string[]]): Promise<ReadonlyMap<string, T>> {
    return this.#inner.many(...address);
  }

  by(values: object): Promise<T | null> {
    return this.#inner.by(values);
  }

  list(index: string, values: object, range: ListRange): Promise<readonly T[]> {
    return this.#inner.list(index, values, range);
  }

  count(index: string, values: object, range: ListRange): Promise<number> {
    return this.#inner.count(index, values, range);
  }

  insert(record: T): Promise<void> {
    return this.#inner.insert(record);
  }

  replace(record: T): Promise<void> {
    return this.#inner.replace(record);
  }

  remove(record: T): Promise<void> {
    return this.#inner.remove(record);
  }
}
