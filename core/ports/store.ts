import type { ChangeLog, ChangeLogReads } from './change-log.ts';
import type { Collection, CollectionReads, Part } from './collection.ts';
import type { Cleared, Removed } from '../kernel/removed.ts';
import type { CollectionName } from '../model/collections.ts';
import type { KeepChanges } from '../model/log/kept-changes.ts';
import type { Member } from '../model/workspace/member.ts';
import type { Page } from '../model/workspace/page.ts';
import type { IdempotencyRecord } from '../model/log/idempotency-record.ts';
import type { ServiceSettings } from '../model/service/service-settings.ts';
import type { Structure, StructureChange } from '../model/workspace/structure.ts';
import type { SeenTask, TaskQuery } from '../model/content/task-query.ts';
import type { Task } from '../model/content/task.ts';
import type { Workspace } from '../model/workspace/workspace.ts';

/** The port to storage. Records are plain, JSON-safe and readonly. What a store returns must not be modified. */
export interface Store {
  /**
   * Runs `work` on one consistent snapshot that includes all acknowledged writes. `work` may be restarted, so it must
   * have no effect outside of the transaction.
   *
   * @throws `store-unavailable` if the store cannot be reached
   */
  read<T>(work: (tx: ReadTransaction) => Promise<T>): Promise<T>;

  /**
   * Runs `work` atomically: if it throws, nothing is written. Writes are serialisable. Returns when the effects are as
   * durable as the store promises. `work` may be retried and must await nothing but `tx`; it sees its own writes. Each run
   * has the asynchronous context of the call, which guards of the host may read.
   *
   * @throws whatever `work` throws, untouched
   * @throws `store-busy` if conflicts persist beyond the store's retry limit
   * @throws `store-unavailable` if the store cannot be reached
   */
  write<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;

  /** What is kept of change logs unless set otherwise. Absent: the default of all stores. */
  readonly keepChanges?: KeepChanges;

  /** Resolves if the store can serve. @throws `store-unavailable` */
  ready(): Promise<void>;

  /** Waits for running calls and releases all resources. Idempotent. */
  close(): Promise<void>;
}

type ReadCollections = { readonly [Name in CollectionName]: CollectionReads<Name> };
/** Workspaces are written with their structure. */
type WriteCollections = { readonly [Name in Exclude<CollectionName, 'workspaces'>]: Collection<Name> };

/**
 * A read transaction: one consistent snapshot. To replace parts of it use `withParts`; spreading would lose the
 * collections.
 */
export interface ReadTransaction extends ReadCollections {
  /** Workspaces with their members and pages. */
  readonly structures: StructureReads;
  /** Tasks, their counts and places in columns. */
  readonly tasks: TaskReads;
  /** What was written in each workspace, in the order of commits. */
  readonly changeLog: ChangeLogReads;
  /** When members were last active and tokens last used. */
  readonly activity: ActivityReads;
  /** The answers that are kept for idempotency keys. */
  readonly idempotency: IdempotencyReads;
  /** The settings of the service. */
  readonly settings: SettingsReads;
  /** Absent: the database keeps its indexes itself. */
  readonly indexes?: IndexReads;
}

/** A write transaction; it sees its own writes. */
export interface Transaction extends WriteCollections {
  /** Workspaces; they are written through `structures`. */
  readonly workspaces: CollectionReads<'workspaces'>;
  /** Workspaces with their members and pages. */
  readonly structures: StructureRepository;
  /** Tasks, their counts and places in columns. */
  readonly tasks: TaskRepository;
  /** What was written in each workspace, in the order of commits. */
  readonly changeLog: ChangeLog;
  /** When members were last active and tokens last used. */
  readonly activity: ActivityRepository;
  /** The answers that are kept for idempotency keys. */
  readonly idempotency: IdempotencyRepository;
  /** The settings of the service. */
  readonly settings: SettingsRepository;
  /** Absent: the database keeps its indexes itself. */
  readonly indexes?: IndexReads;
}

/** A workspace of a user, with their member record in it. */
export interface Membership {
  /** The workspace. */
  readonly workspace: Workspace;
  /** The active member of the user in it. */
  readonly member: Member;
}

