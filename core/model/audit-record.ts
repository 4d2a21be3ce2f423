/**
 * Who did what to members, roles, invitations, access and tokens. Written in the transaction that does
 * it, and never changed.
 */
export interface AuditRecord {
  /** UUID v7: sorts by time. */
  readonly id: string;
  /** Null for a record outside of workspaces. */
  readonly workspaceId: string | null;
  /** ISO 8601 UTC with milliseconds. */
  readonly at: string;
  /** Null for the operator. */
  readonly userId: string | null;
  /** The id of the request that did it; null without one. */
  readonly requestId: string | null;
  /** What was done. */
  readonly action: AuditAction;
  /** The id of the record that changed. */
  readonly recordId: string;
  /** The changed fields with their values before and after; null where the record did not exist. */
  readonly before: AuditValues | null;
  /** The changed fields after it; null where the record is gone. */
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
  | 'user.update'
  | 'quotas.update';

export type AuditValues = Readonly<Record<string, unknown>>;

/** An audit entry before the transaction adds who and when. */
export type AuditNote = Pick<AuditRecord, 'workspaceId' | 'action' | 'recordId' | 'before' | 'after'>;
