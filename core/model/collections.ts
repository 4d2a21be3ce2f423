import { emailTaken, externalIdTaken, type ErrorCode } from '../kernel/errors.ts';
import type { AuditRecord } from './log/audit-record.ts';
import type { Board } from './content/board.ts';
import type { Change, ChangeKind } from './log/change.ts';
import type { ChecklistItem } from './content/checklist-item.ts';
import type { Comment } from './content/comment.ts';
import type { ExternalIdentity } from './user/external-identity.ts';
import type { RemovedName } from './log/history-entry.ts';
import { invitationFrom, type Invitation } from './workspace/invitation.ts';
import { jobFrom, type Job } from './job.ts';
import type { LogAge } from './log/log-age.ts';
import type { Revocations } from './user/revocations.ts';
import type { Token } from './user/token.ts';
import { trashItemFrom, type TrashItem } from './trash-item.ts';
import type { User } from './user/user.ts';
import type { Workspace } from './workspace/workspace.ts';

/** The records of every collection, by its name. */
export interface Records {
  readonly users: User;
  readonly tokens: Token;
  readonly identities: ExternalIdentity;
  readonly workspaces: Workspace;
  readonly invitations: Invitation;
  readonly boards: Board;
  readonly comments: Comment;
  readonly checklistItems: ChecklistItem;
  readonly trash: TrashItem;
  readonly removedNames: RemovedName;
  readonly jobs: Job;
  readonly changes: Change;
  readonly audit: AuditRecord;
  readonly logAges: LogAge;
  readonly revocations: Revocations;
}

/**
 * Every collection with its unique values and indexes. Declared here once, and interpreted by each store: a new noun
 * takes a line in {@link Records}, an entry below, and no file in any store. Stored keys contain the names and fields
 * here: they may be added to, never changed.
 */
export const COLLECTIONS = {
  users: {
    of: 'service',
    unique: { email: { code: 'email-taken', detail: emailTaken().detail } },
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
      // An issuer contains no white space, so joining with a space is unambiguous.
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
      externalId: { optional: true, code: 'external-id-taken', detail: externalIdTaken('board').detail },
    },
    index: { ofWorkspace: { order: ['id'] } },
    // It holds its statuses and tags: some thousands by default quotas.
    readCost: 32,
    journal: 'board',
  },
  comments: {
    of: 'workspace',
    unique: {
      externalId: { optional: true, code: 'external-id-taken', detail: externalIdTaken('comment').detail },
    },
    index: { ofTask: { by: ['taskId'], order: ['createdAt', 'id'] }, ofWorkspace: {} },
    clusteredBy: 'ofTask',
    journal: 'comment',
  },
  checklistItems: {
    of: 'workspace',
    index: {
      ofTask: { by: ['taskId'], order: ['id'] },
      ofAssignee: { by: ['assigneeId'], order: ['id'] },
      ofWorkspace: {},
    },
    clusteredBy: 'ofTask',
    partOfTask: 'checklist',
  },
  trash: {
    of: 'workspace',
    unique: {
      externalId: { optional: true, code: 'external-id-taken', detail: externalIdTaken('task').detail },
    },
    index: {
      ofWorkspace: { order: ['deletedAt', 'id'] },
      due: { order: ['purgeAt', 'id'] },
      ofBoard: { by: ['boardId'], where: { isTask: true }, order: ['id'] },
    },
    upgrade: trashItemFrom,
  },
  removedNames: {
    of: 'workspace',
    index: { ofWorkspace: { order: ['id'] }, ofBoard: { by: ['boardId'], order: ['id'] } },
    partOfBoard: true,
  },
  jobs: {
    of: 'workspace',
    index: {
      ofWorkspace: { order: ['id'] },
      membershipEnds: { where: { kind: 'membership-end' }, order: ['id'] },
      all: { everywhere: true, order: ['workspaceId', 'id'] },
    },
    upgrade: jobFrom,
  },
  changes: { of: 'workspace', index: { ofWorkspace: { order: ['id'] } }, immutable: true },
  audit: { of: 'workspace', index: { ofWorkspace: { order: ['id'] } }, immutable: true, opaque: true },
  logAges: { of: 'service', index: { oldest: { order: ['oldestAt', 'id'] } } },
  revocations: { of: 'service' },
} as const satisfies { readonly [Name in keyof Records]: CollectionSpec<Records[Name]> };

/** The name of a collection in a transaction. */
export type CollectionName = keyof Records;

/** The names of {@link COLLECTIONS}. */
export const COLLECTION_NAMES = Object.keys(COLLECTIONS) as readonly CollectionName[];

