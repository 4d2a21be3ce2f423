import type { CollectionName, COLLECTIONS, Records } from '../model/collections.ts';

type Spec<Name extends CollectionName> = (typeof COLLECTIONS)[Name];
type WorkspaceId<Name extends CollectionName> = Spec<Name> extends { of: 'workspace' } ? 'workspaceId' : never;

/** The arguments before an id: the workspace, unless ids are global. */
type Scope<Name extends CollectionName> =
  Spec<Name> extends { of: 'service' } | { globalIds: true } ? [] : [workspaceId: string];

type Values<T, Field extends PropertyKey> = { readonly [F in keyof T & Field]: NonNullable<T[F]> };

type FieldsOf<Name, U> = U extends { fields: readonly (infer Field)[] } ? Field : Name;
/** The fields of a unique constraint, with the workspace in which they are unique. */
export type UniqueValues<Name extends CollectionName> =
  Spec<Name> extends { unique: infer U }
    ? { [K in keyof U]: Values<Records[Name], (FieldsOf<K, U[K]> & PropertyKey) | WorkspaceId<Name>> }[keyof U]
    : never;

/** The name of an index of a collection. */
export type IndexName<Name extends CollectionName> =
  Spec<Name> extends { index: infer Indexes } ? keyof Indexes & string : never;
type IndexOf<Name extends CollectionName, Index> =
  Spec<Name> extends { index: infer Indexes } ? (Index extends keyof Indexes ? Indexes[Index] : never) : never;

type ListedBy<Index> = Index extends { by: readonly (infer Field)[] } ? Field & PropertyKey : never;
type ListedIn<Name extends CollectionName, Index> = Index extends { everywhere: true } ? never : WorkspaceId<Name>;
/** The values that select one list of an index. */
export type ListValues<Name extends CollectionName, Index extends IndexName<Name>> = Pick<
  Records[Name],
  (ListedBy<IndexOf<Name, Index>> | ListedIn<Name, IndexOf<Name, Index>>) & keyof Records[Name]
>;

/**
 * The position after which a slice starts: an id if the index is ordered by id, a record if it has no declared order,
 * else the fields of its order. Trailing fields that are absent count as larger than any value.
 */
export type After<Name extends CollectionName, Index extends IndexName<Name>> =
  IndexOf<Name, Index> extends {
    order: infer Order;
  }
    ? Order extends readonly ['id']
      ? string
      : Order extends readonly (infer Field)[]
        ? Partial<Pick<Records[Name], Field & keyof Records[Name]>>
        : never
    : Records[Name];

/** Which records of a list are read: up to `limit`. */
export interface ListRange<A = unknown> {
  /** The position after which it starts. Absent or null: at the beginning. */
  readonly after?: A | null;
  /** The most records of the answer. */
  readonly limit: number;
  /** Default: ascending. */
  readonly descending?: boolean;
}

interface ReadsById<Name extends CollectionName> {
  /** By id; null if there is none. */
  get(...address: [...Scope<Name>, id: string]): Promise<Records[Name] | null>;
  /** By id. Ids without a record are absent. */
  many(...address: [...Scope<Name>, ids: readonly string[]]): Promise<ReadonlyMap<string, Records[Name]>>;
}

interface ReadsByIndex<Name extends CollectionName> {
  /** By a unique value. */
  by(values: UniqueValues<Name>): Promise<Records[Name] | null>;
  /** A slice of a list of an index, in its order. O(limit). */
  list<Index extends IndexName<Name>>(
    index: Index,
    values: ListValues<Name, Index>,
    range: ListRange<After<Name, Index>>,
  ): Promise<readonly Records[Name][]>;
  /** The number of records that {@link list} would return. O(limit). */
  count<Index extends IndexName<Name>>(
    index: Index,
    values: ListValues<Name, Index>,
    range: ListRange<After<Name, Index>>,
  ): Promise<number>;
}

interface InsertsRecords<Name extends CollectionName> {
  /** @throws the code of the unique constraint that is violated */
  insert(record: Records[Name]): Promise<void>;
}

interface ChangesRecords<Name extends CollectionName> {
  /** Replaces the record with the same id. @throws like `insert` */
  replace(record: Records[Name]): Promise<void>;
  /** Removes the record with the same id. */
  remove(record: Records[Name]): Promise<void>;
}

/** The records of one noun, as declared in `core/model/collections.ts`. */
export type CollectionReads<Name extends CollectionName> = ReadsByIndex<Name> &
  (Spec<Name> extends { keyedBy: string } ? unknown : ReadsById<Name>);

/** The records of one noun, as a write transaction reads and writes them. */
export type Collection<Name extends CollectionName> = CollectionReads<Name> &
  InsertsRecords<Name> &
  (Spec<Name> extends { immutable: true } ? unknown : ChangesRecords<Name>);

/** A collection of any noun, as stores implement it and wrappers wrap it. Callers use the precise types above. */
export interface AnyCollection<T = object> {
  /** By id; null if there is none. */
  get(...address: readonly string[]): Promise<T | null>;
  /** By id. Ids without a record are absent. */
  many(...address: readonly [...scope: string[], ids: readonly string[]]): Promise<ReadonlyMap<string, T>>;
  /** By a unique value; null if there is none. */
  by(values: object): Promise<T | null>;
  /** A slice of a list of an index, in its order. O(limit). */
  list(index: string, values: object, range: ListRange): Promise<readonly T[]>;
  /** The number of records that {@link list} would return. O(limit). */
  count(index: string, values: object, range: ListRange): Promise<number>;
  /** Stores a new record. @throws the code of the unique constraint that is violated */
  insert(record: T): Promise<void>;
  /** Replaces the record with the same id. @throws like `insert`; `TypeError` if the collection is immutable */
  replace(record: T): Promise<void>;
  /** Removes the record with the same id. @throws `TypeError` if the collection is immutable */
  remove(record: T): Promise<void>;
}

/** Every collection. */
export type Collections = { readonly [Name in CollectionName]: Collection<Name> };