/** The structures of workspaces, as a transaction reads them. */
export interface StructureReads {
  /**
   * @param known a structure that the caller has from an earlier snapshot: returned if it is this one and has not
   *   changed, so that it is not loaded again
   */
  get(workspaceId: string, known?: Structure): Promise<Structure | null>;
  /** The active memberships of a user, by workspace id: all, or a slice. O(answer). */
  ofUser(userId: string, part?: Part<string>): Promise<readonly Membership[]>;
  /** The ids of existing workspaces that a user is an active owner of: a slice, ascending. O(memberships of the user). */
  ownedBy(userId: string, part: Part<string>): Promise<readonly string[]>;
  /** The active owners of all of these workspaces, in no order. O(members), or O(owners) with an index of them. */
  owners(workspaceIds: readonly string[]): Promise<readonly Member[]>;
  /**
   * Up to `limit` stored pages whose parent is one of these, including unreachable ones, see `core/tree/reach.ts`:
   * `change` removes only some of the `removedPages` from storage, and leaves the others to `forget`.
   */
  storedBelow(workspaceId: string, parentIds: readonly string[], limit: number): Promise<readonly Page[]>;
  /** Like {@link storedBelow}, of one parent and in sibling order, after one of them. */
  storedChildren(workspaceId: string, parentId: string, after: Page | null, limit: number): Promise<readonly Page[]>;
  /** The stored pages among these ids, including unreachable ones. */
  stored(workspaceId: string, ids: readonly string[]): Promise<readonly Page[]>;
}

/** Unique: workspace `alias` (`alias-taken`). */
export interface StructureRepository extends StructureReads {
  /** A new workspace with its first member and no pages. */
  insert(workspace: Workspace, owner: Member): Promise<Structure>;
  /**
   * Applies the change and raises the revision by one. An empty change raises it too: so a write that depends on the
   * structure conflicts with those that change it.
   */
  change(structure: Structure, change: StructureChange): Promise<Structure>;
  /** Makes the workspace unreachable. Its stored records are left to `clear`. Few writes. */
  remove(structure: Structure): Promise<void>;
  /**
   * Removes up to `limit` of the stored members and pages of a workspace that does not exist.
   *
   * @param from `next` of the call before; null: it is the first
   */
  clear(workspaceId: string, from: string | null, limit: number): Promise<Cleared>;
  /** Stores new members and pages of a workspace that does not exist yet, for `open`; or new pages that are unreachable. */
  stage(workspaceId: string, records: Pick<StructureChange, 'members' | 'pages'>): Promise<void>;
  /** Replaces pages that are stored and unreachable, and stay so. */
  restage(workspaceId: string, pages: readonly Page[]): Promise<void>;
  /** Creates a workspace whose members and pages have all been staged. Few writes. */
  open(structure: Structure): Promise<void>;
  /** Removes stored pages that are unreachable. */
  forget(workspaceId: string, pages: readonly Page[]): Promise<void>;
  /**
   * The number of active memberships of a user, up to `limit`. Conflicts with every other write that counts them.
   * O(existing workspaces that the user has ever joined).
   */
  countOfUser(userId: string, limit: number): Promise<number>;
}

/** The tasks of workspaces, as a transaction reads them. */
export interface TaskReads {
  /** A task by its id, also one that is unreachable; null if it is not stored. O(1). */
  get(workspaceId: string, id: string): Promise<Task | null>;
  /** A task by its `externalId`, as {@link get}. O(1). */
  byExternalId(workspaceId: string, externalId: string): Promise<Task | null>;
  /** At most `limit` tasks as seen in the scope, filtered, sorted, starting after `after`. */
  find(query: TaskQuery): Promise<readonly SeenTask[]>;
  /**
   * The number of tasks that match the query. Without filters, or by boards and statuses only: O(statuses in scope). By
   * one indexed filter: O(matches) index entries. Otherwise it reads tasks. Each costs O(tasks in `hidden` and
   * `withoutBoard` of the scope) in addition.
   */
  count(query: Pick<TaskQuery, 'workspaceId' | 'scope' | 'filters'>): Promise<number>;
  /**
   * The number of tasks in each status of a board, from counters that every write of a task maintains. O(statuses of
   * the board).
   */
  countByStatus(workspaceId: string, boardId: string): Promise<StatusCounts>;
  /** The number of tasks with these ids in each status of a board; a status without any is absent. O(ids). */
  countAmong(workspaceId: string, boardId: string, ids: ReadonlySet<string>): Promise<ReadonlyMap<string, number>>;
  /** Tasks of one status by `statusOrderKey`, from a key on (inclusive), ascending or descending. */
  column(workspaceId: string, statusId: string, range: ColumnRange): Promise<readonly Task[]>;
  /** Only the `statusOrderKey` of those tasks. */
  placesTaken(workspaceId: string, statusId: string, range: ColumnRange): Promise<readonly number[]>;
  /** The `statusOrderKey` of the tasks of one status from one key to another (both inclusive), ascending. For few keys. */
  placesTakenAmong(workspaceId: string, statusId: string, from: number, to: number): Promise<readonly number[]>;
  /** The largest running number given so far, 0 before the first. */
  lastNum(workspaceId: string): Promise<number>;
  /** The counter of {@link TaskRepository.ensureTaskCount}; null before its first call. */
  taskCount(workspaceId: string): Promise<number | null>;
}