/** The declaration of a collection of records of type `T`. */
export interface CollectionSpec<T = Record<string, unknown>> {
  /**
   * The scope of records and their unique values. Records of a workspace carry `workspaceId` (null: of the service).
   */
  readonly of: 'service' | 'workspace';
  /** A record of a workspace is found by its id alone. */
  readonly globalIds?: true;
  /**
   * Unique constraints, in the service or in a workspace. The name is that of the field, or any name if `fields` has
   * several.
   */
  readonly unique?: Readonly<Record<string, UniqueSpec<T>>>;
  /** Indexes by which records are listed and counted. There are no other ways. */
  readonly index?: Readonly<Record<string, IndexSpec<T>>>;
  /** The index by which records are mostly read: a store may store them in its order (clustered index). */
  readonly clusteredBy?: string;
  /** The unique value that serves as the key in place of the id: the collection has no `get` and `many`. */
  readonly keyedBy?: string;
  /** Records are never replaced or removed: every store refuses that. */
  readonly immutable?: true;
  /** Fields differ between records and are in no index but by id and time: a store may store a record as text. */
  readonly opaque?: true;
  /** The work of reading one record, in units of a yielder. Default: 1. */
  readonly readCost?: number;
  /** Upgrades a record of an older release when it is read. */
  readonly upgrade?: (stored: never) => T;
  /** The kind of the change records that writes leave. Absent: they leave none. */
  readonly journal?: ChangeKind;
  /**
   * The records belong to a task, by `taskId`: their writes count as changes of this field of the task, which is
   * written with them.
   */
  readonly partOfTask?: string;
  /** The records belong to a board, and are removed with it: its own are listed by `ofBoard`. */
  readonly partOfBoard?: true;
}

export interface UniqueSpec<T = Record<string, unknown>> {
  /** Fields, of strings, that are unique together. Default: the field of that name. */
  readonly fields?: readonly (keyof T & string)[];
  /** The field may be null, in any number of records. */
  readonly optional?: true;
  /** The error of a write that violates the constraint. */
  readonly code: ErrorCode;
  readonly detail: string;
}

export interface IndexSpec<T = Record<string, unknown>> {
  /**
   * Ids by which records are grouped, besides the workspace: each list has one value of each. A record in which one is
   * null is in no list.
   */
  readonly by?: readonly (keyof T & string)[];
  /** Only records with these values are in the index (partial index). */
  readonly where?: Partial<T>;
  /** The sort order: timestamps, then the id. Absent: the store chooses one, see {@link orderIn}. */
  readonly order?: readonly ('id' | 'workspaceId' | (keyof T & `${string}At`))[];
  /** One list over all workspaces, by workspace and id. */
  readonly everywhere?: true;
  /** Writes that list or count by this index with the same ids conflict with each other. */
  readonly exclusive?: true;
}

export function specOf(name: CollectionName): CollectionSpec {
  return COLLECTIONS[name] as CollectionSpec;
}

const BY_ID = ['id'] as const;

/** The fields by which an index sorts: those declared, else those of the clustered index, else the id. */
export function orderIn({ clusteredBy, index = {} }: CollectionSpec, { order, by }: IndexSpec): readonly string[] {
  if (order !== undefined) return order;
  const cluster = clusteredBy === undefined || by !== undefined ? undefined : index[clusteredBy];
  return cluster === undefined ? BY_ID : [...(cluster.by ?? []), ...(cluster.order ?? BY_ID)];
}

/** @throws TypeError */
export function expectMutable({ immutable }: CollectionSpec): void {
  if (immutable === true) throw new TypeError('These records are never changed.');
}

/** The fields of a unique value. */
export function uniqueFields(name: string, { fields }: UniqueSpec): readonly string[] {
  return fields ?? [name];
}

/** The unique value of a record as one string; null if it has none. */
export function uniqueValue(record: object, fields: readonly string[]): string | null {
  if (fields.length === 1) return (Reflect.get(record, fields[0]!) as string | null | undefined) ?? null;
  return fields.map((field) => String(Reflect.get(record, field))).join(' ');
}

/** The workspace that values or a record belong to; undefined or null: none. */
export function workspaceOf(values: object): string | null | undefined {
  return Reflect.get(values, 'workspaceId') as string | null | undefined;
}

/** Whether a record is in an index. */
export function isListed(record: object, { by = [], where }: Pick<IndexSpec, 'by' | 'where'>): boolean {
  for (const field of by) if (Reflect.get(record, field) === null) return false;
  for (const field in where) if (Reflect.get(record, field) !== where[field]) return false;
  return true;
}
