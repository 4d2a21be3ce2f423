import type { Collection, CollectionReads, Part } from './collection.ts';
import type { CollectionName } from '../model/collections.ts';
import type { Member } from '../model/member.ts';
import type { Page } from '../model/page.ts';
import type { IdempotencyRecord } from '../model/idempotency-record.ts';
import type { ServiceSettings } from '../model/service-settings.ts';
import type { Structure, StructureChange } from '../model/structure.ts';
import type { SeenTask, TaskQuery } from '../model/task-query.ts';
import type { Task } from '../model/task.ts';
import type { Workspace } from '../model/workspace.ts';

/**
 * Where everything is kept. Records go in and come out as they are: plain, JSON-safe and readonly.
 * What a store returns must never be changed by whoever holds it.
 */
export interface Store {
  /**
   * Runs `work` on one consistent snapshot of what has been acknowledged. It may begin anew after its first
   * queries; what they lead to should have no effect before further ones are answered.
   *
   * @throws `store-unavailable` when the store cannot be reached
   */
  read<T>(work: (tx: ReadTransaction) => Promise<T>): Promise<T>;

  /**
   * Runs `work` so that all of it happens or, when it throws, nothing, and so that all writes together
   * have the effect of some serial order. Returns when the effects are as durable as the store promises.
   * `work` may run several times and must await nothing but `tx`; it sees its own writes.
   *
   * @throws whatever `work` throws, untouched
   * @throws `store-busy` when conflicts persist past the store's bound
   * @throws `store-unavailable` when the store cannot be reached
   */
  write<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;

  /** Resolves when the store can serve. @throws `store-unavailable` */
  ready(): Promise<void>;

  /** Lets running calls end and gives everything back. May be called more than once. */
  close(): Promise<void>;
}

type Reads = { readonly [Name in CollectionName]: CollectionReads<Name> };
/** Workspaces are written with their structure. */
type Writes = { readonly [Name in Exclude<CollectionName, 'workspaces'>]: Collection<Name> };

/** What a read sees: one consistent snapshot. To replace parts of it use `withParts`: spreading leaves collections out. */
export interface ReadTransaction extends Reads {
  readonly structures: StructureReads;
  readonly tasks: TaskReads;
  readonly activity: ActivityReads;
  readonly replays: IdempotencyReads;
  readonly settings: SettingsReads;
}

/** What a write sees, its own writes among it, and what it can change. */
export interface Transaction extends Writes {
  readonly workspaces: CollectionReads<'workspaces'>;
  readonly structures: StructureRepository;
  readonly tasks: TaskRepository;
  readonly activity: ActivityRepository;
  readonly replays: IdempotencyRepository;
  readonly settings: SettingsRepository;
}

/** A user's place in one of their workspaces. */
export interface Membership {
  readonly workspace: Workspace;
  readonly member: Member;
}

export interface StructureReads {
  get(workspaceId: string): Promise<Structure | null>;
  /** Where the user is an active member, by workspace id: all, or a part behind a workspace id. O(answer). */
  ofUser(userId: string, part?: Part<string>): Promise<readonly Membership[]>;
  /** The active members of a workspace with the role of an owner, in no order. O(members). */
  owners(workspaceId: string): Promise<readonly Member[]>;
}

/** Unique: workspace `alias` (`alias-taken`). */
export interface StructureRepository extends StructureReads {
  /** A new workspace with its first member and no pages. */
  insert(workspace: Workspace, owner: Member): Promise<Structure>;
  /**
   * Makes the change and raises the revision by one. An empty change still raises it, which is how a
   * write that depends on the structure is made to conflict with those that change it.
   */
  change(structure: Structure, change: StructureChange): Promise<Structure>;
  /** Takes the workspace away: nobody finds it from then on. What is stored of it is left to `clear`. Few writes. */
  remove(structure: Structure): Promise<void>;
  /**
   * Removes up to `limit` of the members, pages and invitations that are stored of a workspace that is not there.
   *
   * @returns the pages among them, and whether anything is left
   */
  clear(workspaceId: string, limit: number): Promise<{ readonly pages: readonly Page[]; readonly more: boolean }>;
  /** Stores members and pages of a workspace that is not there, for `open`. */
  stage(workspaceId: string, records: Pick<StructureChange, 'members' | 'pages'>): Promise<void>;
  /** Puts a workspace in place whose members and pages, all of them, have been staged. Few writes. */
  open(structure: Structure): Promise<void>;
  /**
   * Up to `limit` stored pages whose parent is one of these. They may be out of reach, see `core/tree/reach.ts`: a
   * change takes away few of the pages that it removes, and leaves the others to `forget`.
   */
  storedBelow(workspaceId: string, parentIds: readonly string[], limit: number): Promise<readonly Page[]>;
  /** Those of these pages that are stored, those out of reach too. */
  stored(workspaceId: string, ids: readonly string[]): Promise<readonly Page[]>;
  /** Removes stored pages that are out of reach. */
  forget(workspaceId: string, pages: readonly Page[]): Promise<void>;
  /**
   * Of how many workspaces the user is an active member, at most `limit`. Conflicts with every other write that
   * counts them. O(workspaces that the user has ever joined and that still exist).
   */
  countOfUser(userId: string, limit: number): Promise<number>;
}

