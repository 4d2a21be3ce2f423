import { randomBytes } from 'node:crypto';
import type { LoggedChange, NewChange, NewEntry } from '../../../core/model/log/change.ts';
import type { Cleared, Removed } from '../../../core/kernel/removed.ts';
import {
  entryOf,
  type HistoriesOf,
  historiesOf,
  type HistoryEntry,
  type HistoryOf,
  MAX_ENTRIES,
  recordOf,
} from '../../../core/model/log/history-entry.ts';
import { type ChangeLog, EMPTY_LOG, type LogHead } from '../../../core/ports/change-log.ts';
import { countOf, type DocumentWriter, type StoredLog } from '../query/documents.ts';
import type { Doc, Query } from '../query/query.ts';

/**
 * A document for each change. The last offset is in the lock document of the workspace. Entries of histories are
 * documents of their own.
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
    const filter = { offset: { $gt: from } };
    const docs = await this.#documents.query({ from: 'changeLog', workspaceId, filter, sort: { offset: 1 }, limit });
    return docs.map(fromLogDoc);
  }

  async historyOf(of: HistoryOf, before: number | null, limit: number): Promise<readonly HistoryEntry[]> {
    if (limit <= 0) return [];
    const { filter, ...query } = queryOldest(of);
    const older = { ...filter, ...(before !== null && { offset: { $lt: before } }) };
    const newest = { ...query, filter: older, sort: { offset: -1 }, limit } as const;
    return (await this.#documents.query(newest)).map(fromEntryDoc);
  }

  async isTruncated(of: HistoryOf): Promise<boolean> {
    const [oldest] = await this.#documents.query({ ...queryOldest(of), limit: 1, project: { isOldest: 1 } });
    return oldest?.['isOldest'] === true;
  }

  async append(workspaceId: string, changes: readonly NewChange[]): Promise<LogHead> {
    const stored = await this.#stored(workspaceId);
    const before = stored.id === '' ? { ...EMPTY_LOG, id: randomBytes(9).toString('base64url') } : stored;
    const seq = before.last + 1;
    for (const [part, { entry, ...change }] of changes.entries()) {
      const offset = seq + part;
      const _id = `${workspaceId} ${offset}`;
      await this.#documents.insert('changeLog', { _id, workspaceId, offset, part, ...change });
      if (entry !== null) await this.#addEntries(workspaceId, { ...change, seq, part }, entry);
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
      // One command, which skips the offsets that were trimmed before. Changes are never read by id.
      const filter = { workspaceId: { $eq: workspaceId }, offset: { $gt: trimmed, $lte: to } };
      await this.#documents.update('changeLog', { deleteMany: { filter } }, workspaceId);
    }
    if (raised > log.floor || to > trimmed) {
      const next = { ...headOf(log), floor: raised, ...(to < raised && { trimmed: to }) };
      await this.#documents.changeWorkspaceState(workspaceId, { log: next });
    }
    return to < raised;
  }

  async removeHistories({ workspaceId, recordIds, kinds }: HistoriesOf, limit: number): Promise<Removed> {
    if (recordIds.length === 0) return { removed: 0, more: false };
    const filter = { recordId: { $in: [...recordIds] }, kind: { $in: [...kinds] } };
    const query = { from: 'history', workspaceId, filter, limit: limit + 1, project: { _id: 1 } } as const;
    const found = await this.#documents.query(query);
    const removed = found.slice(0, limit);
    if (removed.length > 0) await this.#removeEntries(workspaceId, removed);
    return { removed: removed.length, more: found.length > limit };
  }

  /** Removes entries in one command. Entries are never read by id. */
  async #removeEntries(workspaceId: string, entries: readonly Doc[]): Promise<void> {
    const filter = { _id: { $in: entries.map(({ _id }) => _id) } };
    await this.#documents.update('history', { deleteMany: { filter } }, workspaceId);
  }

  /** Removes first the changes, then the entries by their records. */
  async clear(workspaceId: string, from: string | null, limit: number): Promise<Cleared> {
    const { last, floor, trimmed = floor } = await this.#stored(workspaceId);
    const removed = Math.min(limit, last - trimmed);
    if (removed > 0) {
      await this.trim(workspaceId, last, limit);
      return { removed, next: '' };
    }
    const entries = await this.#documents.query({
      from: 'history',
      workspaceId,
      filter: from === null ? {} : { recordId: { $gte: from } },
      sort: { recordId: 1, kind: 1, offset: 1 },
      limit,
      project: { recordId: 1 },
    });
    if (entries.length > 0) await this.#removeEntries(workspaceId, entries);
    return { removed: entries.length, next: entries.length < limit ? null : (entries.at(-1)!['recordId'] as string) };
  }

  async #stored(workspaceId: string): Promise<StoredLog> {
    return (await this.#documents.counters(workspaceId)).log;
  }

  /**
   * Adds entries of histories. Now and then it also has the server count them, O({@link MAX_ENTRIES}), and removes the
   * oldest above the bound, a few at a time. A caller who chooses when to write can keep their entries from being
   * counted: a count reads no more than the bound, and the next one looks again.
   */
  async #addEntries(workspaceId: string, change: LoggedChange, kept: NewEntry): Promise<void> {
    const recordId = recordOf(change);
    for (const kind of historiesOf(change, kept)) {
      const entry = entryOf(kind, change, kept, false);
      if (isCountedAt(entry.offset)) await this.#makeRoom({ workspaceId, recordId, kind });
      const _id = `${workspaceId} ${entry.offset} ${kind}`;
      await this.#documents.insert('history', { _id, workspaceId, recordId, ...entry });
    }
  }

  async #makeRoom(of: HistoryOf): Promise<void> {
    const count = await countOf(this.#documents, { ...queryOldest(of), limit: MAX_ENTRIES });
    if (count >= KEPT_ENTRIES) await this.#removeOldest(of, count + 1 - KEPT_ENTRIES);
  }

  /** The oldest remaining entry is marked as having had older ones. */
  async #removeOldest(of: HistoryOf, many: number): Promise<void> {
    const limit = Math.min(many, MAX_REMOVED);
    const oldest = await this.#documents.query({ ...queryOldest(of), limit: limit + 1 });
    const removed = oldest.slice(0, limit);
    for (const { _id } of removed) await this.#documents.remove('history', _id, of.workspaceId);
    const kept = oldest[limit];
    if (kept !== undefined) await this.#documents.replace('history', { ...kept, isOldest: true });
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

/** `total` is the number of entries, which some entries by an earlier release have. */
function fromEntryDoc({ _id: _, workspaceId: __, recordId: ___, total: ____, ...entry }: Doc): HistoryEntry {
  return entry as unknown as HistoryEntry;
}

function fromLogDoc({ _id: _, workspaceId: __, offset, part, ...change }: Doc): LoggedChange {
  const fields = change as unknown as Omit<NewChange, 'entry'>;
  return { seq: (offset as number) - (part as number), part: part as number, ...fields };
}

function queryOldest({ workspaceId, recordId, kind }: HistoryOf): Query {
  const filter = { recordId: { $eq: recordId }, kind: { $eq: kind } };
  return { from: 'history', workspaceId, filter, sort: { offset: 1 } };
}
