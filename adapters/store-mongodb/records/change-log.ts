import { randomBytes } from 'node:crypto';
import type { Document } from 'mongodb';
import type { LoggedChange, NewChange } from '../../../core/model/log/change.ts';
import type { Cleared, Removed } from '../../../core/kernel/removed.ts';
import {
  type HistoriesOf,
  type HistoryEntry,
  type HistoryOf,
  MAX_ENTRIES,
} from '../../../core/model/log/history-entry.ts';
import { type ChangeLog, EMPTY_LOG, type LogHead } from '../../../core/ports/change-log.ts';
import { OF_HISTORY } from '../connection/collections.ts';
import { countOf, type DocumentWriter, type StoredLog } from '../query/documents.ts';
import type { Query, BulkWrite } from '../query/query.ts';
import {
  entryFields,
  fromEntryDoc,
  fromLogDoc,
  historyKey,
  isOldestOf,
  REMOVE_ENTRY,
  toLogDoc,
  WITHOUT_ENTRY,
} from './logged-change.ts';

/**
 * A document for each change, which names the histories that it is an entry of. The last offset is in the lock document
 * of the workspace. Changes are never read by id, so one command can write many.
 */
export class MongodbChangeLog implements ChangeLog {
  readonly #documents: DocumentWriter;

  constructor(documents: DocumentWriter) {
    this.#documents = documents;
  }

