import { randomBytes } from 'node:crypto';
import type { LoggedChange, NewChange, NewEntry } from '../../../core/model/log/change.ts';
import { type Removed, removeFirst } from '../../../core/kernel/removed.ts';
import {
  type HistoryEntry,
  type HistoryOf,
  entryOf,
  historiesOf,
  MAX_ENTRIES,
  recordOf,
} from '../../../core/model/log/history-entry.ts';
import { type ChangeLog, EMPTY_LOG, type LogHead } from '../../../core/ports/change-log.ts';
import type { DocumentWriter } from '../query/document-writer.ts';
import type { Doc, Query } from '../query/query.ts';
import { EMPTY_STATE } from '../write/workspace-locks.ts';

/**
 * A document for each change, by its place; how far the log goes is in the lock document of the workspace. Entries of
 * histories are documents of their own.
 */
export class MongodbChangeLog implements ChangeLog {
  readonly #documents: DocumentWriter;
  readonly #histories: MongodbHistories;

  constructor(documents: DocumentWriter) {
    this.#documents = documents;
    this.#histories = new MongodbHistories(documents);
  }

  async head(workspaceId: string): Promise<LogHead> {
    return (await this.#documents.counters(workspaceId)).log;
  }

  async list(workspaceId: string, after: number, limit: number): Promise<readonly LoggedChange[]> {
    const { floor, last } = await this.head(workspaceId);
    const from = Math.max(after, floor);
    if (limit <= 0 || from >= last) return [];
    const filter = { place: { $gt: from } };
    const docs = await this.#documents.query({ from: 'changeLog', workspaceId, filter, sort: { place: 1 }, limit });
    return docs.map(fromLogDoc);
  }

  historyOf(of: HistoryOf, before: number | null, limit: number): Promise<readonly HistoryEntry[]> {
    return this.#histories.list(of, before, limit);
  }

  async append(workspaceId: string, changes: readonly NewChange[]): Promise<LogHead> {
    const state = (await this.#documents.workspaceState(workspaceId)) ?? EMPTY_STATE;
    const before = state.log.id === '' ? { ...EMPTY_LOG, id: randomBytes(9).toString('base64url') } : state.log;
    const seq = before.last + 1;
    for (const [part, { entry, ...change }] of changes.entries()) {
      const place = seq + part;
      await this.#documents.insert('changeLog', {
        _id: `${workspaceId} ${place}`,
        workspaceId,
        place,
        part,
        ...change,
      });
      if (entry !== null) await this.#histories.add(workspaceId, { ...change, seq, part }, entry);
    }
    const log = { ...before, last: before.last + changes.length };
    await this.#documents.setWorkspaceState(workspaceId, { ...state, log });
    return log;
  }

  async trim(workspaceId: string, floor: number, limit: number): Promise<boolean> {
    const state = await this.#documents.workspaceState(workspaceId);
    if (state === null) return false;
    const raised = Math.max(state.log.floor, floor);
    if (raised > state.log.floor) {
      await this.#documents.setWorkspaceState(workspaceId, { ...state, log: { ...state.log, floor: raised } });
    }
    const query = { from: 'changeLog', workspaceId, filter: { place: { $lte: raised } }, sort: { place: 1 } } as const;
    const docs = await this.#documents.query({ ...query, limit: limit + 1, project: { _id: 1 } });
    for (const { _id } of docs.slice(0, limit)) await this.#documents.remove('changeLog', _id, workspaceId);
    return docs.length > limit;
  }

  removeHistory(of: HistoryOf, limit: number): Promise<Removed> {
    return this.#histories.remove(of, limit);
  }

  async clear(workspaceId: string, limit: number): Promise<boolean> {
    const { last } = await this.head(workspaceId);
    return (await this.trim(workspaceId, last, limit)) || (await this.#histories.clear(workspaceId, limit));
  }
}

function fromLogDoc({ _id: _, workspaceId: __, place, part, ...change }: Doc): LoggedChange {
  const fields = change as unknown as Omit<NewChange, 'entry'>;
  return { seq: (place as number) - (part as number), part: part as number, ...fields };
}

/** About one entry in so many carries the number of entries, and removes those beyond the bound. A power of 2. */
const COUNTED = 64;
/** The most that a removal leaves, so that there are never more than the bound until the next. */
const LEFT = MAX_ENTRIES - 500;
/** The most entries that one count reads, and that one write removes. */
const LOOKED_AT = 512;

/** A document for each entry, found by an index of records. */
export class MongodbHistories {
  readonly #documents: DocumentWriter;

