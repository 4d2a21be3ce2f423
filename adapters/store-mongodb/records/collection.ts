import {
  type CollectionName,
  type CollectionSpec,
  expectMutable,
  type IndexSpec,
  orderIn,
  specOf,
  uniqueFields,
  uniqueValue,
  workspaceOf,
} from '../../../core/model/collections.ts';
import type { AnyCollection, ListRange } from '../../../core/ports/collection.ts';
import { byIds, countOf, type DocumentWriter, fromDoc, type HasId, toDoc } from '../query/documents.ts';
import { type Doc, follows, type Query, queryById, queryByValue } from '../query/query.ts';

type DocumentRecord = HasId & { readonly workspaceId?: string | null };
type WriteKind = 'insert' | 'replace' | 'remove';

/** For records that identify a caller: the field with the user, and the writes that count as a change of that user. */
const OF_USER: Partial<Record<CollectionName, { readonly field: string; readonly changes: readonly WriteKind[] }>> = {
  users: { field: 'id', changes: ['replace'] },
  tokens: { field: 'userId', changes: ['replace', 'remove'] },
  // A user is linked to an issuer only if none of their identities is of that issuer.
  identities: { field: 'userId', changes: ['insert'] },
};

/**
 * The records of a collection as documents, as its declaration says.
 *
 * Locks: writes in one workspace exclude each other. Of the collections of the service, users, tokens and identities
 * are read under a lock of the user, and workspaces under their own; writes that use any other collection of the
 * service exclude each other.
 */
export class MongodbCollection<T extends DocumentRecord = DocumentRecord> implements AnyCollection<T> {
  readonly #documents: DocumentWriter;
  readonly #name: CollectionName;
  readonly #spec: CollectionSpec;

  constructor(documents: DocumentWriter, name: CollectionName, spec = specOf(name)) {
    this.#documents = documents;
    this.#name = name;
    this.#spec = spec;
  }

  async get(...address: readonly string[]): Promise<T | null> {
    const id = address.at(-1) ?? '';
    return (await this.many(...address.slice(0, -1), [id])).get(id) ?? null;
  }

