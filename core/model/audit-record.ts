/**
 * Who did what to members, roles, invitations, access and tokens. Written in the transaction that does
 * it, and never changed.
 */
export interface AuditRecord {
  /** UUID v7: sorts by time. */
  readonly id: string;
  /** Null for what belongs to no workspace. */
  readonly workspaceId: string | null;
  readonly at: string;
  /** Null for the operator. */
  readonly userId: string | null;
  readonly requestId: string | null;
  readonly action: AuditAction;
  /** What it was done to. */
  readonly recordId: string;
  /** What of it was, and is, by field; null where it was not there, or is gone. */
  readonly before: AuditValues | null;
  readonly after: AuditValues | null;
}

export type AuditAction =
  | 'workspace.create'
  | 'workspace.update'
  | 'workspace.delete'
  | 'member.create'
  | 'member.update'
  | 'invitation.create'
  | 'invitation.update'
  | 'access.update'
  | 'page.move'
  | 'page.delete'
  | 'token.create'
  | 'token.delete'
  | 'identity.create'
  | 'user.create'
  | 'user.update';

export type AuditValues = Readonly<Record<string, unknown>>;

/** An entry as it is noted: who and when are added by the transaction. */
export type AuditNote = Pick<AuditRecord, 'workspaceId' | 'action' | 'recordId' | 'before' | 'after'>;
