import type { PageAddress, BoardAddress, TaskAddress } from '../model/address.ts';
import { type Viewer } from '../access/viewer.ts';
import { boardAt } from '../board/edit.ts';
import { invalid } from '../kernel/errors.ts';
import { cursorIn, listKey, positionIn } from '../kernel/list-cursor.ts';
import { DEFAULT_LIMIT, type Slice, type Paging } from '../kernel/record.ts';
import type { HistoryKind } from '../model/log/history-entry.ts';
import { VIEW } from '../model/access/level.ts';
import { shownMemberId } from '../names/names.ts';
import { pageAt } from '../page/read.ts';
import type { Context } from '../ports/context.ts';
import type { ReadTransaction } from '../ports/store.ts';
import { taskAt } from '../task/read.ts';
import { read } from '../write/transaction.ts';
import { historyViews, type HistoryEntryView } from './view.ts';

/** What `tasks.history` takes. */
export interface ListTaskHistory extends TaskAddress, Paging {}
/** What `boards.history` takes. */
export interface ListBoardHistory extends BoardAddress, Paging {}
/** What `pages.history` takes. */
export interface ListPageHistory extends PageAddress, Paging {}

/** What a history is of. */
interface Subject {
  readonly workspaceId: string;
  readonly id: string;
  readonly createdAt: string;
  readonly createdById: string;
}

/** Newest first. Comments have entries of their own. O(slice), however long the history. */
export function listTaskHistory(context: Context, input: ListTaskHistory): Promise<Slice<HistoryEntryView>> {
  return read(context, async (tx) => {
    const { viewer, task } = await taskAt(tx, context, input, VIEW);
    return historyOf(tx, viewer, 'task', task, input);
  });
}

/** Newest first. O(slice), however long the history. */
export function listBoardHistory(context: Context, input: ListBoardHistory): Promise<Slice<HistoryEntryView>> {
  return read(context, async (tx) => {
    const { viewer, board } = await boardAt(tx, context, input, VIEW);
    return historyOf(tx, viewer, 'board', board, input);
  });
}

/** Newest first. O(slice), however long the history. */
export function listPageHistory(context: Context, input: ListPageHistory): Promise<Slice<HistoryEntryView>> {
  return read(context, async (tx) => {
    const { viewer, page } = await pageAt(tx, context, input, VIEW);
    return historyOf(tx, viewer, 'page', page, input);
  });
}

/** The position after all stored entries: the creation follows there. */
const CREATION = 'creation';
/**
 * The same position in a history whose oldest entries were removed, if no returned entry is marked as truncated: the
 * creation is marked instead.
 */
const CREATION_OF_TRUNCATED = 'creation-truncated';
/** Entries that one call reads, at most: of a task whose board is hidden it may return less than its limit. */
const MAX_CHECKED = 1_000;
/** The least number of entries that are read at once after entries that are left out. */
const READ_ON = 100;

async function historyOf(
  tx: ReadTransaction,
  viewer: Viewer,
  kind: HistoryKind,
  subject: Subject,
  { limit = DEFAULT_LIMIT, cursor }: Paging,
): Promise<Slice<HistoryEntryView>> {
  const { workspaceId, id: recordId } = subject;
  const of = { workspaceId, recordId, kind };
  const list = listKey('history', { kind, recordId });
  const items: HistoryEntryView[] = [];
  let after = positionIn(list, cursor);
  let asked = limit;
  for (let examined = 0; !isCreation(after) && items.length < limit && examined < MAX_CHECKED;) {
    const some = await tx.changeLog.historyOf(of, offsetAt(after), asked);
    const views = await historyViews(tx, viewer, some);
    let taken = 0;
    for (; taken < some.length && items.length < limit; taken += 1) {
      const view = views[taken] ?? null;
      if (view !== null) items.push(view);
    }
    examined += some.length;
    const last = some[taken - 1];
    if (last?.isOldest === true) after = views[taken - 1] === null ? CREATION_OF_TRUNCATED : CREATION;
    // A full slice ends the same way whether or not entries were left out of it: the next one looks for what follows.
    else if (items.length === limit || taken === asked) after = String(last!.offset);
    else {
      // What followed the previous slice may have been removed since.
      const lacksOlder = last === undefined && after !== null && (await tx.changeLog.isTruncated(of));
      after = lacksOlder ? CREATION_OF_TRUNCATED : CREATION;
    }
    asked = Math.max(limit - items.length, READ_ON);
  }
  if (!isCreation(after) || items.length >= limit) return { items, next: cursorIn(list, after ?? CREATION) };
  const creation = creationOf(viewer, kind, subject);
  if (after === CREATION_OF_TRUNCATED) return { items: [...items, { ...creation, truncated: true }], next: null };
  return { items: [...items, creation], next: null };
}

function isCreation(position: string | null): boolean {
  return position === CREATION || position === CREATION_OF_TRUNCATED;
}

/** @param position that of an entry: its offset. @throws `invalid-input` */
function offsetAt(position: string | null): number | null {
  if (position === null) return null;
  const offset = Number(position);
  if (!Number.isSafeInteger(offset) || offset < 0) throw invalid('/cursor', 'is not a cursor of this list');
  return offset;
}

/** The record itself knows when it was made, and by whom. */
function creationOf(viewer: Viewer, kind: HistoryKind, { createdAt: at, createdById }: Subject): HistoryEntryView {
  const byId = shownMemberId(viewer, createdById);
  return { seq: null, at, byId, requestId: null, action: `${kind}.create`, commentId: null, changes: [] };
}