  async many(...address: readonly [...scope: string[], ids: readonly string[]]): Promise<ReadonlyMap<string, T>> {
    const workspaceId = address.length > 1 ? (address[0] as string) : undefined;
    const ids = [...new Set(address.at(-1) as readonly string[])];
    if (ids.length === 0) return new Map();
    if (this.#isLockedWhole) await this.#documents.lock({ name: this.#name });
    const docs =
      ids.length === 1
        ? [await this.#documents.one(queryById(this.#name, ids[0]!, workspaceId))]
        : await byIds(this.#documents, this.#name, ids, workspaceId);
    if (this.#name === 'users') await this.#documents.lock({ usersRead: ids });
    return new Map(docs.flatMap((doc) => (doc === null ? [] : [[doc._id, this.#fromDoc(doc)]])));
  }

  async by(values: object): Promise<T | null> {
    if (this.#isLockedWhole) await this.#documents.lock({ name: this.#name });
    for (const [name, unique] of Object.entries(this.#spec.unique ?? {})) {
      const fields = uniqueFields(name, unique);
      if (!fields.every((field) => field in values)) continue;
      const value = uniqueValue(values, fields) ?? '';
      const query = queryByValue(this.#name, name, value, workspaceOf(values) ?? undefined);
      const found = await this.#documents.one(query);
      return found === null ? null : this.#fromDoc(found);
    }
    return null;
  }

  async list(name: string, values: object, range: ListRange): Promise<readonly T[]> {
    if (range.limit <= 0) return [];
    const { query, order } = await this.#indexed(name, values, range);
    const sort = sortBy(order, workspaceOf(values), range.descending === true ? -1 : 1);
    return (await this.#documents.query({ ...query, sort })).map((doc) => this.#fromDoc(doc));
  }

  async count(name: string, values: object, range: ListRange): Promise<number> {
    const { query } = await this.#indexed(name, values, range);
    return countOf(this.#documents, query);
  }

  /** A range of the list of an index, and the order of the index. Takes the locks on which the list depends. */
  async #indexed(name: string, values: object, { after = null, limit, descending = false }: ListRange) {
    const index = this.#spec.index?.[name] ?? {};
    await this.#lockList(name, index, values);
    const order = orderIn(this.#spec, index);
    const filter = { ...listed(index, values), ...following(order, after, descending) };
    const query = this.#query(filter, workspaceOf(values));
    return { query: limit === Infinity ? query : { ...query, limit }, order };
  }

  async insert(record: T): Promise<void> {
    await this.#lockToWrite('insert', record);
    await this.#documents.insert(this.#name, this.#toDoc(record));
  }

  async replace(record: T): Promise<void> {
    await this.#lockToWrite('replace', record);
    await this.#documents.replace(this.#name, this.#toDoc(record));
  }

  async remove(record: T): Promise<void> {
    await this.#lockToWrite('remove', record);
    await this.#documents.remove(this.#name, record.id, record.workspaceId ?? undefined);
  }

  get #isLockedWhole(): boolean {
    return this.#spec.of === 'service' && this.#name !== 'workspaces' && OF_USER[this.#name] === undefined;
  }

  async #lockList(name: string, { by = [], exclusive }: IndexSpec, values: object): Promise<void> {
    if (this.#isLockedWhole) await this.#documents.lock({ name: this.#name });
    const [id] = by.map((field) => Reflect.get(values, field) as string);
    if (exclusive === true) await this.#documents.lock({ name: id === undefined ? name : `${this.#name}/${id}` });
    if (id !== undefined && by[0] === OF_USER[this.#name]?.field) await this.#documents.lock({ usersRead: [id] });
  }

  async #lockToWrite(write: WriteKind, record: T): Promise<void> {
    if (write !== 'insert') expectMutable(this.#spec);
    if (this.#isLockedWhole) await this.#documents.lock({ name: this.#name });
    const user = OF_USER[this.#name];
    if (user?.changes.includes(write) !== true) return;
    await this.#documents.lock({ userChanged: Reflect.get(record, user.field) as string });
  }

  #query(filter: Query['filter'], workspaceId: string | null | undefined): Query {
    if (workspaceId === null) return { from: this.#name, filter: { workspaceId: { $eq: null }, ...filter } };
    return { from: this.#name, workspaceId, filter };
  }

  /** Unique values of several fields are stored beside the fields. */
  #toDoc(record: T): Doc {
    const { id: _id, workspaceId = null } = record;
    if (this.#spec.opaque === true) return { _id, workspaceId, record: JSON.stringify(record) };
    const doc = toDoc(record);
    for (const [name, unique] of Object.entries(this.#spec.unique ?? {})) {
      if (unique.fields !== undefined) doc[name] = uniqueValue(record, unique.fields);
    }
    return doc;
  }

  #fromDoc(doc: Doc): T {
    const { opaque, unique = {}, upgrade } = this.#spec;
    if (opaque === true) return JSON.parse(doc['record'] as string) as T;
    const record = fromDoc<T>(doc);
    for (const name in unique) if (unique[name]?.fields !== undefined) Reflect.deleteProperty(record, name);
    return upgrade === undefined ? record : (upgrade(record as never) as unknown as T);
  }
}

/** The condition for the records that an index lists. */
function listed({ by = [], where = {} }: IndexSpec, values: object): Query['filter'] {
  const all = [...by.map((field) => [field, Reflect.get(values, field) as unknown] as const), ...Object.entries(where)];
  return Object.fromEntries(all.map(([field, value]) => [field, { $eq: value }]));
}

/** The condition for records after an id, or after values of the first fields of the order. */
function following(order: readonly string[], after: unknown, descending: boolean): Query['filter'] {
  if (after === null) return {};
  const [fields, from] = typeof after === 'string' ? [['id'], { id: after }] : [order, after as object];
  const bounds = fields.map((field) => ({
    path: pathOf(field),
    value: Reflect.get(from, field) as unknown,
    descending,
  }));
  const end = bounds.findIndex(({ value }) => value === undefined);
  return follows(end < 0 ? bounds : bounds.slice(0, end)) ?? {};
}

/** A null `workspaceId` also matches documents without the field, so the index is only used if the sort names it. */
function sortBy(order: readonly string[], workspaceId: string | null | undefined, direction: 1 | -1) {
  const fields = [...(workspaceId === null ? ['workspaceId'] : []), ...order.map(pathOf)];
  if (!fields.includes('_id')) fields.push('_id');
  return Object.fromEntries(fields.map((field) => [field, direction]));
}

function pathOf(field: string): string {
  return field === 'id' ? '_id' : field;
}
