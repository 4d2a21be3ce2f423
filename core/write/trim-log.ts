import type { KeepChanges } from '../ports/context.ts';
import type { Transaction } from '../ports/store.ts';

/** What is kept of a change log where nothing else is said: 30 days, and a million changes. */
const DEFAULTS: Required<KeepChanges> = { milliseconds: 30 * 86_400_000, count: 1_000_000 };

/** So many changes are logged between two looks at the oldest. */
const EVERY = 32;

/**
 * Removes the oldest changes that need not be kept, now and then and a few at a time: as many again as were added since,
 * and some more, so that what is kept stays near its bound however much is written. O(added).
 *
 * @param added changes that this transaction has logged
 * @param now in ms
 */
export async function trimLog(
  tx: Transaction,
  workspaceId: string,
  added: number,
  keep: KeepChanges | undefined,
  now: number,
): Promise<void> {
  const { last, floor } = await tx.changeLog.head(workspaceId);
  if (Math.floor(last / EVERY) === Math.floor((last - added) / EVERY)) return;
  const { milliseconds, count } = { ...DEFAULTS, ...keep };
  const since = new Date(Math.max(0, now - milliseconds)).toISOString();
  // Mostly nothing is to go, and one change tells.
  const [first] = await tx.changeLog.list(workspaceId, floor, 1);
  if (last - count <= floor && (first === undefined || first.at >= since)) return;
  const most = 2 * (EVERY + added);
  const oldest = await tx.changeLog.list(workspaceId, floor, most);
  const isKept = oldest.findIndex(({ at }) => at >= since);
  const expired = floor + (isKept < 0 ? oldest.length : isKept);
  const to = Math.min(floor + most, last, Math.max(expired, last - count));
  if (to > floor) await tx.changeLog.trim(workspaceId, to, most);
}
