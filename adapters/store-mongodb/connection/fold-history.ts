import type { ClientSession, Db } from 'mongodb';
import { groupBy } from '../../../core/kernel/group.ts';
import type { HistoryEntry } from '../../../core/model/log/history-entry.ts';
import type { Doc, BulkWrite } from '../query/query.ts';
import { changeId, historyKey } from '../records/logged-change.ts';
import { isTransient } from './errors.ts';

/** The collection of entries in databases of earlier formats. */
export const HISTORY = 'history';
/** Entries that one transaction moves. */
const BATCH = 1_000;

/** An entry as earlier formats stored it. */
type SeparateEntry = Doc & HistoryEntry & { readonly workspaceId: string; readonly recordId: string };

/**
 * Moves the entries of histories, which earlier formats stored beside the change log, to the documents of their changes.
 *
 * The transaction that moves an entry removes it. So each is moved once, however many processes do this at once, and
 * none by a process that is late, after the log is in use.
 */
export async function foldHistory(db: Db): Promise<void> {
  await db.client.withSession(async (session) => {
    for (let last: string | null = ''; last !== null;) {
      const after: string = last;
      last = await session
        .withTransaction(() => moveEntries(db, session, after))
        // The driver gives up when others have moved entries before it for two minutes.
        .catch((error: unknown) => (isTransient(error) ? after : Promise.reject(error as Error)));
    }
  });
  await db.collection(HISTORY).drop();
}

/** @returns the id of the last entry that was moved; null: there are none after the given id */
async function moveEntries(db: Db, session: ClientSession, after: string): Promise<string | null> {
  const history = db.collection<SeparateEntry>(HISTORY);
  const log = db.collection<Doc>('changeLog');
  const entries = await history.find({ _id: { $gt: after } }, { session, sort: { _id: 1 }, limit: BATCH }).toArray();
  const last = entries.at(-1);
  if (last === undefined) return null;
  await history.deleteMany({ _id: { $in: entries.map(({ _id }) => _id) } }, { session });
  const byChange = groupBy(entries, ({ workspaceId, offset }) => changeId(workspaceId, offset));
  const found = log.find({ _id: { $in: [...byChange.keys()] } }, { session, projection: { _id: 1 } });
  const logged = new Set(await found.map(({ _id }) => _id).toArray());
  const writes = Array.from(byChange, ([id, of]) => (logged.has(id) ? addEntries(id, of) : insertEntries(id, of)));
  await log.bulkWrite(writes, { session, ordered: false });
  return last._id;
}

/** Adds entries to the document of their change. One may have got another entry of the same change already. */
function addEntries(_id: string, entries: readonly SeparateEntry[]): BulkWrite {
  const { histories, oldestOf, ...fields } = historyFields(entries);
  const lists = { histories: { $each: histories }, ...(oldestOf.length > 0 && { oldestOf: { $each: oldestOf } }) };
  return { updateOne: { filter: { _id: { $eq: _id } }, update: { $set: fields, $addToSet: lists } } };
}

/** Inserts a document of what entries tell of their change, which the log no longer has. */
function insertEntries(_id: string, entries: readonly SeparateEntry[]): BulkWrite {
  const { workspaceId, recordId, kind, commentId, ...entry } = entries[0]!;
  const { offset, seq, boardId, fromBoardId, userId, requestId, at } = entry;
  const record =
    commentId === null ? { kind, recordId, taskId: null } : { kind: 'comment', recordId: commentId, taskId: recordId };
  const change = { workspaceId, offset, part: offset - seq, ...record, boardId, fromBoardId, userId, requestId, at };
  const { oldestOf, ...fields } = historyFields(entries);
  return { insertOne: { document: { _id, ...change, ...fields, ...(oldestOf.length > 0 && { oldestOf }) } } };
}

function historyFields(entries: readonly SeparateEntry[]) {
  const { action, changes } = entries[0]!;
  const keys = (of: readonly SeparateEntry[]) => of.map(historyKey);
  return {
    verb: action.split('.')[1],
    changes,
    histories: keys(entries),
    oldestOf: keys(entries.filter((one) => one.isOldest)),
  };
}
