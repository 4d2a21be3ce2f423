import { removeFirst, type Removed } from '../kernel/removed.ts';
import { type HistoryAction, type HistoryEntry, type HistoryKind, MOST_ENTRIES } from '../model/log/history-entry.ts';
import type { NewChange } from '../model/log/change.ts';
import type { Transaction } from '../ports/store.ts';

/** About one entry in so many carries the number of entries, and removes those beyond the bound. A power of 2. */
const COUNTED = 64;
/** The most that a removal leaves, so that there are never more than the bound until the next. */
const LEFT = MOST_ENTRIES - 500;
/** The most entries that one count reads, and that one write removes. */
const LOOKED_AT = 512;

/**
 * The id of the entry of a record at a place in the log: the place, then the part of the record's id after its time.
 * Ids of records are made at random, so no two are the same, in other workspaces neither.
 *
 * @param of `board`: the entry of a board for a change of its page, which has the same id and an entry of its own
 */
function entryIdAt(place: number, recordId: string, of: 'own' | 'board'): string {
  const hex = place.toString(16).padStart(12, '0');
  const id = `${hex.slice(0, 8)}-${hex.slice(8)}${recordId.slice(13)}`;
  return of === 'own' ? id : `${id.slice(0, VERSION)}8${id.slice(VERSION + 1)}`;
}

/** Where the version of a UUID is; that of records is 7. */
const VERSION = 14;

/** What is kept of a change: whose history it belongs to, and the changed fields as JSON. */
export type KeptChange = Pick<HistoryEntry, 'kind' | 'recordId' | 'commentId' | 'changes'> & {
  /** Absent: that of the change. */
  readonly action?: HistoryAction;
};

/**
 * Adds an entry. Now and then it also counts the entries since the last count, O({@link COUNTED}), and removes the
 * oldest above the bound, a few at a time: at most as many as have come since, twice over.
 *
 * @param seq that of the change in the feed
 * @param place of the change in the log
 */
export async function keepEntry(
  tx: Transaction,
  workspaceId: string,
  change: NewChange,
  { kind, recordId, commentId, changes, action = `${change.kind}.${change.action}` as HistoryAction }: KeptChange,
  seq: number,
  place: number,
): Promise<void> {
  const total = isCounted(place) ? await countWith(tx, { workspaceId, recordId, kind }) : null;
  // Field by field: stores know records of this shape, and keep them in few bytes.
  await tx.history.insert({
    id: entryIdAt(place, recordId, kind === 'board' && change.kind === 'page' ? 'board' : 'own'),
    workspaceId,
    recordId,
    kind,
    action,
    seq,
    commentId,
    boardId: kind === 'task' ? change.boardId : null,
    fromBoardId: kind === 'task' ? change.fromBoardId : null,
    userId: change.userId,
    requestId: change.requestId,
    at: change.at,
    changes,
    total,
    isOldest: false,
  });
}

/** Spread over the places as if at random: a record may have none but odd ones. */
function isCounted(place: number): boolean {
  return Math.imul(place, 0x9e3779b1) >>> (32 - Math.log2(COUNTED)) === 0;
}

async function countWith(
  tx: Transaction,
  { workspaceId, recordId, kind }: Pick<HistoryEntry, 'workspaceId' | 'recordId' | 'kind'>,
): Promise<number> {
  const of = { workspaceId, recordId, kind };
  let total = 1;
  for (let after: string | null = null; ;) {
    const behind: string | null = after;
    const some: readonly HistoryEntry[] = await tx.history.list('ofRecord', of, {
      after: behind,
      limit: LOOKED_AT,
      descending: true,
    });
    const counted = some.findIndex((one) => one.total !== null);
    total += counted < 0 ? some.length : counted + some[counted]!.total!;
    if (counted >= 0 || some.length < LOOKED_AT) break;
    after = some.at(-1)!.id;
  }
  return total <= LEFT ? total : total - (await removeOldest(tx, of, total - LEFT));
}

interface OfRecord {
  readonly workspaceId: string;
  readonly recordId: string;
  readonly kind: HistoryKind;
}

/** The oldest that stays says that there were older ones. */
async function removeOldest(tx: Transaction, of: OfRecord, many: number): Promise<number> {
  const limit = Math.min(many, LOOKED_AT);
  const oldest = await tx.history.list('ofRecord', of, { limit: limit + 1 });
  const removed = oldest.slice(0, limit);
  for (const entry of removed) await tx.history.remove(entry);
  const kept = oldest[limit];
  if (kept !== undefined) await tx.history.replace({ ...kept, isOldest: true });
  return removed.length;
}

/** Removes up to `limit` entries of a record. */
export function removeHistoryOf(tx: Transaction, of: OfRecord, limit: number): Promise<Removed> {
  return removeFirst(
    limit,
    (first) => tx.history.list('ofRecord', of, { limit: first }),
    (entry) => tx.history.remove(entry),
  );
}

/** The same of the names of statuses and tags that a board had. */
export function removeNamesOf(
  tx: Transaction,
  of: { readonly workspaceId: string; readonly boardId: string },
  limit: number,
): Promise<Removed> {
  return removeFirst(
    limit,
    (first) => tx.removedNames.list('ofBoard', of, { limit: first }),
    (name) => tx.removedNames.remove(name),
  );
}
