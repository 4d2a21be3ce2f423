import type { Query, Doc } from '../query/query.ts';
import type { CollectionName } from '../connection/collections.ts';
import type { UndoLog } from './undo.ts';

/** Looked up by these too, so documents written and not yet sent are found by them. */
const VALUES = ['externalId', 'email', 'alias', 'hash', 'identity'] as const;

/** Documents that a transaction has read by id or written; null where there is none. */
export class IdentityMap {
  readonly #undo: UndoLog;
  readonly #docs = new Map<string, Doc | null>();
  /** Ids by value. */
  readonly #idByValue = new Map<string, string>();
  readonly #written = new Set<string>();

  constructor(undo: UndoLog) {
    this.#undo = undo;
  }

  /** Undefined when it takes a query to tell. */
  answer({ from, one, workspaceId }: Query): Doc | null | undefined {
    if (one === undefined) return undefined;
    const id = 'id' in one ? one.id : this.#idByValue.get(valueKey(from, one.field, one.value, workspaceId));
    if (id === undefined) return undefined;
    const doc = this.#docs.get(docKey(from, id));
    if (!doc || workspaceId === undefined || doc['workspaceId'] === workspaceId) return doc;
    return null;
  }

  /** What was found, unless this transaction has made something else of it. */
  learn(query: Query, found: Doc | null): Doc | null {
    const { from, one, workspaceId } = query;
    if (one === undefined) return found;
    const id = 'id' in one ? one.id : found?._id;
    if (id === undefined) return null;
    const key = docKey(from, id);
    // It was written by this transaction and no longer has the value, or it would have been found by it here.
    if (this.#written.has(key)) return null;
    // Missing in this workspace: it may be in another.
    if (found !== null || workspaceId === undefined) this.#undo.set(this.#docs, key, found);
    if ('field' in one) this.#undo.set(this.#idByValue, valueKey(from, one.field, one.value, workspaceId), id);
    return found;
  }

  /** Documents that the database is known to have as they are. */
  seed(from: CollectionName, docs: readonly Doc[]): void {
    for (const doc of docs) {
      const key = docKey(from, doc._id);
      if (!this.#docs.has(key)) this.#docs.set(key, doc);
    }
  }

  all(from: CollectionName): Doc[] {
    return [...this.#docs].flatMap(([key, doc]) => (doc !== null && key.startsWith(`${from} `) ? [doc] : []));
  }

  write(from: CollectionName, id: string, doc: Doc | null): void {
    const key = docKey(from, id);
    const before = this.#docs.get(key);
    if (before) {
      for (const holder of holderKeys(from, before)) {
        if (this.#idByValue.get(holder) === id) this.#undo.delete(this.#idByValue, holder);
      }
    }
    this.#undo.set(this.#docs, key, doc);
    if (!this.#written.has(key)) {
      this.#written.add(key);
      this.#undo.did(() => void this.#written.delete(key));
    }
    if (doc !== null) for (const holder of holderKeys(from, doc)) this.#undo.set(this.#idByValue, holder, id);
  }

  /** Of all in a collection it takes a query to tell. What is pending must have been sent. */
  forget(from: CollectionName): void {
    for (const key of this.#docs.keys()) {
      if (!key.startsWith(`${from} `)) continue;
      this.#undo.delete(this.#docs, key);
      if (this.#written.delete(key)) this.#undo.did(() => void this.#written.add(key));
    }
    for (const key of this.#idByValue.keys()) if (key.startsWith(`${from} `)) this.#undo.delete(this.#idByValue, key);
  }
}

function docKey(from: CollectionName, id: string): string {
  return `${from} ${id}`;
}

function holderKeys(from: CollectionName, doc: Doc): string[] {
  return VALUES.flatMap((field) => {
    const value: unknown = doc[field];
    return typeof value === 'string' ? [valueKey(from, field, value, doc['workspaceId'] as string | undefined)] : [];
  });
}

function valueKey(from: CollectionName, field: string, value: string, workspaceId: string | undefined): string {
  return `${from} ${workspaceId ?? ''} ${field} ${value}`;
}
