/** The kinds of records that events are about. */
export const EVENT_KINDS = ['task', 'comment', 'board', 'page', 'member', 'workspace'] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** What an event says of a record: `show` and `hide` when it comes into the sight of the reader, or goes out of it. */
export type EventVerb = 'create' | 'update' | 'delete' | 'show' | 'hide';

/** What events there are. `scope` asks the reader to look anew at what they see. */
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
export type EventType = (typeof EVENT_TYPES)[number];

/** One change of a workspace, as one member is told of it. */
export interface ChangeEvent {
  /** Shared by what one transaction wrote. Never falls from event to event; gaps say that something else was written. */
  readonly seq: number;
  /** Tells apart what one transaction wrote. */
  readonly part: number;
  readonly type: EventType;
  /** Of the record; null for `scope`. */
  readonly id: string | null;
  /** Of the record as the caller reads it; null where it is not read any more. */
  readonly version: number | null;
  /** The board of a board, a task, a comment or the page of a task; null where the caller may not see it. */
  readonly boardId: string | null;
  /** The page that decides access to the record; null where the caller may not see it, or where there is none. */
  readonly pageId: string | null;
  /** The task of a comment. */
  readonly taskId: string | null;
  /** The member who did it; null for the operator, and for guests unless they did it. */
  readonly byId: string | null;
  /** ISO 8601 UTC. */
  readonly at: string | null;
  /** The names of what an update changed. */
  readonly fields: readonly string[];
  /** Of `scope`: the ids of all pages that the caller sees; null above 10,000. */
  readonly pageIds?: readonly string[] | null;
  /** The record as it is read now; present if requested with `include`. */
  readonly record?: object;
}
