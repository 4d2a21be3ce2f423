/** The kinds of records that events are about. */
export const EVENT_KINDS = ['task', 'comment', 'board', 'page', 'member', 'workspace'] as const;
/** The kind of record that an event is about. */
export type EventKind = (typeof EVENT_KINDS)[number];

/** What an event says of a record: `show` when it becomes visible to the reader, `hide` when it no longer is. */
export type EventVerb = 'create' | 'update' | 'delete' | 'show' | 'hide';

/** The types of events. `scope` asks the reader to read again what they see. */
export const EVENT_TYPES = [
  'task.create',
  'task.update',
  'task.delete',
  'task.show',
  'task.hide',
  'comment.create',
  'comment.update',
  'comment.delete',
  'board.create',
  'board.update',
  'page.create',
  'page.update',
  'page.delete',
  'page.show',
  'page.hide',
  'member.create',
  'member.update',
  'member.delete',
  'workspace.update',
  'scope',
] as const;
/** What happened to a record of which kind, such as `task.update`. */
export type EventType = (typeof EVENT_TYPES)[number];

/** One change of a workspace, as one member sees it. */
export interface ChangeEvent {
  /**
   * The number of the transaction. It never decreases from event to event; gaps are changes that the caller does not
   * see.
   */
  readonly seq: number;
  /** Distinguishes changes of one transaction. */
  readonly part: number;
  /** What happened, and to which kind of record. */
  readonly type: EventType;
  /** The id of the record; null for `scope`. */
  readonly id: string | null;
  /** The version of the record as the caller sees it; null if they no longer see it, and where it has not changed itself. */
  readonly version: number | null;
  /** The board of a board, a task, a comment or the page of a task; null where the caller may not see it. */
  readonly boardId: string | null;
  /** The page that decides access to the record; null where the caller may not see it, or where there is none. */
  readonly pageId: string | null;
  /** The task of a comment. */
  readonly taskId: string | null;
  /** The member who made the change; null for the operator, and for guests unless they made it. */
  readonly byId: string | null;
  /** ISO 8601 UTC; null where no change is known, as in a `scope` without one. */
  readonly at: string | null;
  /** The names of the fields that an update changed. */
  readonly fields: readonly string[];
  /** Present in `scope`: the ids of all pages that the caller sees; null above 10,000. */
  readonly pageIds?: readonly string[] | null;
  /** The record as it is read now; present if requested with `include`. */
  readonly record?: object;
}
