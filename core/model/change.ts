/** What one write did to one record. Written in the same transaction. */
export interface Change {
  /** UUID v7: sorts by time. */
  readonly id: string;
  /** Null for a record outside of workspaces. */
  readonly workspaceId: string | null;
  readonly kind: ChangeKind;
  readonly action: 'create' | 'update' | 'delete';
  readonly recordId: string;
  readonly version: number;
  /** The user who made the change, null for the operator. */
  readonly userId: string | null;
  readonly requestId: string | null;
  readonly at: string;
}

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
