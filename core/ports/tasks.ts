import type { Removed } from '../kernel/removed.ts';
import type { SeenTask, TaskQuery } from '../model/content/task-query.ts';
import type { Task } from '../model/content/task.ts';

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
