import { randomBytes } from 'node:crypto';
import {
  type Cleared,
  clearedAtStart,
  type Removed,
  removeFirst,
  removeInOrder,
} from '../../../core/kernel/removed.ts';
import type { LoggedChange, NewChange } from '../../../core/model/log/change.ts';
import type { HistoriesOf, HistoryEntry, HistoryKind, HistoryOf } from '../../../core/model/log/history-entry.ts';
import { type ChangeLog, EMPTY_LOG, type LogHead } from '../../../core/ports/change-log.ts';
import { WRITE_COST } from '../engine/costs.ts';
import { lastInteger } from '../engine/key.ts';
import { PREFIX } from '../engine/key-prefixes.ts';
import { type Kv, type KvRange, prefixRange, scan } from '../engine/kv.ts';
import { changeKey, KvHistories } from '../history/histories.ts';
import { HistoryEnds, type UpdateKey } from '../history/ends.ts';
import { isChained, loggedAt, withoutEntry } from '../history/logged-change.ts';
import type { Yielder } from '../../../core/ports/yielder.ts';
import type { KvLogState, WorkspaceKeys } from '../structure/workspace-keys.ts';

/**
 * Changes by their offset. The last offset is stored as a number of its own, which the next write reads without
 * decoding a record.
 */
export class KvChangeLog implements ChangeLog {
  readonly #kv: Kv;
  readonly #workspaceKeys: WorkspaceKeys;
  readonly #histories: KvHistories;
  readonly #yielder: Yielder;

  /**
   * @param updateKey see {@link HistoryEnds}
   * @param yielder yields during long transactions
   */
  constructor(kv: Kv, workspaceKeys: WorkspaceKeys, updateKey: UpdateKey, yielder: Yielder) {
    this.#kv = kv;
    this.#workspaceKeys = workspaceKeys;
    this.#yielder = yielder;
    this.#histories = new KvHistories(kv, workspaceKeys, new HistoryEnds(kv, workspaceKeys, updateKey));
  }

