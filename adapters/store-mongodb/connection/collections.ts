import type { Db, IndexDescription } from 'mongodb';

/** The collections and their indexes. Documents of a workspace carry `workspaceId`, and their indexes begin with it. */
export const COLLECTIONS = {
  users: [
    { name: 'email_unique', key: { email: 1 }, unique: true },
    { name: 'administrators', key: { administrator: 1, disabled: 1 } },
  ],
  tokens: [
    { name: 'hash_unique', key: { hash: 1 }, unique: true },
    { name: 'of_user', key: { userId: 1, _id: 1 } },
  ],
  identities: [
    { name: 'identity_unique', key: { identity: 1 }, unique: true },
    { name: 'of_user', key: { userId: 1 } },
  ],
  workspaces: [{ name: 'alias_unique', key: { alias: 1 }, unique: true }],
  members: [
    { name: 'by_revision', key: { workspaceId: 1, revision: 1 } },
    { name: 'of_user', key: { userId: 1, active: 1, workspaceId: 1 } },
  ],
  pages: [
    { name: 'by_revision', key: { workspaceId: 1, revision: 1 } },
    { name: 'of_parent', key: { workspaceId: 1, parentId: 1 } },
    // A removed page leaves a mark for a day: processes with an older structure in their cache learn of it.
    { name: 'removed_expire', key: { removedAt: 1 }, expireAfterSeconds: 86_400 },
  ],
  invitations: [
    { name: 'of_workspace', key: { workspaceId: 1, createdAt: 1, _id: 1 } },
    { name: 'pending_by_expiry', key: { workspaceId: 1, status: 1, expiresAt: 1 } },
    { name: 'pending_by', key: { workspaceId: 1, createdById: 1, status: 1 } },
  ],
  boards: [externalId()],
  tasks: [
    { name: 'num_unique', key: { workspaceId: 1, num: 1 }, unique: true },
    { name: 'of_board_by_num', key: { workspaceId: 1, boardId: 1, num: 1 } },
    { name: 'of_board_by_id', key: { workspaceId: 1, boardId: 1, _id: 1, statusId: 1 } },
    { name: 'place_unique', key: { workspaceId: 1, statusId: 1, statusOrderKey: 1 }, unique: true },
    { name: 'of_assignee', key: { workspaceId: 1, assignees: 1, num: 1 } },
    { name: 'of_tag', key: { workspaceId: 1, tags: 1, num: 1 } },
    { name: 'by_update', key: { workspaceId: 1, updatedAt: 1, _id: 1 } },
    // Ties come by ascending id in both directions, so neither index can serve the other order.
    { name: 'by_update_last_first', key: { workspaceId: 1, updatedAt: -1, _id: 1 } },
    externalId(),
  ],
  comments: [{ name: 'of_task', key: { workspaceId: 1, taskId: 1, createdAt: 1, _id: 1 } }, externalId()],
  activity: [],
  // Jobs of all kinds.
  purges: [{ name: 'of_workspace', key: { workspaceId: 1, _id: 1 } }],
  changes: [{ name: 'of_workspace', key: { workspaceId: 1, _id: 1 } }],
  audit: [{ name: 'of_workspace', key: { workspaceId: 1, _id: 1 } }],
  replays: [{ name: 'sweep', key: { sweepAt: 1 }, expireAfterSeconds: 0 }],
  // One document, of the whole service.
  settings: [],
  locks: [],
  limits: [
    { name: 'key_unique', key: { key: 1 }, unique: true },
    { name: 'expire', key: { expire: 1 }, expireAfterSeconds: 0 },
  ],
} as const satisfies Record<string, readonly IndexDescription[]>;

export type CollectionName = keyof typeof COLLECTIONS;

function externalId() {
  return {
    name: 'external_id_unique',
    key: { workspaceId: 1, externalId: 1 },
    unique: true,
    partialFilterExpression: { externalId: { $gt: '' } },
  } as const;
}

/** Creates what is missing. A transaction cannot create the collection it writes to. */
export async function ensureCollections(db: Db): Promise<void> {
  const there = new Set((await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name));
  for (const [name, indexes] of Object.entries(COLLECTIONS) as [CollectionName, readonly IndexDescription[]][]) {
    if (indexes.length > 0) await db.collection(name).createIndexes([...indexes]);
    else if (!there.has(name)) await db.createCollection(name).catch(ignoreExisting);
  }
}

const NAMESPACE_EXISTS = 48;

function ignoreExisting(error: { readonly code?: unknown }): void {
  if (error.code !== NAMESPACE_EXISTS) throw error;
}