  constructor(documents: DocumentWriter) {
    this.#documents = documents;
  }

  /**
   * Now and then it also counts the entries since the last count, O({@link COUNTED}), and removes the oldest above the
   * bound, a few at a time. A caller who chooses when to write can keep their entries from being counted: a count
   * reads no more than the bound, and the next one looks again.
   */
  async add(workspaceId: string, change: LoggedChange, kept: NewEntry): Promise<void> {
    const recordId = recordOf(change);
    for (const kind of historiesOf(change, kept)) {
      const entry = entryOf(kind, change, kept, false);
      const total = isCountedAt(entry.place) ? await this.#countWith({ workspaceId, recordId, kind }) : null;
      const _id = `${workspaceId} ${entry.place} ${kind}`;
      await this.#documents.insert('history', { _id, workspaceId, recordId, ...entry, total });
    }
  }

  /** @param before see the port */
  async list(of: HistoryOf, before: number | null, limit: number): Promise<readonly HistoryEntry[]> {
    return (await this.#query(of, limit, before, -1)).map(fromDoc);
  }

  remove(of: HistoryOf, limit: number): Promise<Removed> {
    return removeFirst(
      limit,
      (first) => this.#query(of, first),
      ({ _id }) => this.#documents.remove('history', _id, of.workspaceId),
    );
  }

  /** Removes at most `limit` entries of a workspace. @returns whether any are left */
  async clear(workspaceId: string, limit: number): Promise<boolean> {
    const query: Query = { from: 'history', workspaceId, filter: {}, sort: { recordId: 1, kind: 1, place: 1 } };
    const docs = await this.#documents.query({ ...query, limit: limit + 1, project: { _id: 1 } });
    for (const { _id } of docs.slice(0, limit)) await this.#documents.remove('history', _id, workspaceId);
    return docs.length > limit;
  }

  async #query(
    of: HistoryOf,
    limit: number,
    before: number | null = null,
    direction: 1 | -1 = 1,
    project?: Query['project'],
  ) {
    if (limit <= 0) return [];
    const { workspaceId, recordId, kind } = of;
    const filter = {
      recordId: { $eq: recordId },
      kind: { $eq: kind },
      ...(before !== null && { place: { $lt: before } }),
    };
    return this.#documents.query({
      from: 'history',
      workspaceId,
      filter,
      sort: { place: direction },
      limit,
      ...(project !== undefined && { project }),
    });
  }

  /** @returns the number of entries with a new one; null if there were more than the bound, of which not all are counted */
  async #countWith(of: HistoryOf): Promise<number | null> {
    let total = 1;
    for (let before: number | null = null; ;) {
      const some: readonly Doc[] = await this.#query(of, LOOKED_AT, before, -1, { place: 1, total: 1 });
      const counted = some.findIndex((one) => one['total'] !== null);
      total += counted < 0 ? some.length : counted + (some[counted]!['total'] as number);
      if (counted >= 0 || some.length < LOOKED_AT) break;
      if (total > MAX_ENTRIES) {
        await this.#removeOldest(of, LOOKED_AT);
        return null;
      }
      before = some.at(-1)!['place'] as number;
    }
    return total <= LEFT ? total : total - (await this.#removeOldest(of, total - LEFT));
  }

  /** The oldest that stays says that there were older ones. */
  async #removeOldest(of: HistoryOf, many: number): Promise<number> {
    const limit = Math.min(many, LOOKED_AT);
    const oldest = await this.#query(of, limit + 1);
    const removed = oldest.slice(0, limit);
    for (const { _id } of removed) await this.#documents.remove('history', _id, of.workspaceId);
    const kept = oldest[limit];
    if (kept !== undefined) await this.#documents.replace('history', { ...kept, isOldest: true });
    return removed.length;
  }
}

/** Spread over the places as if at random: a record may have none but odd ones. */
export function isCountedAt(place: number): boolean {
  return Math.imul(place, 0x9e3779b1) >>> (32 - Math.log2(COUNTED)) === 0;
}

function fromDoc({ _id: _, workspaceId: __, recordId: ___, total: ____, ...entry }: Doc): HistoryEntry {
  return entry as unknown as HistoryEntry;
}
