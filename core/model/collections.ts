import type { ErrorCode } from '../kernel/errors.ts';
import type { AuditRecord } from './audit-record.ts';
import type { Board } from './board.ts';
import type { Change, ChangeKind } from './change.ts';
import type { Comment } from './comment.ts';
import type { ExternalIdentity } from './external-identity.ts';
import { invitationFrom, type Invitation } from './invitation.ts';
import { jobFrom, type Job } from './job.ts';
import type { Token } from './token.ts';
import type { User } from './user.ts';
import type { Workspace } from './workspace.ts';

/** The records of every collection, by its name. */
export interface Records {
  readonly users: User;
  readonly tokens: Token;
  readonly identities: ExternalIdentity;
  readonly workspaces: Workspace;
  readonly invitations: Invitation;
  readonly boards: Board;
  readonly comments: Comment;
  readonly jobs: Job;
  readonly changes: Change;
  readonly audit: AuditRecord;
}

/**
 * How the records of a noun are found. Declared here once, and interpreted by each store: a further noun costs a line
 * in {@link Records}, an entry below, and no file in any store. What is stored depends on the names and fields here:
 * they may be added to, never changed.
 */
export const COLLECTIONS = {
  users: {
    of: 'service',
    unique: { email: { code: 'email-taken', detail: 'Another user has this e-mail address.' } },
    index: {
      all: { order: ['id'] },
      administrators: { where: { administrator: true, disabled: false }, exclusive: true },
    },
    journal: 'user',
  },
  tokens: {
    of: 'service',
    unique: { hash: { code: 'store-busy', detail: 'Another token has this hash.' } },
    index: { ofUser: { by: ['userId'], order: ['id'], exclusive: true } },
    journal: 'token',
  },
  identities: {
    of: 'service',
    unique: {
      // An issuer holds no white space, so no other pair gives the same value.
      identity: { fields: ['issuer', 'subject'], code: 'identity-taken', detail: 'Another user has this identity.' },
    },
    index: { all: {}, ofUser: { by: ['userId'] } },
    keyedBy: 'identity',
    immutable: true,
    journal: 'identity',
  },
  workspaces: {
    of: 'service',
    unique: { alias: { code: 'alias-taken', detail: 'Another workspace has this alias.' } },
    index: { all: { order: ['id'] } },
  },
  invitations: {
    of: 'workspace',
    globalIds: true,
    index: {
      ofWorkspace: { order: ['createdAt', 'id'] },
      pendingByExpiry: { where: { status: 'pending' }, order: ['expiresAt'] },
      pendingBy: { by: ['createdById'], where: { status: 'pending' } },
    },
    upgrade: invitationFrom,
    journal: 'invitation',
  },
  boards: {
    of: 'workspace',
    unique: {
      externalId: {
        optional: true,
        code: 'external-id-taken',
        detail: 'Another board of the workspace has this externalId.',
      },
    },
    journal: 'board',
  },
  comments: {
    of: 'workspace',
    unique: {
      externalId: {
        optional: true,
        code: 'external-id-taken',
        detail: 'Another comment of the workspace has this externalId.',
      },
    },
    index: { ofTask: { by: ['taskId'], order: ['createdAt', 'id'] } },
    clusteredBy: 'ofTask',
    journal: 'comment',
  },
  jobs: {
    of: 'workspace',
    index: { ofWorkspace: { order: ['id'] }, all: { everywhere: true, order: ['workspaceId', 'id'] } },
    upgrade: jobFrom,
  },
  changes: { of: 'workspace', index: { ofWorkspace: { order: ['id'] } }, immutable: true },
  audit: { of: 'workspace', index: { ofWorkspace: { order: ['id'] } }, immutable: true, opaque: true },
} as const satisfies { readonly [Name in keyof Records]: CollectionSpec<Records[Name]> };

export type CollectionName = keyof Records;

export const COLLECTION_NAMES = Object.keys(COLLECTIONS) as readonly CollectionName[];

/** The declaration of a collection. Fields of a record are named by `keyof T`. */
export interface CollectionSpec<T = Record<string, unknown>> {
  /** Whose the records are. Those of a workspace carry `workspaceId` (null: of the service), and are found within it. */
  readonly of: 'service' | 'workspace';
  /** The id alone finds a record of a workspace. */
  readonly globalIds?: true;
  /** Values that one record at most has: in the service, or in its workspace. By the field, or a name for several. */
  readonly unique?: Readonly<Record<string, UniqueSpec<T>>>;
  /** The ways in which records are listed and counted. There are no others. */
  readonly index?: Readonly<Record<string, IndexSpec<T>>>;
  /** The index by which records are mostly read: a store may keep them in its order. */
  readonly clusteredBy?: string;
  /** The unique value that addresses a record in place of its id: `get` and `many` are not for it. */
  readonly keyedBy?: string;
  /** A record is never replaced nor removed: every store refuses it. */
  readonly immutable?: true;
  /** The fields differ between records, and none of them is in an index: a store may keep a record as text. */
  readonly opaque?: true;
  /** Brings a record that an older release has stored up to date when it is read. */
  readonly upgrade?: (stored: never) => T;
  /** What each insertion, replacement and removal is noted as in the changes. Absent: they leave none. */
  readonly journal?: ChangeKind;
}

export interface UniqueSpec<T = Record<string, unknown>> {
  /** Texts that are unique together. Default: the field of that name. */
  readonly fields?: readonly (keyof T & string)[];
  /** Null is no value: any number of records has it. */
  readonly optional?: true;
  /** The error of a write that would give the value to a second record. */
  readonly code: ErrorCode;
  readonly detail: string;
}

export interface IndexSpec<T = Record<string, unknown>> {
  /** Ids that all records of a list have in common, besides their workspace. */
  readonly by?: readonly (keyof T & string)[];
  /** Only records with these values. */
  readonly where?: Partial<T>;
  /** Timestamps in whose order records are listed, then the id. Absent: in an order of the store's own. */
  readonly order?: readonly ('id' | 'workspaceId' | (keyof T & `${string}At`))[];
  /** Of all workspaces together, by workspace and id. */
  readonly everywhere?: true;
  /** A write that lists or counts by this index conflicts with every other that does so for the same ids. */
  readonly exclusive?: true;
}

export function specOf(name: CollectionName): CollectionSpec {
  return COLLECTIONS[name] as CollectionSpec;
}

/** @throws TypeError */
export function expectMutable({ immutable }: CollectionSpec): void {
  if (immutable === true) throw new TypeError('These records are never changed.');
}

/** The fields of a unique value. */
export function uniqueFields(name: string, { fields }: UniqueSpec): readonly string[] {
  return fields ?? [name];
}

/** The fields of a unique value as one text; null where it has none. */
export function uniqueValue(record: object, fields: readonly string[]): string | null {
  if (fields.length === 1) return (Reflect.get(record, fields[0]!) as string | null | undefined) ?? null;
  return fields.map((field) => String(Reflect.get(record, field))).join(' ');
}

/** Whether a record is among those that an index lists. */
export function isListed(record: object, { where }: IndexSpec): boolean {
  for (const field in where) if (Reflect.get(record, field) !== where[field]) return false;
  return true;
}
