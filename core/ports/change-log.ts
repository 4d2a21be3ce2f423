import type { Cleared, Removed } from '../kernel/removed.ts';
import type { LoggedChange, NewChange } from '../model/log/change.ts';
import type { HistoriesOf, HistoryEntry, HistoryOf } from '../model/log/history-entry.ts';

/** The bounds of the change log of a workspace, in one snapshot. */
export interface LogHead {
  /** Distinguishes the log from that of any other workspace or store. Empty: nothing was ever logged. */
  readonly id: string;
  /** The offset of the last change; 0: there is none. */
  readonly last: number;
  /** Changes up to this offset are removed. */
  readonly floor: number;
}

/** The log of a workspace to which nothing was ever added. */
export const EMPTY_LOG: LogHead = { id: '', last: 0, floor: 0 };

/** The changes of each workspace in the order of commits, which the store gives them, whatever any clock says. */
export interface ChangeLogReads {
  /** O(1). */
  head(workspaceId: string): Promise<LogHead>;
  /** The changes after an offset, at most `limit`, oldest first. O(limit). */
  list(workspaceId: string, after: number, limit: number): Promise<readonly LoggedChange[]>;
  /**
   * What changed one record, newest first, at most `limit` entries. O(limit), however many there are.
   *
   * @param before the offset of the entry after which the list continues; null: it starts with the newest
   */
  historyOf(of: HistoryOf, before: number | null, limit: number): Promise<readonly HistoryEntry[]>;
  /** Whether older entries of a history were removed. O(1). */
  isTruncated(of: HistoryOf): Promise<boolean>;
}

/** The change log, in a write transaction. */
export interface ChangeLog extends ChangeLogReads {
  /**
   * Appends the changes of one transaction, all with the same `seq`: the offset of the first. A change with an entry is
   * added to a history too, from which the oldest entries beyond the bound are removed. Without changes it only gives
   * the log its id. O(changes).
   *
   * @returns the bounds of the log from then on
   */
  append(workspaceId: string, changes: readonly NewChange[]): Promise<LogHead>;
  /**
   * Raises the floor, and removes at most `limit` of the stored changes up to it. Entries of histories stay.
   *
   * @param floor at most the offset of the last change
   * @returns whether any are left to be removed
   */
  trim(workspaceId: string, floor: number, limit: number): Promise<boolean>;
  /** Removes up to `limit` entries of histories of records. The log keeps the changes, without their values. */
  removeHistories(of: HistoriesOf, limit: number): Promise<Removed>;
  /**
   * Removes at most `limit` changes and entries of a workspace that is gone, and raises the floor to its last change.
   *
   * @param from `next` of the call before; null: it is the first
   */
  clear(workspaceId: string, from: string | null, limit: number): Promise<Cleared>;
}
