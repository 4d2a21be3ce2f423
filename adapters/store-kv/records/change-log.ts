import { randomBytes } from 'node:crypto';
import type { LoggedChange, NewChange } from '../../../core/model/log/change.ts';
import { type ChangeLog, EMPTY_LOG, type LogHead } from '../../../core/ports/change-log.ts';
import { integerKey } from '../engine/key.ts';
import { PREFIX } from '../engine/key-prefixes.ts';
import type { Kv } from '../engine/kv.ts';
import type { WorkspaceKeys } from '../structure/workspace-keys.ts';

/** Changes by their place. How far the log goes is a number of its own, which the next write reads without decoding. */
export class KvChangeLog implements ChangeLog {
  readonly #kv: Kv;
  readonly #workspaceKeys: WorkspaceKeys;

  constructor(kv: Kv, workspaceKeys: WorkspaceKeys) {
    this.#kv = kv;
    this.#workspaceKeys = workspaceKeys;
  }

  async head(workspaceId: string): Promise<LogHead> {
    const log = this.#workspaceKeys.get(workspaceId)?.log;
    return log === undefined ? EMPTY_LOG : { id: log.id, last: this.#last(workspaceId), floor: log.floor };
  }

  async list(workspaceId: string, after: number, limit: number): Promise<readonly LoggedChange[]> {
    const log = this.#workspaceKeys.get(workspaceId)?.log;
    if (log === undefined) return [];
    const from = Math.max(after, log.floor) + 1;
    return this.#range(workspaceId, from, this.#last(workspaceId), limit).map(([, value]) => value as LoggedChange);
  }

  async append(workspaceId: string, changes: readonly NewChange[]): Promise<LogHead> {
    const workspaceKey = this.#workspaceKeys.allocate(workspaceId);
    const { id, floor } = this.#workspaceKeys.get(workspaceId)!.log ?? this.#begin(workspaceId);
    const before = this.#last(workspaceId);
    const seq = before + 1;
    for (const [part, change] of changes.entries()) {
      this.#kv.put(PREFIX.loggedChange + workspaceKey + integerKey(seq + part), loggedAt(change, seq, part));
    }
    const last = before + changes.length;
    this.#kv.put(PREFIX.lastLogged + workspaceKey, last);
    return { id, last, floor };
  }

  async trim(workspaceId: string, floor: number, limit: number): Promise<boolean> {
    const stored = this.#workspaceKeys.get(workspaceId);
    if (stored?.log === undefined) return false;
    const { log } = stored;
    const raised = Math.max(log.floor, floor);
    if (raised > log.floor) this.#workspaceKeys.put(workspaceId, { ...stored, log: { ...log, floor: raised } });
    const removed = this.#range(workspaceId, 1, raised, limit + 1);
    for (const [key] of removed.slice(0, limit)) this.#kv.remove(key);
    return removed.length > limit;
  }

  /** Gives the log its id. */
  #begin(workspaceId: string): Omit<LogHead, 'last'> {
    const log = { id: randomBytes(9).toString('base64url'), floor: EMPTY_LOG.floor };
    this.#workspaceKeys.put(workspaceId, { ...this.#workspaceKeys.get(workspaceId)!, log });
    return log;
  }

  #last(workspaceId: string): number {
    const key = PREFIX.lastLogged + this.#workspaceKeys.allocate(workspaceId);
    return (this.#kv.get(key) as number | undefined) ?? EMPTY_LOG.last;
  }

  /** From the first of these places to the last, both included. */
  #range(workspaceId: string, from: number, to: number, limit: number) {
    const prefix = PREFIX.loggedChange + this.#workspaceKeys.allocate(workspaceId);
    return this.#kv.range({ from: prefix + integerKey(from), to: prefix + integerKey(to + 1) }, limit, false);
  }
}

/** Field by field: stores know records of this shape, and keep them in few bytes. */
function loggedAt(change: NewChange, seq: number, part: number): LoggedChange {
  return {
    seq,
    part,
    kind: change.kind,
    action: change.action,
    recordId: change.recordId,
    version: change.version,
    pageId: change.pageId,
    fromPageId: change.fromPageId,
    boardId: change.boardId,
    fromBoardId: change.fromBoardId,
    taskId: change.taskId,
    fields: change.fields,
    userId: change.userId,
    requestId: change.requestId,
    at: change.at,
    revision: change.revision,
    fromRevision: change.fromRevision,
  };
}
