import type { Removed } from '../../../core/kernel/removed.ts';
import { type LoggedChange, type NewChange, type NewEntry, offsetOf } from '../../../core/model/log/change.ts';
import {
  entryOf,
  historiesOf,
  type HistoryEntry,
  type HistoryKind,
  type HistoryOf,
  MAX_ENTRIES,
  recordOf,
} from '../../../core/model/log/history-entry.ts';
import { WRITE_COST } from '../engine/costs.ts';
import { integerKey } from '../engine/key.ts';
import { PREFIX } from '../engine/key-prefixes.ts';
import type { Kv } from '../engine/kv.ts';
import type { WorkspaceKeys } from '../structure/workspace-keys.ts';
import type { HistoryEnds } from './ends.ts';
import { type ChainedChange, chainedAt, isChained, withoutEntry } from './logged-change.ts';

/** One entry in this many names the offset of the entry this many before it. */
const STRIDE = 128;

/** The units of work to write a change that is an entry, and the end of the history. */
const CHAINED_COST = 2 * WRITE_COST;

/**
 * Histories of records, as chains through the change log: a change that is an entry names the offset of the entry before
 * it. So an entry takes no key of its own, and is written where the change is.
 */
export class KvHistories {
  readonly #kv: Kv;
  readonly #workspaceKeys: WorkspaceKeys;
  readonly #ends: HistoryEnds;

  constructor(kv: Kv, workspaceKeys: WorkspaceKeys, ends: HistoryEnds) {
    this.#kv = kv;
    this.#workspaceKeys = workspaceKeys;
    this.#ends = ends;
  }

  /**
   * Writes a change to the log that is also an entry of a history. O(1), spread over the entries of the record.
   *
   * @returns the units of work that it took
   */
  put(workspaceId: string, change: NewChange, entry: NewEntry, seq: number, part: number): number {
    const workspaceKey = this.#workspaceKeys.allocate(workspaceId);
    const offset = seq + part;
    const recordId = recordOf(change);
    let units = 0;
    for (const kind of historiesOf(change, entry)) {
      const of = { workspaceId, kind, recordId };
      const end = this.#ends.advance(of, offset);
      const number = end.count + 1;
      const chained = chainedAt(change, entry, seq, part, end.offset, number);
      const key = isSecond(kind, change) ? boardEntryKey(workspaceKey, offset) : changeKey(workspaceKey, offset);
      units += CHAINED_COST;
      if ((number + phaseOf(recordId)) % STRIDE !== 0) this.#kv.put(key, chained);
      else {
        const stride = this.#before(of, end.offset, STRIDE - 1);
        this.#kv.put(key, { ...chained, stride });
        units += STRIDE;
        if (number > MAX_ENTRIES) units += this.#removeOldest(of, stride, number);
      }
    }
    return units;
  }

  /** @param before see the port */
  list(of: HistoryOf, before: number | null, limit: number): readonly HistoryEntry[] {
    const { offset: last, count } = this.#ends.get(of);
    const first = count - MAX_ENTRIES + 1;
    const entries: HistoryEntry[] = [];
    let offset = before === null ? last : (this.#at(of, before)?.previous ?? 0);
    while (offset > 0 && entries.length < limit) {
      const chained = this.#at(of, offset);
      if (chained === undefined || chained.number < first) break;
      entries.push(entryOf(of.kind, chained, chained, chained.number === first && first > 1));
      offset = chained.previous;
    }
    return entries;
  }

  isTruncated(of: HistoryOf): boolean {
    return this.#ends.get(of).count > MAX_ENTRIES;
  }

  /** @param floor the log no longer has changes up to this offset */
  remove(of: HistoryOf, limit: number, floor: number): Removed {
    let { offset, count } = this.#ends.get(of);
    if (offset === 0) return { removed: 0, more: false };
    let removed = 0;
    for (; removed < limit; removed += 1) {
      const chained = this.#at(of, offset);
      // Older entries exceeded the bound, and were removed.
      if (chained === undefined) offset = 0;
      if (chained === undefined || offset === 0) break;
      this.#removeAt(of, chained, floor);
      offset = chained.previous;
      count -= 1;
    }
    const more = this.#at(of, offset) !== undefined;
    this.#ends.put(of, more ? { offset, count } : null);
    return { removed, more };
  }

  /** The offset of the entry that comes this many entries before the one at an offset; 0: there are fewer. */
  #before(of: HistoryOf, offset: number, steps: number): number {
    let at = offset;
    for (let step = 0; step < steps && at > 0; step += 1) at = this.#at(of, at)?.previous ?? 0;
    return at;
  }

  /**
   * Removes the entries beyond the bound: as many as were added since the last time.
   *
   * @param newest the number of the newest entry
   * @returns the units of work that it took
   */
  #removeOldest(of: HistoryOf, stride: number, newest: number): number {
    const { floor = 0 } = this.#workspaceKeys.get(of.workspaceId)?.log ?? {};
    let units = 0;
    let chained = this.#at(of, stride);
    for (; chained !== undefined && chained.number > newest - MAX_ENTRIES; units += 1) {
      chained = this.#at(of, chained.stride ?? 0);
    }
    for (; chained !== undefined; chained = this.#at(of, chained.previous)) {
      this.#removeAt(of, chained, floor);
      units += CHAINED_COST;
    }
    return units;
  }

  /** The entry of this history at an offset. Undefined: there is none. */
  #at(of: HistoryOf, offset: number): ChainedChange | undefined {
    if (offset <= 0) return undefined;
    const workspaceKey = this.#workspaceKeys.allocate(of.workspaceId);
    const change = this.#kv.get(changeKey(workspaceKey, offset)) as LoggedChange | undefined;
    if (change !== undefined && isEntryOf(of, change) && isChained(change)) return change;
    if (of.kind !== 'board') return undefined;
    const second = this.#kv.get(boardEntryKey(workspaceKey, offset)) as ChainedChange | undefined;
    return second?.recordId === of.recordId ? second : undefined;
  }

  #removeAt({ workspaceId, kind }: HistoryOf, chained: ChainedChange, floor: number): void {
    const workspaceKey = this.#workspaceKeys.allocate(workspaceId);
    const offset = offsetOf(chained);
    if (isSecond(kind, chained)) this.#kv.remove(boardEntryKey(workspaceKey, offset));
    else if (offset <= floor) this.#kv.remove(changeKey(workspaceKey, offset));
    else this.#kv.put(changeKey(workspaceKey, offset), withoutEntry(chained));
  }
}

/** Spreads the records: those that always change together do not all look back in the same transaction. */
function phaseOf(recordId: string): number {
  return recordId.charCodeAt(recordId.length - 1) + 16 * recordId.charCodeAt(recordId.length - 2);
}

/** The key of a change in the log. */
export function changeKey(workspaceKey: string, offset: number): string {
  return PREFIX.loggedChange + workspaceKey + integerKey(offset);
}

function boardEntryKey(workspaceKey: string, offset: number): string {
  return PREFIX.boardEntry + workspaceKey + integerKey(offset);
}

/** Whether it is the entry of a board for a change of its page, which is an entry of the page too. */
function isSecond(of: HistoryKind, { kind }: Pick<LoggedChange, 'kind'>): boolean {
  return of === 'board' && kind === 'page';
}

function isEntryOf({ kind, recordId }: HistoryOf, change: LoggedChange): boolean {
  return recordOf(change) === recordId && (change.kind === 'comment' ? 'task' : change.kind) === kind;
}
