import type { ClientSession, Db } from 'mongodb';
import { EspalierError } from '../../../core/kernel/errors.ts';
import type { Doc } from '../query/query.ts';
import { countsId, countIdRange } from '../task/status-counts.ts';
import { isMissing, isPlanKilled } from './errors.ts';
import { foldHistory, HISTORY } from './fold-history.ts';

/** A collection that only databases of the first format have, so it is renamed last. */
const FIRST_NAME_OF_JOBS = 'purges';
/** The version of the format that is read and written, in a document of `settings`. Databases without one are older. */
const VERSION = 3;
const SCHEMA = { _id: { $eq: 'schema' } };

const FIELDS_OF_WORKSPACES = {
  open: 'exists',
  born: 'createdAtRevision',
  settled: 'settledAtRevision',
  nums: 'lastNum',
  tally: 'taskCount',
} as const;

/**
 * Upgrades a database of an earlier format. No process of a release that wrote that format may still use it.
 *
 * Every step is idempotent, and each workspace and each batch of entries takes one transaction: so several processes may
 * upgrade at once, and the next one continues where one was killed.
 *
 * @param there the names of its collections
 * @param queryTimeout the time limit for reading its version, in ms; the upgrade has no time limit
 * @throws `store-unavailable` if it was written by a newer release
 */
export async function upgradeDatabase(db: Db, there: ReadonlySet<string>, queryTimeout: number): Promise<void> {
  const settings = db.collection<Doc>('settings');
  const version = (await settings.findOne(SCHEMA, { maxTimeMS: queryTimeout }))?.['version'] as number | undefined;
  if (version !== undefined && version > VERSION) {
    const detail = `The database has schema version ${version}; this release reads up to ${VERSION}. Use a newer release.`;
    throw new EspalierError('store-unavailable', detail);
  }
  if (version === VERSION) return;
  if (there.has(FIRST_NAME_OF_JOBS)) await upgradeFirstFormat(db);
  if (there.has(HISTORY)) await foldHistory(db);
  await settings.updateOne(SCHEMA, { $max: { version: VERSION } }, { upsert: true });
}

/** Renames collections and fields that had other names, and counts the tasks of statuses, which were not counted. */
async function upgradeFirstFormat(db: Db): Promise<void> {
  const locks = db.collection<Doc>('locks');
  await db.client.withSession(async (session) => {
    const workspaces = locks.find({ open: { $exists: true } }, { projection: { _id: 1 } });
    for await (const { _id } of workspaces) await upgradeWorkspace(db, session, _id);
  });
  await locks.updateMany({ claims: { $exists: true } }, { $rename: { claims: 'version' } });
  await renameFields(db, 'changeLog', 'by_place', { place: 'offset' });
  await renameFields(db, 'history', 'of_record_by_place', { place: 'offset' });
  await renameFields(db, 'replays', 'sweep', { replay: 'record', sweepAt: 'expiresAt' });
  await unlessMissing(db.collection('replays').rename('idempotency'));
  await unlessMissing(db.collection(FIRST_NAME_OF_JOBS).rename('jobs'));
}

/** Renames its fields and counts its tasks. */
async function upgradeWorkspace(db: Db, session: ClientSession, workspaceId: string): Promise<void> {
  const locks = db.collection<Doc>('locks');
  await session.withTransaction(async () => {
    const { matchedCount } = await locks.updateOne(
      { _id: { $eq: workspaceId }, open: { $exists: true } },
      { $rename: FIELDS_OF_WORKSPACES, $unset: { countedTo: 1, countSeq: 1 } },
      { session },
    );
    // Another process has upgraded the workspace.
    if (matchedCount === 0) return;
    await locks.deleteMany({ _id: countIdRange(workspaceId) }, { session });
    const stages = [{ $match: { workspaceId: { $eq: workspaceId } } }, { $group: TASKS_BY_STATUS }];
    const boards = new Map<string, Record<string, number>>();
    for await (const { _id, count } of db.collection('tasks').aggregate<CountedStatus>(stages, { session })) {
      const id = countsId(workspaceId, _id.boardId);
      boards.set(id, { ...boards.get(id), [_id.statusId]: count });
    }
    if (boards.size === 0) return;
    await locks.insertMany(
      Array.from(boards, ([_id, tasks]) => ({ _id, tasks })),
      { session },
    );
  });
}

const TASKS_BY_STATUS = { _id: { boardId: '$boardId', statusId: '$statusId' }, count: { $sum: 1 } } as const;

interface CountedStatus {
  readonly _id: { readonly boardId: string; readonly statusId: string };
  readonly count: number;
}

/** @param index the index with the first of the fields, which is created anew under another name */
async function renameFields(db: Db, collection: string, index: string, names: Readonly<Record<string, string>>) {
  await unlessMissing(db.collection(collection).dropIndex(index));
  const [first = ''] = Object.keys(names);
  const rename = () => db.collection(collection).updateMany({ [first]: { $exists: true } }, { $rename: names });
  await rename().catch((error: unknown) => {
    // Another process has dropped the index already: documents that it has left are searched again.
    if (!isPlanKilled(error)) throw error;
    return rename();
  });
}

async function unlessMissing(change: Promise<unknown>): Promise<void> {
  await change.catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
}
