import { randomBytes } from 'node:crypto';
import type { LoggedChange, NewChange } from '../../../core/model/log/change.ts';
import type { Removed } from '../../../core/kernel/removed.ts';
import type { HistoryEntry, HistoryOf } from '../../../core/model/log/history-entry.ts';
import { type ChangeLog, EMPTY_LOG, type LogHead } from '../../../core/ports/change-log.ts';
import type { DocumentWriter } from '../query/document-writer.ts';
import type { Doc } from '../query/query.ts';
import { EMPTY_STATE } from '../structure/workspace-state.ts';
import { MongodbHistories } from './histories.ts';

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
