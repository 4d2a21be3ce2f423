import { type KeepChanges, keptChanges, type KeptChanges } from '../../model/log/kept-changes.ts';
import type { LogHead } from '../../ports/change-log.ts';
import type { Ports } from '../../ports/context.ts';
import type { ReadTransaction, Transaction } from '../../ports/store.ts';

/** What a transaction has logged. */
export interface Logged {
  /** How far the log goes with it. */
  readonly head: LogHead;
  /** The number of changes. */
  readonly added: number;
}

/** The number of logged changes between two checks of the oldest. */
const CHANGES_PER_CHECK = 32;

/** The bounds of change logs: those set for the store, or else the given defaults. */
export async function keptChangesIn(
  tx: Pick<ReadTransaction, 'settings'>,
  defaults: KeepChanges | undefined,
): Promise<KeptChanges> {
  return keptChanges((await tx.settings.get())?.keepChanges, defaults);
}

/**
 * To be called after changes were logged. From time to time it removes some of the oldest changes that need not be
 * kept: a few more than were added since, so that the log stays near its bound however much is written. O(added).
 *
 * @param ports `keepChanges` applies where the settings of the store set no bound
 * @returns null: nothing had to be done, as after most changes
 */
export function trimLog(tx: Transaction, workspaceId: string, logged: Logged, ports: TrimPorts): Promise<void> | null {
  return wasEmpty(logged) || isDue(logged) ? noteAndTrim(tx, workspaceId, logged, ports) : null;
}

/** Whether the log was empty before. */
function wasEmpty({ head: { last, floor }, added }: Logged): boolean {
  return last - added === floor;
}

/** Whether the oldest changes are to be looked at. */
function isDue({ head: { last }, added }: Logged): boolean {
  return Math.floor(last / CHANGES_PER_CHECK) !== Math.floor((last - added) / CHANGES_PER_CHECK);
}

type TrimPorts = Pick<Ports, 'clock' | 'keepChanges'>;

async function noteAndTrim(
  tx: Transaction,
  workspaceId: string,
  logged: Logged,
  { clock, keepChanges }: TrimPorts,
): Promise<void> {
  const now = clock.now();
  if (wasEmpty(logged)) await setLogAge(tx, workspaceId, timeOf(now));
  if (!isDue(logged)) return;
  const { head, added } = logged;
  const { last, floor } = head;
  const { milliseconds, count } = await keptChangesIn(tx, keepChanges);
  const since = timeOf(now - milliseconds);
  // Usually nothing is due, which one change shows.
  if (last - count <= floor) {
    const oldestAt = await timeOfOldest(tx, workspaceId, logged);
    if (oldestAt === null || oldestAt >= since) return;
  }
  await trimOldest(tx, workspaceId, { milliseconds, count }, now, 2 * (CHANGES_PER_CHECK + added));
}

/** The times of the oldest changes of logs, by log and floor. They never change; a full table is cleared. */
const timesOfOldest = new Map<string, string>();
const MOST_TIMES = 10_000;

/** Null: the log is empty. */
async function timeOfOldest(
  tx: Transaction,
  workspaceId: string,
  { head: { id, last, floor }, added }: Logged,
): Promise<string | null> {
  const key = `${id} ${floor}`;
  const known = timesOfOldest.get(key);
  if (known !== undefined) return known;
  const [oldest] = await tx.changeLog.list(workspaceId, floor, 1);
  if (oldest === undefined) return null;
  // One that this transaction has added may be rolled back.
  if (floor < last - added) {
    if (timesOfOldest.size === MOST_TIMES) timesOfOldest.clear();
    timesOfOldest.set(key, oldest.at);
  }
  return oldest.at;
}

/**
 * Removes up to `most` of the oldest changes that need not be kept: all of them if the last of them has expired, or else
 * those before the first that has not. O(most).
 *
 * @returns the time of the oldest that is left; null if none is
 */
export async function trimOldest(
  tx: Transaction,
  workspaceId: string,
  { milliseconds, count }: KeptChanges,
  now: number,
  most: number,
): Promise<string | null> {
  const { last, floor } = await tx.changeLog.head(workspaceId);
  const since = timeOf(now - milliseconds);
  const end = Math.min(floor + most, last);
  const [atEnd, behind] = await tx.changeLog.list(workspaceId, end - 1, 2);
  if (atEnd === undefined) return null;
  if (last - count >= end || atEnd.at < since) {
    await tx.changeLog.trim(workspaceId, end, most);
    return behind?.at ?? null;
  }
  const oldest = await tx.changeLog.list(workspaceId, floor, most);
  const expired = floor + oldest.findIndex(({ at }) => at >= since);
  const to = Math.max(expired, last - count);
  if (to > floor) await tx.changeLog.trim(workspaceId, to, most);
  return oldest[to - floor]!.at;
}

/** Notes that the log has changes since a time; replaces what was noted before. */
export async function setLogAge(tx: Transaction, workspaceId: string, oldestAt: string | null): Promise<void> {
  const noted = await tx.logAges.get(workspaceId);
  if (oldestAt === null) {
    if (noted !== null) await tx.logAges.remove(noted);
  } else if (noted === null) await tx.logAges.insert({ id: workspaceId, oldestAt });
  else if (noted.oldestAt !== oldestAt) await tx.logAges.replace({ id: workspaceId, oldestAt });
}

function timeOf(milliseconds: number): string {
  return new Date(Math.max(0, milliseconds)).toISOString();
}
