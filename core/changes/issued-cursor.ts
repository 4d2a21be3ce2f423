import { type LoggedChange, offsetOf } from '../model/log/change.ts';
import type { LogHead } from '../ports/change-log.ts';
import type { ReadTransaction } from '../ports/store.ts';
import { type ChangeCursor, cursorExpired } from './cursor.ts';

/**
 * Refuses a cursor that was never issued: an offset in the log combined with the structure of another time would
 * disclose what the reader never saw. Each change names the revisions before and after its transaction, so cursors need
 * no signature. Takes one more read while a reader catches up, and if the change at the offset has no revision.
 *
 * @param at the change at the offset of the cursor; undefined: it is no longer in the log
 * @param following the changes right after it, without gaps
 * @throws `cursor-expired`
 */
export async function requireIssued(
  tx: ReadTransaction,
  workspaceId: string,
  { revision, earlier, offset }: Required<ChangeCursor>,
  head: LogHead,
  at: LoggedChange | undefined,
  following: readonly LoggedChange[],
): Promise<void> {
  // The cursor of nothing: the first structure has revision 1.
  if (offset === 0 && revision === 0 && earlier === null) return;
  if (earlier === null) return requireThat(await wasRevisionAt(tx, workspaceId, revision, at, following));
  const { until } = earlier;
  const next = firstWithRevision(following);
  const isInOrder = offset < until && until <= head.last && earlier.revision <= revision;
  // What the reader knew then is no younger than the offset: they have read everything up to it since.
  requireThat(isInOrder && (next === undefined || earlier.revision <= revisionFound(next)));
  if (until === head.last) return;
  const around = await tx.changeLog.list(workspaceId, until - 1, NEIGHBOURS);
  const [atUntil, ...rest] = around;
  requireThat(await wasRevisionAt(tx, workspaceId, revision, atUntil, rest));
}

/** The change at an offset, and enough of those after it that one of them has a revision. */
const NEIGHBOURS = 32;

/** How many changes are searched for one with a revision: those of profiles have none. */
const LOOKED_BACK = 500;

/**
 * Whether the structure had a revision between the change at an offset and those that follow. Some revisions are made
 * without a change.
 */
async function wasRevisionAt(
  tx: ReadTransaction,
  workspaceId: string,
  revision: number,
  at: LoggedChange | undefined,
  following: readonly LoggedChange[],
): Promise<boolean> {
  const next = firstWithRevision(following);
  // No change follows that it could disclose.
  if (next === undefined) return true;
  const found = revisionFound(next);
  if (revision >= found || at === undefined) return revision === found;
  const last = at.revision ?? (await revisionUpTo(tx, workspaceId, offsetOf(at)));
  return last !== null && last <= revision;
}

/** The revision after the last change, up to an offset, that has one. Null: none of those that are searched has one. */
async function revisionUpTo(tx: ReadTransaction, workspaceId: string, offset: number): Promise<number | null> {
  const before = await tx.changeLog.list(workspaceId, Math.max(0, offset - LOOKED_BACK), Math.min(offset, LOOKED_BACK));
  return before.findLast(({ revision }) => revision !== null)?.revision ?? null;
}

function firstWithRevision(changes: readonly LoggedChange[]): LoggedChange | undefined {
  return changes.find(({ revision }) => revision !== null);
}

function revisionFound({ revision, fromRevision }: LoggedChange): number {
  return (fromRevision ?? revision)!;
}

function requireThat(isIssued: boolean): void {
  if (!isIssued) throw cursorExpired();
}
