import type { Collection, Db, IndexDescription } from 'mongodb';
import { EspalierError, externalIdTaken } from '../../../core/kernel/errors.ts';
import {
  COLLECTION_NAMES,
  type CollectionName,
  type CollectionSpec,
  type IndexSpec,
  specOf,
  type UniqueSpec,
} from '../../../core/model/collections.ts';
import { OWNER } from '../../../core/model/access/role.ts';
import { isDuplicate, isIndexConflict } from './errors.ts';

const TASK_EXTERNAL_ID: UniqueSpec = {
  optional: true,
  code: 'external-id-taken',
  detail: externalIdTaken('task').detail,
};

/** The collections of records whose ids come from imports. */
const IMPORTED = ['members', 'pages', 'invitations', 'boards', 'tasks', 'comments', 'checklistItems'] as const;
const ID_TAKEN: UniqueSpec = {
  code: 'workspace-exists',
  detail: 'Another workspace of the store has records with the same ids.',
};

/** The index of entries by their histories. */
export const OF_HISTORY = 'of_history';

/** Collections with a shape of their own, and their indexes. Indexes on documents of a workspace begin with it. */
const OTHER_COLLECTIONS = {
  members: [
    { name: 'by_revision', key: { workspaceId: 1, revision: 1 } },
    { name: 'of_user', key: { userId: 1, active: 1, workspaceId: 1 } },
    { name: 'owners', key: { workspaceId: 1, userId: 1 }, partialFilterExpression: { role: OWNER, active: true } },
  ],
  pages: [
    { name: 'by_revision', key: { workspaceId: 1, revision: 1 } },
    { name: 'of_parent_in_order', key: { workspaceId: 1, parentId: 1, orderKey: 1, _id: 1 } },
    // A removed page leaves a mark for a day, from which processes with an older cached structure learn of the removal.
    { name: 'removed_expire', key: { removedAt: 1 }, expireAfterSeconds: 86_400 },
  ],
  tasks: [
    { name: 'num_unique', key: { workspaceId: 1, num: 1 }, unique: true },
    { name: 'of_board_by_num', key: { workspaceId: 1, boardId: 1, num: 1 } },
    { name: 'of_board_by_id', key: { workspaceId: 1, boardId: 1, _id: 1, statusId: 1 } },
    { name: 'place_unique', key: { workspaceId: 1, statusId: 1, statusOrderKey: 1 }, unique: true },
    { name: 'of_assignee', key: { workspaceId: 1, assignees: 1, num: 1 } },
    { name: 'of_tag', key: { workspaceId: 1, tags: 1, num: 1 } },
    { name: 'by_update', key: { workspaceId: 1, updatedAt: 1, _id: 1 } },
    // Ties are in ascending order of ids in both directions, so neither index can serve the other order.
    { name: 'by_update_last_first', key: { workspaceId: 1, updatedAt: -1, _id: 1 } },
    // Only tasks with indexed metadata are in it: other tasks cost nothing.
    {
      name: 'of_metadata',
      key: { workspaceId: 1, indexed: 1, num: 1 },
      partialFilterExpression: { indexed: { $gt: '' } },
    },
    // Only tasks that are linked as blocked are in it.
    {
      name: 'blocked',
      key: { workspaceId: 1, 'links.blockedBy': 1, num: 1 },
      partialFilterExpression: { 'links.blockedBy': { $gt: '' } },
    },
    uniqueIndex('workspace', 'externalId', TASK_EXTERNAL_ID),
  ],
  changeLog: [
    { name: 'by_offset', key: { workspaceId: 1, offset: 1 } },
    // Only changes that are entries of histories are in it.
    {
      name: OF_HISTORY,
      key: { workspaceId: 1, histories: 1, offset: 1 },
      partialFilterExpression: { histories: { $gt: '' } },
    },
  ],
  activity: [],
  idempotency: [{ name: 'expire', key: { expiresAt: 1 }, expireAfterSeconds: 0 }],
  // A single document, for the whole service.
  settings: [],
  locks: [],
  limits: [
    { name: 'key_unique', key: { key: 1 }, unique: true },
    { name: 'expire', key: { expire: 1 }, expireAfterSeconds: 0 },
  ],
} satisfies Record<string, readonly IndexDescription[]>;

/** The collections of the database. */
export type DocumentCollection = CollectionName | keyof typeof OTHER_COLLECTIONS;

/** The indexes of every collection. */
export const INDEXES: Readonly<Record<string, readonly IndexDescription[]>> = {
  ...OTHER_COLLECTIONS,
  ...Object.fromEntries(COLLECTION_NAMES.map((name) => [name, indexesOf(specOf(name))])),
};

/**
 * One index for each unique value and each index of a declaration, unless the index of ids or the clustered one serves
 * for it.
 */
