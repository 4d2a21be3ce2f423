import { COLLECTION_NAMES, specOf } from '../../../core/model/collections.ts';
import type { DocumentCollection } from '../connection/collections.ts';
import { hasDerived } from '../query/documents.ts';
import type { Doc, Query, BulkWrite } from '../query/query.ts';

/**
 * The state of the writers of one transaction, in two layers: that of earlier writers, and on top of it that of the
 * current writer. The upper layer is merged into the lower one, or dropped, of all maps at once.
 */
export class WriterLayers {
  readonly #maps: WriterMap<unknown>[] = [];

  map<V>(): WriterMap<V> {
    const made = new WriterMap<V>();
    this.#maps.push(made);
    return made;
  }

  keepWriter(): void {
    for (const each of this.#maps) each.keepWriter();
  }

  rollbackWriter(): void {
    for (const each of this.#maps) each.rollbackWriter();
  }
}

/** One map in these layers. Reads see the upper one first. */
export class WriterMap<V> {
  readonly #lower = new Map<string, V>();
  readonly #upper = new Map<string, V>();

  get(key: string): V | undefined {
    return this.#upper.has(key) ? this.#upper.get(key) : this.#lower.get(key);
  }

  has(key: string): boolean {
    return this.#upper.has(key) || this.#lower.has(key);
  }

  set(key: string, value: V): void {
    this.#upper.set(key, value);
  }

  /** Every key once, with the value that `get` gives. */
  entries(): ReadonlyMap<string, V> {
    return new Map([...this.#lower, ...this.#upper]);
  }

  keepWriter(): void {
    for (const [key, value] of this.#upper) this.#lower.set(key, value);
    this.#upper.clear();
  }

  rollbackWriter(): void {
    this.#upper.clear();
  }
}

/**
 * Writes that are not sent yet, in the order of the writers. Those of the current writer can be rolled back until one
 * of them is sent.
 */
export class WriteBuffer {
  /** `kept` is the number of writes by earlier writers. */
  readonly #buffered = new Map<DocumentCollection, { readonly writes: BulkWrite[]; kept: number }>();
  /** Whether a write of the current writer was sent. */
  #flushed = false;

  add(from: DocumentCollection, write: BulkWrite): void {
    const buffered = this.#buffered.get(from);
    if (buffered === undefined) this.#buffered.set(from, { writes: [write], kept: 0 });
    else buffered.writes.push(write);
  }

  get collections(): readonly DocumentCollection[] {
    return [...this.#buffered.keys()];
  }

  /** Removes the writes to a collection and returns them, to be sent. */
  take(from: DocumentCollection): BulkWrite[] {
    const { writes, kept } = this.#buffered.get(from) ?? { writes: [], kept: 0 };
    this.#buffered.delete(from);
    if (writes.length > kept) this.#flushed = true;
    return writes;
  }

  keepWriter(): void {
    for (const each of this.#buffered.values()) each.kept = each.writes.length;
    this.#flushed = false;
  }

  /** @returns false if it is too late, as a write of the current writer was sent */
  rollbackWriter(): boolean {
    for (const { writes, kept } of this.#buffered.values()) writes.length = kept;
    return !this.#flushed;
  }
}

/** The fields of `Query.one`: a buffered document is found by these too. */
const UNIQUE_FIELDS = [...new Set(COLLECTION_NAMES.flatMap((name) => Object.keys(specOf(name).unique ?? {})))];

interface MappedDocument {
  /** Null: there is none with this id. */
  readonly doc: Doc | null;
  /** Whether this transaction has written it. */
  readonly written: boolean;
}

/**
 * The documents that a transaction has read or written, by id and by unique value, so that each is read once and a
 * writer finds what it has written before it is sent. Additions by the current writer are kept or rolled back with it.
 *
 * Invariant: an entry has the state that the database would have if all buffered writes were sent.
 */
export class IdentityMap {
  readonly #docs: WriterMap<MappedDocument>;
  /** May be out of date: an entry counts only if the document still has the value. */
  readonly #idByValue: WriterMap<string>;
  /** Ids that no document of a workspace has. It counts only while nothing else is known of the id. */
  readonly #missing: WriterMap<true>;

  constructor(layers: WriterLayers) {
    this.#docs = layers.map();
    this.#idByValue = layers.map();
    this.#missing = layers.map();
  }

  /** The document of a query; undefined if it must be queried. */
  find({ from, one, workspaceId }: Query): Doc | null | undefined {
    if (one === undefined) return undefined;
    const id = 'id' in one ? one.id : this.#idByValue.get(valueKey(from, one.field, one.value, workspaceId));
    const doc = id === undefined ? undefined : this.#docs.get(docKey(from, id))?.doc;
    if (doc === undefined && 'id' in one && this.#missing.has(missingKey(from, one.id, workspaceId))) return null;
    if (!doc) return 'id' in one ? doc : undefined;
    if ('field' in one && doc[one.field] !== one.value) return undefined;
    return workspaceId === undefined || doc['workspaceId'] === workspaceId ? doc : null;
  }

  /**
   * Adds an answer of the database.
   *
   * @returns the document as this transaction sees it, which may have changed it since
   */
  add({ from, one, workspaceId }: Query, found: Doc | null): Doc | null {
    const id = one !== undefined && 'id' in one ? one.id : found?._id;
    if (one === undefined || id === undefined) return found;
    const key = docKey(from, id);
    // The database finds the document by a value that this transaction has changed: otherwise `find` would have
    // returned it.
    if (this.#docs.get(key)?.written === true) return null;
    // The document is missing in this workspace, but may exist in another.
    if (found === null && workspaceId !== undefined) this.#missing.set(missingKey(from, id, workspaceId), true);
    else this.#docs.set(key, { doc: found, written: false });
    if ('field' in one) this.#idByValue.set(valueKey(from, one.field, one.value, workspaceId), id);
    return found;
  }

  /** Adds documents that are certainly in the database in this state. */
  seed(from: DocumentCollection, docs: readonly Doc[]): void {
    for (const doc of docs) {
      const key = docKey(from, doc._id);
      if (!this.#docs.has(key)) this.#docs.set(key, { doc, written: false });
    }
  }

  /** The document with an id. Null: there is none. Undefined: not all of its fields are known. */
  known(from: DocumentCollection, id: string): Doc | null | undefined {
    const doc = this.#docs.get(docKey(from, id))?.doc;
    return doc && !hasDerived(from, doc) ? undefined : doc;
  }

  all(from: DocumentCollection): Doc[] {
    return [...this.#docs.entries()].flatMap(([key, { doc }]) => (doc && key.startsWith(`${from} `) ? [doc] : []));
  }

  /** @param doc null: it is removed */
  write(from: DocumentCollection, id: string, doc: Doc | null): void {
    this.#docs.set(docKey(from, id), { doc, written: true });
    for (const field of doc === null ? [] : UNIQUE_FIELDS) {
      const value: unknown = doc?.[field];
      if (typeof value !== 'string') continue;
      this.#idByValue.set(valueKey(from, field, value, doc?.['workspaceId'] as string | undefined), id);
    }
  }
}

function docKey(from: DocumentCollection, id: string): string {
  return `${from} ${id}`;
}

function missingKey(from: DocumentCollection, id: string, workspaceId: string | undefined): string {
  return `${from} ${workspaceId ?? ''} ${id}`;
}

function valueKey(from: DocumentCollection, field: string, value: string, workspaceId: string | undefined): string {
  return `${from} ${workspaceId ?? ''} ${field} ${value}`;
}