/** Unique: `externalId` in the workspace (`external-id-taken`), `statusOrderKey` in the status. */
export interface TaskRepository extends TaskReads {
  /** Stores a new task. @throws the code of the unique constraint that is violated */
  insert(task: Task): Promise<void>;
  /** Replaces the task with the same id. */
  replace(task: Task): Promise<void>;
  /** Removes the task with the same id. */
  remove(task: Task): Promise<void>;
  /**
   * Replaces existing tasks with the same ids, all at once: one may take a sort key that another of them gives up.
   *
   * @param displaced the ids of those that only make room for another; stores may ignore them
   */
  replaceTogether(tasks: readonly Task[], displaced?: ReadonlySet<string>): Promise<void>;
  /**
   * Puts the tasks with numbers from `from` up to `to`, exclusive, into the indexes of metadata of the workspace. Every
   * other write of a task keeps them too. O(to - from).
   */
  indexMetadata(workspaceId: string, from: number, to: number): Promise<void>;
  /**
   * Removes up to `limit` entries of an index of metadata that the workspace no longer has; null: of every index, of a
   * workspace that does not exist.
   */
  clearMetadataIndex(workspaceId: string, index: string | null, limit: number): Promise<Removed>;
  /**
   * Allocates `count` running numbers and returns the first. They are larger than every number allocated before this
   * call began. If the transaction fails they may be lost.
   */
  reserveNums(workspaceId: string, count: number): Promise<number>;
  /**
   * The number of stored tasks of a workspace, including unreachable ones. The first call counts them and creates a
   * counter, which every later write by any process maintains: then O(1).
   */
  ensureTaskCount(workspaceId: string): Promise<number>;
}

/** The numbers of tasks in the columns of a board. */
export interface StatusCounts {
  /** A status without tasks may be absent. */
  readonly tasks: ReadonlyMap<string, number>;
  /**
   * A counter of the workspace that changes when a task with its own page changes its status or is removed. Cached
   * statuses of such tasks are valid while it and the structure are unchanged.
   */
  readonly pageMoves: number;
}

/** Which part of a column is read, and in which direction. */
export interface ColumnRange {
  /** Default: from the first, or the last if descending. */
  readonly from?: number;
  /** From the largest key down. Default: ascending. */
  readonly descending?: boolean;
  /** The most tasks of the answer. */
  readonly limit: number;
}

/** When members were last active and tokens last used, as a transaction reads it. */
export interface ActivityReads {
  /** The last times, ISO 8601, by the ids of members and tokens. Those of which none is known are absent. */
  of(subjects: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** When members were last active and tokens last used. Not versioned; not part of the structure. */
export interface ActivityRepository extends ActivityReads {
  /** Stores the later of the present value and `at`. `subject` is a member's or token's id. */
  touch(subject: string, at: string): Promise<void>;
}

/** Idempotency records by key, as a transaction reads them. */
export interface IdempotencyReads {
  /** The record of a key; null if there is none. It may have expired. */
  get(key: string): Promise<IdempotencyRecord | null>;
}

/** Idempotency records by key. An expired one may be removed at any time. */
export interface IdempotencyRepository extends IdempotencyReads {
  /** Inserts a record, or replaces the one with the same key. */
  put(record: IdempotencyRecord): Promise<void>;
  /** Removes up to `limit` records that expired before `now`, oldest first. */
  removeExpired(now: string, limit: number): Promise<void>;
}

/** For a store that keeps indexes itself, beside the records. */
export interface IndexReads {
  /** Compares all records with the index entries that lead to them, and entries with their records. O(store), in steps. */
  check(): Promise<readonly IndexFault[]>;
}

/** An index entry that is missing or leads to no such record. */
export interface IndexFault {
  /** Null for a record outside of workspaces. */
  readonly workspaceId: string | null;
  /** Of the record; of the workspace for an entry that leads to none. */
  readonly id: string;
  /** What is wrong, for people. */
  readonly detail: string;
}

/** The settings record, as a transaction reads it. */
export interface SettingsReads {
  /**
   * Null if none were ever set. Settings may be up to five seconds old.
   *
   * @param options.latest as they are now: to show them, or to write them with a change
   */
  get(options?: { readonly latest?: boolean }): Promise<ServiceSettings | null>;
}

/** The settings record, which applies to every process on the store. */
export interface SettingsRepository extends SettingsReads {
  /** Replaces all settings. */
  put(settings: ServiceSettings): Promise<void>;
}
