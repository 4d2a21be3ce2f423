import { type LoggedChange, type NewEntry, offsetOf } from './change.ts';

/** The kinds of records that have a history. */
export type HistoryKind = 'task' | 'board' | 'page';

/** What was done. A comment is an entry of its task. */
export const HISTORY_ACTIONS = [
  'task.create',
  'task.update',
  'task.delete',
  'task.restore',
  'board.create',
  'board.update',
  'board.delete',
  'board.restore',
  'page.create',
  'page.update',
  'page.delete',
  'page.restore',
  'comment.create',
  'comment.update',
  'comment.delete',
] as const;
/** What an entry of a history is about. */
export type HistoryAction = (typeof HISTORY_ACTIONS)[number];

/**
 * One field before and after. Of a list: the values that were removed and added. Null: there was no value, or it is not
 * stored.
 */
export type StoredFieldChange = readonly [field: string, from: unknown, to: unknown];

/** The record that a history is of. */
export interface HistoryOf {
  /** The workspace of the record. */
  readonly workspaceId: string;
  /** What kind of record. */
  readonly kind: HistoryKind;
  /** The id of the record. */
  readonly recordId: string;
}

/** Histories of some ids, such as those of a task and of its page. */
export interface HistoriesOf {
  /** The workspace of the records. */
  readonly workspaceId: string;
  /** Of which kinds. */
  readonly kinds: readonly HistoryKind[];
  /** The ids of the records; a page and its content share one. */
  readonly recordIds: readonly string[];
}

/** What one transaction did to one record, kept as long as the record. */
export interface HistoryEntry {
  /** The offset of the change in the log. A record has at most one entry for each offset. */
  readonly offset: number;
  /** The kind of the record that the history is of. */
  readonly kind: HistoryKind;
  /** What was done. */
  readonly action: HistoryAction;
  /** The `seq` of the change in the feed. */
  readonly seq: number;
  /** The comment that was written, changed or deleted; else null. */
  readonly commentId: string | null;
  /** Of a task: the board that the values after the change refer to. */
  readonly boardId: string | null;
  /** The board that the values before the change refer to, if it was another. */
  readonly fromBoardId: string | null;
  /** The user who made it, null for the operator. */
  readonly userId: string | null;
  /** The id of the request, if it has one. */
  readonly requestId: string | null;
  /** When, ISO 8601 in UTC. */
  readonly at: string;
  /** {@link StoredFieldChange}s as JSON. */
  readonly changes: string;
  /** Older entries were removed. */
  readonly isOldest: boolean;
}

/** The most entries of one record. The oldest go. */
export const MAX_ENTRIES = 10_000;

/**
 * The kinds of records in whose histories an entry is listed: an entry about a comment in that of its task. A board
 * goes to the trash with its page, and has a history of its own.
 */
export function historiesOf(
  { kind, boardId, recordId }: Pick<LoggedChange, 'kind' | 'boardId' | 'recordId'>,
  { verb }: NewEntry,
): readonly HistoryKind[] {
  if (kind === 'page') return verb !== 'update' && boardId === recordId ? PAGE_AND_BOARD : PAGE;
  return kind === 'board' ? BOARD : TASK;
}

const TASK: readonly HistoryKind[] = ['task'];
const BOARD: readonly HistoryKind[] = ['board'];
const PAGE: readonly HistoryKind[] = ['page'];
const PAGE_AND_BOARD: readonly HistoryKind[] = ['page', 'board'];

/** The id of the record in whose history a change is listed. */
export function recordOf({ kind, recordId, taskId }: Pick<LoggedChange, 'kind' | 'recordId' | 'taskId'>): string {
  return kind === 'comment' && taskId !== null ? taskId : recordId;
}

/** An entry, from the change and what was kept of it. */
export function entryOf(
  of: HistoryKind,
  change: LoggedChange,
  { verb, changes }: NewEntry,
  isOldest: boolean,
): HistoryEntry {
  const { kind, seq, recordId, boardId, fromBoardId, userId, requestId, at } = change;
  const isComment = kind === 'comment';
  return {
    offset: offsetOf(change),
    kind: of,
    action: `${isComment ? kind : of}.${verb}` as HistoryAction,
    seq,
    commentId: isComment ? recordId : null,
    boardId: of === 'task' ? boardId : null,
    fromBoardId: of === 'task' ? fromBoardId : null,
    userId,
    requestId,
    at,
    changes,
    isOldest,
  };
}

/** The name of a status or tag that was removed from its board. The id is that of the status or tag. */
export interface RemovedName {
  /** The id that the status or tag had. */
  readonly id: string;
  /** The workspace of the deleted record. */
  readonly workspaceId: string;
  /** The board that it was of. */
  readonly boardId: string;
  /** Its last name. */
  readonly name: string;
}