export interface TaskReads {
  get(workspaceId: string, id: string): Promise<Task | null>;
  byExternalId(workspaceId: string, externalId: string): Promise<Task | null>;
  /** At most `limit` tasks as seen in the scope, filtered, sorted, behind `after`. */
  find(query: TaskQuery): Promise<readonly SeenTask[]>;
  /**
   * How many tasks the query finds. Without filters, and by boards and statuses alone, O(statuses in scope); by one
   * filter that has an index, O(tasks that it finds) entries of that. Any other reads tasks. Each is O(tasks that are
   * hidden or alone in the scope) besides.
   */
  count(query: Pick<TaskQuery, 'workspaceId' | 'scope' | 'filters'>): Promise<number>;
  /** How many tasks each status of a board holds, kept with every task that is written. O(statuses of the board). */
  countByStatus(workspaceId: string, boardId: string): Promise<StatusCounts>;
  /** How many of the tasks with these ids each status of a board holds; a status without any is absent. O(ids). */
  countAmong(workspaceId: string, boardId: string, ids: ReadonlySet<string>): Promise<ReadonlyMap<string, number>>;
  /** Tasks of one status by `statusOrderKey`, from (including) a key on, upwards or downwards. */
  column(workspaceId: string, statusId: string, range: ColumnRange): Promise<readonly Task[]>;
  /** Only where those tasks stand: their `statusOrderKey`. */
  placesTaken(workspaceId: string, statusId: string, range: ColumnRange): Promise<readonly number[]>;
  /** The largest running number given so far, 0 before the first. */
  lastNum(workspaceId: string): Promise<number>;
  /** The count that is kept, without counting; null where nobody has asked for it yet. */
  taskCount(workspaceId: string): Promise<number | null>;
}

/** Unique: `externalId` in the workspace (`external-id-taken`), `statusOrderKey` in the status. */
export interface TaskRepository extends TaskReads {
  insert(task: Task): Promise<void>;
  /** Puts a task in the place of the one with the same id. */
  replace(task: Task): Promise<void>;
  remove(task: Task): Promise<void>;
  /**
   * Puts tasks in the place of those with the same ids, all at once: one may take the place in a status that another
   * of them leaves. Each is there already.
   */
  replaceTogether(tasks: readonly Task[]): Promise<void>;
  /**
   * Takes `count` running numbers and returns the first. Larger than every number given before this
   * call began. Need not be given back when the transaction fails.
   */
  reserveNums(workspaceId: string, count: number): Promise<number>;
  /**
   * How many tasks of a workspace are kept, those out of reach too. They are counted when this is called for the
   * first time, and from then on kept count of, by every process: O(1).
   */
  ensureTaskCount(workspaceId: string): Promise<number>;
}

export interface StatusCounts {
  /** A status without tasks may be absent. */
  readonly tasks: ReadonlyMap<string, number>;
  /**
   * Of the workspace. Other than before when a task that has a page of its own has changed its status or was removed:
   * what is known of the statuses of those tasks holds while this and the structure are the same.
   */
  readonly pageMoves: number;
}

export interface ColumnRange {
  /** Default: the end to start at. */
  readonly from?: number;
  readonly descending?: boolean;
  readonly limit: number;
}

export interface ActivityReads {
  of(subjects: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** When members were last active and tokens last used. Without versions; not part of the structure. */
export interface ActivityRepository extends ActivityReads {
  /** Keeps the later of what is there and `at`. `subject` is a member's or token's id. */
  touch(subject: string, at: string): Promise<void>;
}

export interface IdempotencyReads {
  get(key: string): Promise<IdempotencyRecord | null>;
}

/** By key. A replay may be swept at any time after it has expired. */
export interface IdempotencyRepository extends IdempotencyReads {
  /** In the place of one with the same key. */
  put(replay: IdempotencyRecord): Promise<void>;
  /** Removes up to `limit` of those that expired before `now`, the oldest first. */
  removeExpired(now: string, limit: number): Promise<void>;
}

export interface SettingsReads {
  /** Null where none were ever set. A process may read settings of up to five seconds ago. */
  get(): Promise<ServiceSettings | null>;
}

/** The one record of settings that every process on the store obeys. */
export interface SettingsRepository extends SettingsReads {
  put(settings: ServiceSettings): Promise<void>;
}
