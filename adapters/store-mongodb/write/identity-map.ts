import { COLLECTION_NAMES, specOf } from '../../../core/model/collections.ts';
import type { DocumentCollection } from '../connection/collections.ts';
import type { Doc, Query } from '../query/query.ts';
import type { LayeredMap, Layers } from './layers.ts';

/** The fields of `Query.one`: a document that is written and not yet sent is found by these too. */
const UNIQUE_FIELDS = [...new Set(COLLECTION_NAMES.flatMap((name) => Object.keys(specOf(name).unique ?? {})))];

interface Entry {
  /** Null: there is none with this id. */
  readonly doc: Doc | null;
  /** Whether this transaction has written it. */
  readonly written: boolean;
}

/**
 * The documents that a transaction has read or written, by id and by unique value, so that each is read once and a
 * writer finds what it has written before it is sent. What the present writer adds is kept or rolled back with it.
 *
 * Invariant: an entry has the state that the database would show, were all buffered writes sent.
 */
export class IdentityMap {
  readonly #docs: LayeredMap<Entry>;
  /** May be out of date: it counts only when the document has the value. */
  readonly #idByValue: LayeredMap<string>;

  constructor(layers: Layers) {
    this.#docs = layers.map();
    this.#idByValue = layers.map();
  }

  /** Undefined when it takes a query to tell. */
  find({ from, one, workspaceId }: Query): Doc | null | undefined {
    if (one === undefined) return undefined;
    const id = 'id' in one ? one.id : this.#idByValue.get(valueKey(from, one.field, one.value, workspaceId));
    const doc = id === undefined ? undefined : this.#docs.get(docKey(from, id))?.doc;
    if (!doc) return 'id' in one ? doc : undefined;
    if ('field' in one && doc[one.field] !== one.value) return undefined;
    return workspaceId === undefined || doc['workspaceId'] === workspaceId ? doc : null;
  }

  /** Adds what the database has answered. @returns what counts: this transaction may have changed it since */
  add({ from, one, workspaceId }: Query, found: Doc | null): Doc | null {
    const id = one !== undefined && 'id' in one ? one.id : found?._id;
    if (one === undefined || id === undefined) return found;
    const key = docKey(from, id);
    // It was found by a value that this transaction has taken from it, or `find` had given it.
    if (this.#docs.get(key)?.written === true) return null;
    // Missing in this workspace: it may be in another.
    if (found !== null || workspaceId === undefined) this.#docs.set(key, { doc: found, written: false });
    if ('field' in one) this.#idByValue.set(valueKey(from, one.field, one.value, workspaceId), id);
    return found;
  }

  /** Adds documents of which it is certain that the database has them as they are. */
  seed(from: DocumentCollection, docs: readonly Doc[]): void {
    for (const doc of docs) {
      const key = docKey(from, doc._id);
      if (!this.#docs.has(key)) this.#docs.set(key, { doc, written: false });
    }
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

function valueKey(from: DocumentCollection, field: string, value: string, workspaceId: string | undefined): string {
  return `${from} ${workspaceId ?? ''} ${field} ${value}`;
}
