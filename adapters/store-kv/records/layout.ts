import {
  type CollectionSpec,
  type IndexSpec,
  isListed,
  orderIn,
  uniqueFields,
  type UniqueSpec,
  uniqueValue,
} from '../../../core/model/collections.ts';
import { idKey, idKeyAt, textKey, timeKey } from '../engine/key.ts';
import { PREFIX } from '../engine/key-prefixes.ts';
import type { KvReader, KvValue } from '../engine/kv.ts';
import { NO_WORKSPACE, type WorkspaceKeys } from '../structure/workspace-keys.ts';

/** A record of a collection. */
export interface StoredRecord {
  readonly id: string;
  readonly workspaceId?: string | null;
}

/** Key prefixes of a collection: of its records, ids, unique values and indexes. */
type Prefixes = Readonly<Record<string, string>>;

/** The prefixes of the first collections. Those of any other collection are derived from its name. */
const PREFIXES: Readonly<Record<string, Prefixes>> = {
  users: { records: PREFIX.user, email: PREFIX.userByEmail, administrators: PREFIX.administrator },
  tokens: { records: PREFIX.token, hash: PREFIX.tokenByHash, ofUser: PREFIX.tokenOfUser },
  identities: { records: PREFIX.identity, ofUser: PREFIX.identityOfUser },
  workspaces: { records: PREFIX.workspace, alias: PREFIX.workspaceByAlias },
  invitations: {
    records: PREFIX.invitation,
    ofWorkspace: PREFIX.invitationOfWorkspace,
    pendingByExpiry: PREFIX.pendingInvitationByExpiry,
    pendingBy: PREFIX.pendingInvitation,
  },
  boards: { records: PREFIX.board, externalId: PREFIX.boardByExternalId },
  comments: { records: PREFIX.comment, id: PREFIX.commentById, externalId: PREFIX.commentByExternalId },
  jobs: { records: PREFIX.job },
  changes: { records: PREFIX.change },
  audit: { records: PREFIX.audit },
};

/** What follows the prefix in a key: nothing, the short key of the workspace, or its id. */
export type KeyScope = 'none' | 'short-name' | 'id';

export interface UniqueLayout extends UniqueSpec {
  readonly prefix: string;
  readonly fields: readonly string[];
}

export interface IndexLayout extends Omit<IndexSpec, 'order'> {
  /** The fields by which the index sorts. */
  readonly order: readonly string[];
  readonly prefix: string;
  readonly scope: KeyScope;
  /** Whether it is a clustered index: the records themselves are stored in its order. */
  readonly isOfRecords: boolean;
}

/**
 * How the keys of a collection are built. The key of a record is prefix, scope and the *suffix* of the record. An entry
 * of an index or unique value holds the *pointer* of a record, from which its key follows.
 */
export interface Layout {
  readonly spec: CollectionSpec;
  readonly prefix: string;
  /** The prefix of the map from ids to suffixes, if a suffix is not the id and records are found by ids. */
  readonly byId: string;
  readonly recordScope: KeyScope;
  readonly indexScope: KeyScope;
  readonly uniques: readonly UniqueLayout[];
  readonly indexes: ReadonlyMap<string, IndexLayout>;
  /** The clustered index, which gives the suffix of a record. */
  readonly cluster: IndexLayout | undefined;
  /** The unique value that serves as the suffix of a record. */
  readonly key: UniqueLayout | undefined;
}

/** @param name of the collection */
export function layoutOf(name: string, spec: CollectionSpec): Layout {
  const { clusteredBy, keyedBy, globalIds, index = {}, unique = {} } = spec;
  const prefixOf = (part: string) => PREFIXES[name]?.[part] ?? `~${name}.${part}\0`;
  const prefix = prefixOf('records');
  // An index over all workspaces needs full ids in its keys: short keys would not sort by id.
  const isListedTogether = Object.values(index).some(({ everywhere }) => everywhere === true);
  const indexScope = spec.of === 'service' ? 'none' : isListedTogether ? 'id' : 'short-name';
  const indexes = new Map<string, IndexLayout>();
  for (const [part, one] of Object.entries(index)) {
    const order = orderIn(spec, one);
    const isClustered = clusteredBy === part || (listsAll(one) && one.order === undefined);
    const isOfRecords = clusteredBy === undefined ? listsAll(one) : isClustered;
    const scope = one.everywhere === true ? 'none' : indexScope;
    indexes.set(part, { ...one, order, isOfRecords, scope, prefix: isOfRecords ? prefix : prefixOf(part) });
  }
  const uniques = Object.entries(unique).map(([part, one]): UniqueLayout => {
    return { ...one, fields: uniqueFields(part, one), prefix: keyedBy === part ? prefix : prefixOf(part) };
  });
  return {
    spec,
    prefix,
    byId: prefixOf('id'),
    recordScope: globalIds === true ? 'none' : indexScope,
    indexScope,
    uniques,
    indexes,
    cluster: clusteredBy === undefined ? undefined : indexes.get(clusteredBy),
    key: uniques.find(({ prefix: own }) => own === prefix),
  };
}

