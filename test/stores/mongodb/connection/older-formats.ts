import type { Db } from 'mongodb';
import type { LoggedChange, NewEntry } from '../../../../core/model/log/change.ts';
import { entryOf, type HistoryKind } from '../../../../core/model/log/history-entry.ts';
import type { LogHead } from '../../../../core/ports/change-log.ts';

/** As an early build has left it. */
export async function toFirstFormat(db: Db): Promise<void> {
  await toSecondFormat(db);
  const rename = async (collection: string, fields: Readonly<Record<string, string>>) =>
    db.collection(collection).updateMany({}, { $rename: fields });
  // Counts that hold no more, as a later build left them before this one wrote.
  await db.collection<{ _id: string }>('locks').updateMany({ _id: /^counts\// }, { $set: { tasks: { gone: 7 } } });
  await rename('locks', {
    exists: 'open',
    createdAtRevision: 'born',
    settledAtRevision: 'settled',
    lastNum: 'nums',
    taskCount: 'tally',
    version: 'claims',
  });
  await rename('changeLog', { offset: 'place' });
  await rename('history', { offset: 'place' });
  await rename('idempotency', { record: 'replay', expiresAt: 'sweepAt' });
  await db.collection('idempotency').rename('replays');
  await db.collection('jobs').rename('purges');
  await schemaOf(db).deleteOne({});
}

/**
 * As the build before has left it, with entries of histories in a collection of their own.
 *
 * @param isMoved whether an upgrade that was killed has moved the entries at an offset already
 */
export async function toSecondFormat(db: Db, isMoved: (offset: number) => boolean = () => false): Promise<void> {
  const log = db.collection<LogDoc>('changeLog');
  await db.createCollection('history');
  await db
    .collection('history')
    .createIndex({ workspaceId: 1, recordId: 1, kind: 1, offset: 1 }, { name: 'of_record_by_offset' });
  await log.dropIndex('of_history');
  for (const doc of await log.find({ histories: { $exists: true } }).toArray()) {
    const { _id, workspaceId, offset, part, histories = [], oldestOf = [], verb, changes, ...change } = doc;
    if (isMoved(offset)) continue;
    const entries = histories.map((key) => {
      const [kind, recordId] = key.split(' ') as [HistoryKind, string];
      const logged = { ...change, part, seq: offset - part };
      return {
        _id: `${workspaceId} ${offset} ${kind}` as never,
        workspaceId,
        recordId,
        ...entryOf(kind, logged, { verb, changes }, oldestOf.includes(key)),
      };
    });
    await db.collection('history').insertMany(entries);
    const { floor } = (await db.collection<{ _id: string; log: LogHead }>('locks').findOne({ _id: workspaceId }))!.log;
    if (offset <= floor) await log.deleteOne({ _id });
    else await log.updateOne({ _id }, { $unset: { histories: 1, oldestOf: 1, verb: 1, changes: 1 } });
  }
  await schemaOf(db).updateOne({ _id: 'schema' }, { $set: { version: 2 } });
}

/** A change, with the fields that it has where it is an entry of histories. */
interface LogDoc extends Omit<LoggedChange, 'seq'>, NewEntry {
  readonly _id: string;
  readonly workspaceId: string;
  readonly offset: number;
  readonly histories?: readonly string[];
  readonly oldestOf?: readonly string[];
}

/** The collection with the document that holds the version, where nothing else is set. */
export function schemaOf(db: Db) {
  return db.collection<{ _id: string; version: number }>('settings');
}