export function indexesOf({ of, unique = {}, index = {}, clusteredBy }: CollectionSpec): IndexDescription[] {
  const uniques = Object.entries(unique).map(([name, one]) => uniqueIndex(of, name, one));
  const keys = new Set(['_id']);
  const others = Object.entries(index).flatMap(([name, one]) => {
    const { by, where, order } = one;
    const isOfAll = by === undefined && where === undefined && order === undefined;
    if (clusteredBy !== undefined && isOfAll) return [];
    const fields = indexedFields(of, one);
    if (fields.length === 0 || keys.has(fields.join(' '))) return [];
    keys.add(fields.join(' '));
    return [{ name: underscored(name), key: ascending(fields) }];
  });
  return [...uniques, ...others];
}

/** The unique values by the collection and the name of their index. */
const UNIQUES = new Map<string, UniqueSpec>([
  ['tasks external_id_unique', TASK_EXTERNAL_ID],
  ...IMPORTED.map((name) => [`${name} _id_`, ID_TAKEN] as const),
]);
for (const name of COLLECTION_NAMES) {
  for (const [unique, spec] of Object.entries(specOf(name).unique ?? {})) {
    UNIQUES.set(`${name} ${underscored(unique)}_unique`, spec);
  }
}

/** The unique value that an index enforces. */
export function uniqueOf(from: string, indexName: string): UniqueSpec | undefined {
  return UNIQUES.get(`${from} ${indexName}`);
}

function uniqueIndex(of: CollectionSpec['of'], name: string, { optional }: UniqueSpec): IndexDescription {
  const key = ascending(of === 'workspace' ? ['workspaceId', name] : [name]);
  const common = { name: `${underscored(name)}_unique`, key, unique: true };
  return optional === true ? { ...common, partialFilterExpression: { [name]: { $gt: '' } } } : common;
}

function indexedFields(of: CollectionSpec['of'], { by = [], where = {}, order = [] }: IndexSpec): string[] {
  const workspace = of === 'workspace' && order[0] !== 'workspaceId' ? ['workspaceId'] : [];
  return [...workspace, ...by, ...Object.keys(where), ...order.map((field) => (field === 'id' ? '_id' : field))];
}

function ascending(fields: readonly string[]): Record<string, 1> {
  return Object.fromEntries(fields.map((field) => [field, 1]));
}

/** The stored name of an index: `ofUser` is `of_user`. */
function underscored(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/**
 * Creates collections that `there` lacks, and indexes. A transaction cannot create the collection it writes to.
 *
 * @throws `store-unavailable` if an index that was dropped or changed by hand cannot be made
 */
export async function ensureCollections(db: Db, there: ReadonlySet<string>): Promise<void> {
  for (const [name, indexes] of Object.entries(INDEXES)) {
    if (indexes.length > 0) await createIndexes(db.collection(name), indexes);
    else if (!there.has(name)) await db.createCollection(name).catch(ignoreExisting);
  }
}

async function createIndexes(collection: Collection, indexes: readonly IndexDescription[]): Promise<void> {
  try {
    await collection.createIndexes([...indexes]);
  } catch (error) {
    const detail = await whyNotMade(error, collection, indexes);
    if (detail === null) throw error;
    throw new EspalierError('store-unavailable', detail, [], { cause: error });
  }
}

async function whyNotMade(error: unknown, collection: Collection, indexes: readonly IndexDescription[]) {
  const { collectionName: name } = collection;
  if (isDuplicate(error)) {
    const [, index = ''] = /index: (\w+)/.exec((error as Error).message) ?? [];
    return `The index ${index} of ${name} was dropped, and cannot be made: several documents have the same value.`;
  }
  if (!isIndexConflict(error)) return null;
  const there = await collection.indexes();
  const inTheWay = indexes.flatMap((index) => there.filter((other) => isInTheWay(index, other)));
  const names = [...new Set(inTheWay.map((index) => index.name))].join(', ');
  return `Indexes of ${name} were changed: drop ${names}, and what is missing is made anew.`;
}

/** Whether an index prevents another: it has its name but is not the same, or is the same under another name. */
function isInTheWay(index: IndexDescription, other: IndexDescription): boolean {
  const isSame = PARTS.every((part) => isEqual(index[part], other[part]));
  return isSame !== (index.name === other.name);
}

/** What the server compares of two indexes, besides their names. */
const PARTS = ['key', 'unique', 'sparse', 'partialFilterExpression', 'expireAfterSeconds', 'collation'] as const;

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

const NAMESPACE_EXISTS = 48;

function ignoreExisting(error: { readonly code?: unknown }): void {
  if (error.code !== NAMESPACE_EXISTS) throw error;
}
