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
export type HistoryAction = (typeof HISTORY_ACTIONS)[number];

/** One field before and after. Of lists: what went and what came. Null: there was nothing, or it is not kept. */
export type StoredFieldChange = readonly [field: string, from: unknown, to: unknown];

/** What one transaction did to one record, kept as long as the record. */
export interface HistoryEntry {
  /** A UUID that begins with the place of the change in the log, so that entries sort in the order of commits. */
  readonly id: string;
  readonly workspaceId: string;
  /** The record that the entry belongs to: of a comment its task. */
  readonly recordId: string;
  readonly kind: HistoryKind;
  readonly action: HistoryAction;
  /** The `seq` of the change in the feed. */
  readonly seq: number;
  readonly commentId: string | null;
  /** The board that the values after the change are of, of a task. */
  readonly boardId: string | null;
  /** The board that the values before it are of, where that was another. */
  readonly fromBoardId: string | null;
  /** The user who made it, null for the operator. */
  readonly userId: string | null;
  readonly requestId: string | null;
  readonly at: string;
  /** {@link StoredFieldChange}s as JSON. */
  readonly changes: string;
  /** How many entries the record has with this one; only on some, from which the others are counted. */
  readonly total: number | null;
  /** Older entries were removed. */
  readonly isOldest: boolean;
}

/** The most entries of one record. The oldest go. */
export const MOST_ENTRIES = 10_000;

/** The name of a status or tag that was removed from its board. The id is that of the status or tag. */
export interface RemovedName {
  readonly id: string;
  readonly workspaceId: string;
  readonly boardId: string;
  readonly name: string;
}
