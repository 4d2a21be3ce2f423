/** The kinds of records that events are about. */
export const EVENT_KINDS = ['task', 'comment', 'board', 'page', 'member', 'workspace'] as const;
/** The kind of record that an event is about. */
export type EventKind = (typeof EVENT_KINDS)[number];

/** The action of an event. `show`: the record became visible to the reader; `hide`: it is no longer visible. */
export type EventVerb = 'create' | 'update' | 'delete' | 'show' | 'hide';

/** The types of events. `scope` tells the reader to read everything again. */
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
/** The kind of record and the action, such as `task.update`. */
export type EventType = (typeof EVENT_TYPES)[number];

/** One change of a workspace, as one member sees it. */
export interface ChangeEvent {
  /**
   * The number of the transaction. It never decreases from event to event. Gaps are changes that the caller does not
   * see.
   */
  readonly seq: number;
  /** Distinguishes the changes of one transaction. */
  readonly part: number;
  /** The kind of record and the action. */
  readonly type: EventType;
  /** The id of the record. Null for `scope`. */
  readonly id: string | null;
  /**
   * The version of the record as the caller sees it. Null if they no longer see it, and if the record itself has not
   * changed.
   */
  readonly version: number | null;
  /** The board of a board, a task, a comment or the page of a task. Null if the caller may not see it. */
  readonly boardId: string | null;
  /** The page that decides access to the record. Null if the caller may not see it, or if there is none. */
  readonly pageId: string | null;
  /** The task of a comment. */
  readonly taskId: string | null;
  /** The member who made the change. Null for the operator, and if the caller is a guest and did not make it. */
  readonly byId: string | null;
  /** ISO 8601 UTC. Null if no change is known, as in a `scope` without one. */
  readonly at: string | null;
  /** The names of the fields that an update changed. */
  readonly fields: readonly string[];
  /** Present in `scope`: the ids of all pages that the caller sees. Null above 10,000. */
  readonly pageIds?: readonly string[] | null;
  /** The current record. Present if requested with `include`. */
  readonly record?: object;
}