/** Whether an index lists all records in the order of their keys, so that the records themselves serve as the index. */
function listsAll({ by, where, order = [] }: IndexSpec): boolean {
  return by === undefined && where === undefined && order.every((field) => field === 'id' || field === 'workspaceId');
}

/** The key of a scope; null for a workspace that never had any record. */
export function scopeKey(
  scope: KeyScope,
  workspaceId: string | null | undefined,
  workspaceKeys: WorkspaceKeys,
): string | null {
  if (scope === 'none') return '';
  if (typeof workspaceId !== 'string') return NO_WORKSPACE;
  return scope === 'id' ? idKey(workspaceId) : workspaceKeys.key(workspaceId);
}

/** The key of the scope in a key, after its prefix. */
export function scopeIn(scope: KeyScope, key: string, { length }: string): string {
  if (scope === 'none') return '';
  return scope === 'id' ? idKeyAt(key, length) : key.slice(length, length + NO_WORKSPACE.length);
}

/**
 * All keys of a record with their values: the record itself, unique values and indexes.
 *
 * @param keyOf the key of the scope
 */
export function entriesOf(
  layout: Layout,
  record: StoredRecord,
  keyOf: (scope: KeyScope) => string,
): Map<string, KvValue> {
  const { prefix, byId, recordScope, indexScope, uniques, indexes, cluster, key } = layout;
  const id = idKey(record.id);
  const inRecords = keyOf(recordScope);
  const inIndexes = keyOf(indexScope);
  const suffix =
    key === undefined ? (cluster === undefined ? id : suffixIn(cluster, record)) : uniqueSuffix(key, record);
  const recordKey = `${prefix}${inRecords}${suffix}`;
  const pointer = key === undefined ? id : recordKey;
  const entries = new Map<string, KvValue>([[recordKey, record]]);
  if (cluster !== undefined) entries.set(byId + inRecords + id, suffix as string);
  for (const unique of uniques) {
    const value = unique === key ? null : uniqueSuffix(unique, record);
    if (value !== null) entries.set(unique.prefix + inIndexes + value, pointer);
  }
  for (const index of indexes.values()) {
    if (index.isOfRecords || !isListed(record, index)) continue;
    entries.set(index.prefix + inIndexes + suffixIn(index, record), pointer);
  }
  return entries;
}

/**
 * The record that an entry of an index or unique value refers to.
 *
 * @param scope the key of the scope of the index
 * @param pointer the value of the entry
 */
export function recordAt(kv: KvReader, layout: Layout, scope: string, pointer: string): StoredRecord | null {
  const { prefix, byId, cluster, key, recordScope } = layout;
  const inRecords = recordScope === 'none' ? '' : scope;
  const suffix = cluster === undefined ? pointer : kv.get(byId + inRecords + pointer);
  if (suffix === undefined) return null;
  const stored = kv.get(key === undefined ? prefix + inRecords + (suffix as string) : pointer);
  return stored === undefined ? null : upToDate(layout, stored);
}

/** A stored record in the form of this release. */
export function upToDate({ spec: { upgrade } }: Layout, stored: KvValue): StoredRecord {
  return (upgrade === undefined ? stored : upgrade(stored as never)) as StoredRecord;
}

/** The suffix of a record in an index: the values of its list, then those of the order. */
function suffixIn(index: IndexLayout, record: object): string {
  const suffix = listSuffix(index, record) + orderSuffix(index, record);
  return index.order.includes('id') ? suffix : suffix + idKey(field(record, 'id'));
}

/** The prefix of the suffixes of all records of a list. */
export function listSuffix({ by = [] }: IndexLayout, values: object): string {
  let suffix = '';
  for (const name of by) suffix += idKey(field(values, name));
  return suffix;
}

/** The part of a suffix after that of the list, as far as the fields of the order are given. */
export function orderSuffix({ order }: IndexLayout, values: object): string {
  let suffix = '';
  for (const name of order) {
    const value = Reflect.get(values, name) as string | undefined;
    if (value === undefined) break;
    suffix += name.endsWith('At') ? timeKey(value) : idKey(value);
  }
  return suffix;
}

export function uniqueSuffix({ fields }: UniqueLayout, record: object): string | null {
  const value = uniqueValue(record, fields);
  return value === null ? null : textKey(value);
}

function field(record: object, name: string): string {
  return Reflect.get(record, name) as string;
}
