/**
 * What one write did to one record outside of workspaces, written in the same transaction. Changes in a workspace are
 * in its change log; older releases, which had no such log, stored them here too.
 */
export interface Change {
  /** UUID v7: sorts by time. */
  readonly id: string;
  /** Null for a record outside of workspaces. */
  readonly workspaceId: string | null;
  /** What kind of record. */
  readonly kind: ChangeKind;
  /** What was done. */
  readonly action: ChangeAction;
  /** The id of the record. */
  readonly recordId: string;
  /** The version of the record after the change; of a deleted one its last. */
  readonly version: number;
  /** The user who made the change, null for the operator. */
  readonly userId: string | null;
  /** The id of the request, if it has one. */
  readonly requestId: string | null;
  /** When, ISO 8601 in UTC. */
  readonly at: string;
}

export type ChangeAction = 'create' | 'update' | 'delete';

export type ChangeKind =
  | 'user'
  | 'token'
  | 'identity'
  | 'workspace'
  | 'member'
  | 'invitation'
  | 'page'
  | 'board'
  | 'task'
  | 'comment';

/** What one transaction did to one record of a workspace. */
interface WorkspaceChange {
  /** What kind of record. */
  readonly kind: ChangeKind;
  /** What was done. */
  readonly action: ChangeAction;
  /** The id of the record. */
  readonly recordId: string;
  /** The version of the record after the change; of a deleted one its last. */
  readonly version: number;
  /** The page that governs the record from then on: its own, else that of its board. Null for what no page governs. */
  readonly pageId: string | null;
  /** The page that governed it before, where that was another; of a deleted page the one above it. */
  readonly fromPageId: string | null;
  /** The board of a board, a task, a comment and the page of a task. */
  readonly boardId: string | null;
  /** The board that a task was on before, where that was another. */
  readonly fromBoardId: string | null;
  /** The task of a comment. */
  readonly taskId: string | null;
  /** The names of what an update changed, as the record is read. */
  readonly fields: readonly string[];
  /** The user who made it, null for the operator. */
  readonly userId: string | null;
  /** The id of the request, if it has one. */
  readonly requestId: string | null;
  /** When, ISO 8601 in UTC. */
  readonly at: string;
  /**
   * The revision of the structure after its transaction. Null for a change of a profile, which changes no structure.
   */
  readonly revision: number | null;
  /** The revision before its transaction, if it was another. */
  readonly fromRevision: number | null;
}

/** What the history of a record stores of a change in addition to what the log has. */
export interface NewEntry {
  /** As people see it: putting a record in the trash deletes it, and taking it out restores it. */
  readonly verb: 'create' | 'update' | 'delete' | 'restore';
  /** What changed, as JSON: see `StoredFieldChange`. */
  readonly changes: string;
}

/** A change that is added to the log. */
export interface NewChange extends WorkspaceChange {
  /** Its entry in the history of the record, or for a comment in that of its task. Null: none. */
  readonly entry: NewEntry | null;
}

/** A change in the log of its workspace, at {@link offsetOf}. */
export interface LoggedChange extends WorkspaceChange {
  /** The same for all changes of one transaction; rises in the order of commits. */
  readonly seq: number;
  /** From 0, in the transaction. */
  readonly part: number;
}

/** The position of a change in the log of its workspace: from 1, without gaps. */
export function offsetOf({ seq, part }: Pick<LoggedChange, 'seq' | 'part'>): number {
  return seq + part;
}
