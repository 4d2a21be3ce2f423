import type { KvEntry, KvReader } from '../engine/kv.ts';
import {
  entriesOf,
  type Layout,
  recordAt,
  type KeyScope,
  scopeIn,
  scopeKey,
  type StoredRecord,
  upToDate,
} from '../records/layout.ts';
import { NO_WORKSPACE, type WorkspaceKeys } from '../structure/workspace-keys.ts';
import type { IndexedKind, IndexedRecord, CheckedIndex } from './indexed-record.ts';

/** The records of a collection. */
export class IndexedCollection implements IndexedKind {
  readonly records: string;
  readonly indexes: ReadonlyMap<string, CheckedIndex>;
  readonly #kv: KvReader;
  readonly #workspaceKeys: WorkspaceKeys;
  readonly #layout: Layout;

  constructor(kv: KvReader, workspaceKeys: WorkspaceKeys, name: string, layout: Layout) {
    const { prefix, byId, cluster, uniques, indexes, recordScope, indexScope: scope } = layout;
    const named = new Map<string, CheckedIndex>();
    for (const { prefix: own, fields } of uniques) named.set(own, { name: `${name}.${fields.join('+')}`, scope });
    for (const [index, own] of indexes) named.set(own.prefix, { name: `${name}.${index}`, scope });
    if (cluster !== undefined) named.set(byId, { name: `${name}.id`, scope: recordScope });
    // A clustered index consists of the records themselves.
    named.delete(prefix);
    this.records = prefix;
    this.indexes = named;
    this.#kv = kv;
    this.#workspaceKeys = workspaceKeys;
    this.#layout = layout;
  }

  stored([, value]: KvEntry): IndexedRecord {
    return this.#indexed(upToDate(this.#layout, value));
  }

  indexed([key, value]: KvEntry, prefix: string): IndexedRecord | undefined {
    const { byId, indexScope, cluster, recordScope } = this.#layout;
    const isById = cluster !== undefined && prefix === byId;
    const scope = scopeIn(isById ? recordScope : indexScope, key, prefix);
    const pointer = isById ? key.slice(prefix.length + scope.length) : (value as string);
    const record = recordAt(this.#kv, this.#layout, scope, pointer);
    return record === null ? undefined : this.#indexed(record);
  }

  #indexed(record: StoredRecord): IndexedRecord {
    const { id, workspaceId = null } = record;
    const keyOf = (scope: KeyScope) => scopeKey(scope, workspaceId, this.#workspaceKeys) ?? NO_WORKSPACE;
    return { id, workspaceId, entries: entriesOf(this.#layout, record, keyOf) };
  }
}