  async head(workspaceId: string): Promise<LogHead> {
    return headOf(await this.#stored(workspaceId));
  }

  async list(workspaceId: string, after: number, limit: number): Promise<readonly LoggedChange[]> {
    const { floor, last } = await this.head(workspaceId);
    const from = Math.max(after, floor);
    if (limit <= 0 || from >= last) return [];
    const query = queryAfter(workspaceId, from, limit);
    return (await this.#documents.query({ ...query, project: WITHOUT_ENTRY })).map(fromLogDoc);
  }

  async historyOf(of: HistoryOf, before: number | null, limit: number): Promise<readonly HistoryEntry[]> {
    if (limit <= 0) return [];
    const { filter, ...query } = queryOldest(of.workspaceId, historyKey(of));
    const older = { ...filter, offset: { $lt: before ?? Infinity } };
    const docs = await this.#documents.query({ ...query, filter: older, sort: { offset: -1 }, limit });
    return docs.map((doc) => fromEntryDoc(of, doc));
  }

  async isTruncated(of: HistoryOf): Promise<boolean> {
    const query = queryOldest(of.workspaceId, historyKey(of));
    const [oldest] = await this.#documents.query({ ...query, limit: 1, project: { oldestOf: 1 } });
    return oldest !== undefined && isOldestOf(of, oldest);
  }

  async append(workspaceId: string, changes: readonly NewChange[]): Promise<LogHead> {
    const stored = await this.#stored(workspaceId);
    const before = stored.id === '' ? { ...EMPTY_LOG, id: randomBytes(9).toString('base64url') } : stored;
    for (const [part, { entry, ...change }] of changes.entries()) {
      const offset = before.last + 1 + part;
      const fields = entryFields(change, entry);
      if (isCountedAt(offset)) for (const key of fields?.histories ?? []) await this.#makeRoom(workspaceId, key);
      await this.#documents.insert('changeLog', { ...toLogDoc(workspaceId, offset, part, change), ...fields });
    }
    const log = { ...before, last: before.last + changes.length };
    await this.#documents.changeWorkspaceState(workspaceId, { log });
    return log;
  }

  async trim(workspaceId: string, floor: number, limit: number): Promise<boolean> {
    const log = await this.#stored(workspaceId);
    const { trimmed = log.floor } = log;
    const raised = Math.max(log.floor, floor);
    const to = Math.min(raised, trimmed + limit);
    if (to > trimmed) {
      // One command, which skips the offsets that were trimmed before.
      const offset = { $gt: trimmed, $lte: to };
      const filter = { workspaceId: { $eq: workspaceId }, offset, histories: { $exists: false } };
      await this.#documents.update('changeLog', { deleteMany: { filter } }, workspaceId);
    }
    if (raised > log.floor || to > trimmed) {
      const next = { ...headOf(log), floor: raised, ...(to < raised && { trimmed: to }) };
      await this.#documents.changeWorkspaceState(workspaceId, { log: next });
    }
    return to < raised;
  }

  async removeHistories({ workspaceId, recordIds, kinds }: HistoriesOf, limit: number): Promise<Removed> {
    const keys = kinds.flatMap((kind) => recordIds.map((recordId) => historyKey({ kind, recordId })));
    if (keys.length === 0) return { removed: 0, more: false };
    const filter = { histories: { $in: keys } };
    const query = { from: 'changeLog', workspaceId, filter, limit: limit + 1, hint: OF_HISTORY } as const;
    const found = (await this.#documents.query({ ...query, project: { _id: 1 } })).map(({ _id }) => _id);
    const removed = found.slice(0, limit);
    if (removed.length > 0) await this.#removeEntries(workspaceId, removed, keys);
    return { removed: removed.length, more: found.length > limit };
  }

  /** Removes changes and entries in the order of their offsets. */
  async clear(workspaceId: string, from: string | null, limit: number): Promise<Cleared> {
    const log = headOf(await this.#stored(workspaceId));
    if (log.floor < log.last)
      await this.#documents.changeWorkspaceState(workspaceId, { log: { ...log, floor: log.last } });
    // An earlier release may have left the id of a record: then it begins again.
    const after = Number(from) || 0;
    const query = queryAfter(workspaceId, after, limit);
    const found = await this.#documents.query({ ...query, project: { offset: 1 } });
    const to = found.at(-1)?.['offset'] as number | undefined;
    if (to === undefined) return { removed: 0, next: null };
    const filter = { workspaceId: { $eq: workspaceId }, offset: { $gt: after, $lte: to } };
    await this.#documents.update('changeLog', { deleteMany: { filter } }, workspaceId);
    return { removed: found.length, next: found.length < limit ? null : String(to) };
  }

  async #stored(workspaceId: string): Promise<StoredLog> {
    return (await this.#documents.counters(workspaceId)).log;
  }

  /**
   * To be called now and then before an entry is added: has the server count the entries of a history,
   * O({@link MAX_ENTRIES}), and removes the oldest above the bound, a few at a time. A caller who chooses when to write
   * can keep their entries from being counted: a count reads no more than the bound, and the next one looks again.
   */
  async #makeRoom(workspaceId: string, key: string): Promise<void> {
    const count = await countOf(this.#documents, { ...queryOldest(workspaceId, key), limit: MAX_ENTRIES });
    if (count >= KEPT_ENTRIES) await this.#removeOldest(workspaceId, key, count + 1 - KEPT_ENTRIES);
  }

  /** The oldest remaining entry is marked as having had older ones. */
  async #removeOldest(workspaceId: string, key: string, many: number): Promise<void> {
    const limit = Math.min(many, MAX_REMOVED);
    const query = { ...queryOldest(workspaceId, key), limit: limit + 1, project: { _id: 1 } } as const;
    const oldest = (await this.#documents.query(query)).map(({ _id }) => _id);
    await this.#removeEntries(workspaceId, oldest.slice(0, limit), [key]);
    const kept = oldest[limit];
    if (kept === undefined) return;
    await this.#update(workspaceId, {
      updateOne: { filter: { _id: { $eq: kept } }, update: { $addToSet: { oldestOf: key } } },
    });
  }

  /**
   * Removes entries from histories. Those that are then in none go with their changes, unless the feed has these. O(1)
   * commands.
   */
  async #removeEntries(workspaceId: string, ids: readonly string[], keys: readonly string[]): Promise<void> {
    const { floor } = await this.#stored(workspaceId);
    const entries = { _id: { $in: ids } };
    const ofNoOther = { ...entries, histories: { $not: { $elemMatch: { $nin: keys } } } };
    await this.#update(workspaceId, { deleteMany: { filter: { ...ofNoOther, offset: { $lte: floor } } } });
    await this.#update(workspaceId, { updateMany: { filter: ofNoOther, update: REMOVE_ENTRY } });
    const pull: Document = { $pull: { histories: { $in: keys } } };
    await this.#update(workspaceId, { updateMany: { filter: entries, update: pull } });
  }

  #update(workspaceId: string, write: BulkWrite): Promise<void> {
    return this.#documents.update('changeLog', write, workspaceId);
  }
}

/** About one new entry in this many counts the entries, and removes those beyond the bound. A power of 2. */
const ENTRIES_PER_COUNT = 64;
/** The most entries that a removal leaves, so that the bound is not exceeded before the next one. */
const KEPT_ENTRIES = MAX_ENTRIES - 500;
/** The most entries that one write removes. */
const MAX_REMOVED = 512;

/** Spread pseudorandomly over the offsets, as a record may have only odd ones. */
export function isCountedAt(offset: number): boolean {
  return Math.imul(offset, 0x9e3779b1) >>> (32 - Math.log2(ENTRIES_PER_COUNT)) === 0;
}

function headOf({ id, last, floor }: LogHead): LogHead {
  return { id, last, floor };
}

function queryAfter(workspaceId: string, offset: number, limit: number): Query {
  return { from: 'changeLog', workspaceId, filter: { offset: { $gt: offset } }, sort: { offset: 1 }, limit };
}

/** @param key that of a history */
function queryOldest(workspaceId: string, key: string): Query {
  const filter = { histories: { $eq: key } };
  return { from: 'changeLog', workspaceId, filter, sort: { offset: 1 }, hint: OF_HISTORY };
}
