/**
 * A change of members, roles, invitations, access or tokens, with its author. Written in the same transaction as the
 * change, and immutable.
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
  /** The id of the request; null without one. */
  readonly requestId: string | null;
  /** The kind of change. */
  readonly action: AuditAction;
  /** The id of the record that changed. */
  readonly recordId: string;
  /** The changed fields with their values before; null if the record did not exist. */
  readonly before: AuditValues | null;
  /** The changed fields with their values after; null if the record was removed. */
  readonly after: AuditValues | null;
}

/** The kind of record and the action. */
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

/** An audit record without id, author and time, which the journal adds. */
export type AuditDraft = Pick<AuditRecord, 'workspaceId' | 'action' | 'recordId' | 'before' | 'after'>;