  async head(workspaceId: string): Promise<LogHead> {
    const log = this.#workspaceKeys.get(workspaceId)?.log;
    return log === undefined ? EMPTY_LOG : { id: log.id, last: this.#last(workspaceId), floor: log.floor };
  }

  async list(workspaceId: string, after: number, limit: number): Promise<readonly LoggedChange[]> {
    const log = this.#workspaceKeys.get(workspaceId)?.log;
    if (log === undefined) return [];
    const from = Math.max(after, log.floor) + 1;
    const changes: LoggedChange[] = [];
    if (limit <= 0) return changes;
    if (limit === 1) {
      // Each offset after the floor has a change, so the oldest one, which is often read, is found without a search.
      const change = this.#kv.get(changeKey(this.#workspaceKeys.allocate(workspaceId), from));
      return change === undefined ? changes : [withoutEntry(change as LoggedChange)];
    }
    const range = this.#range(workspaceId, from, this.#last(workspaceId));
    for (const [, value] of scan(this.#kv, range, false, limit)) {
      changes.push(withoutEntry(value as LoggedChange));
      if (changes.length === limit) break;
      const pause = this.#yielder.step();
      if (pause !== null) await pause;
    }
    return changes;
  }

  async historyOf(of: HistoryOf, before: number | null, limit: number): Promise<readonly HistoryEntry[]> {
    return this.#workspaceKeys.key(of.workspaceId) === null ? [] : this.#histories.list(of, before, limit);
  }

  async isTruncated(of: HistoryOf): Promise<boolean> {
    return this.#workspaceKeys.key(of.workspaceId) !== null && this.#histories.isTruncated(of);
  }

  async append(workspaceId: string, changes: readonly NewChange[]): Promise<LogHead> {
    const workspaceKey = this.#workspaceKeys.allocate(workspaceId);
    const { id, floor } = this.#workspaceKeys.get(workspaceId)!.log ?? this.#begin(workspaceId);
    const before = this.#last(workspaceId);
    const seq = before + 1;
    for (const [part, change] of changes.entries()) {
      const { entry } = change;
      let units = WRITE_COST;
      if (entry === null) this.#kv.put(changeKey(workspaceKey, seq + part), loggedAt(change, seq, part));
      else units = this.#histories.put(workspaceId, change, entry, seq, part);
      const pause = this.#yielder.step(units);
      if (pause !== null) await pause;
    }
    const last = before + changes.length;
    this.#kv.put(PREFIX.lastLogged + workspaceKey, last);
    return { id, last, floor };
  }

  async trim(workspaceId: string, floor: number, limit: number): Promise<boolean> {
    const log = this.#workspaceKeys.get(workspaceId)?.log;
    if (log === undefined) return false;
    const raised = Math.max(log.floor, floor);
    let trimmed = log.trimmed ?? 0;
    let looked = 0;
    let hasMore = false;
    for (const [key, change] of scan(this.#kv, this.#range(workspaceId, trimmed + 1, raised), false, limit + 1)) {
      hasMore = looked === limit;
      if (hasMore) break;
      looked += 1;
      trimmed = lastInteger(key);
      if (!isChained(change as LoggedChange)) this.#kv.remove(key);
      const pause = this.#yielder.step(WRITE_COST);
      if (pause !== null) await pause;
    }
    if (!hasMore) trimmed = raised;
    if (raised > log.floor || trimmed !== (log.trimmed ?? 0))
      this.#setLog(workspaceId, { ...log, floor: raised, trimmed });
    return hasMore;
  }

  async removeHistories({ workspaceId, recordIds, kinds }: HistoriesOf, limit: number): Promise<Removed> {
    const log = this.#workspaceKeys.get(workspaceId)?.log;
    if (log === undefined) return { removed: 0, more: false };
    const removalOf = (recordId: string, kind: HistoryKind) => async (left: number) =>
      this.#histories.remove({ workspaceId, recordId, kind }, left, log.floor);
    const removals = recordIds.flatMap((recordId) => kinds.map((kind) => removalOf(recordId, kind)));
    return removeInOrder(removals, limit);
  }

  async clear(workspaceId: string, _from: string | null, limit: number): Promise<Cleared> {
    const log = this.#workspaceKeys.get(workspaceId)?.log;
    if (log === undefined) return clearedAtStart({ removed: 0, more: false });
    const last = this.#last(workspaceId);
    if (log.floor < last) this.#setLog(workspaceId, { ...log, floor: last, trimmed: last });
    const workspaceKey = this.#workspaceKeys.allocate(workspaceId);
    const removalOf = (prefix: string) => (left: number) =>
      removeFirst(
        left,
        async (first) => this.#kv.range(prefixRange(prefix + workspaceKey), first, false),
        async ([key]) => {
          this.#kv.remove(key);
          const pause = this.#yielder.step(WRITE_COST);
          if (pause !== null) await pause;
        },
      );
    const prefixes = [PREFIX.loggedChange, PREFIX.boardEntry, PREFIX.historyEnd];
    return clearedAtStart(await removeInOrder(prefixes.map(removalOf), limit));
  }

  /** Begins a log, which gives it its id. */
  #begin(workspaceId: string): KvLogState {
    return this.#setLog(workspaceId, { id: randomBytes(9).toString('base64url'), floor: EMPTY_LOG.floor });
  }

  #setLog(workspaceId: string, log: KvLogState): KvLogState {
    this.#workspaceKeys.put(workspaceId, { ...this.#workspaceKeys.get(workspaceId)!, log });
    return log;
  }

  #last(workspaceId: string): number {
    const key = PREFIX.lastLogged + this.#workspaceKeys.allocate(workspaceId);
    return (this.#kv.get(key) as number | undefined) ?? EMPTY_LOG.last;
  }

  /** From the first of these offsets to the last, both included. */
  #range(workspaceId: string, from: number, to: number): KvRange {
    const workspaceKey = this.#workspaceKeys.allocate(workspaceId);
    return { from: changeKey(workspaceKey, from), to: changeKey(workspaceKey, to + 1) };
  }
}
