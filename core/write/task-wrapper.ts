import type { Removed } from '../kernel/removed.ts';
import type { SeenTask, TaskQuery } from '../model/content/task-query.ts';
import type { Task } from '../model/content/task.ts';
import type { ColumnRange, StatusCounts, TaskRepository } from '../ports/tasks.ts';

/** A repository of tasks that forwards every call to another. Subclasses override methods. */
export class TaskWrapper implements TaskRepository {
  protected readonly inner: TaskRepository;

  constructor(inner: TaskRepository) {
    this.inner = inner;
  }

  get(workspaceId: string, id: string): Promise<Task | null> {
    return this.inner.get(workspaceId, id);
  }

  byExternalId(workspaceId: string, externalId: string): Promise<Task | null> {
    return this.inner.byExternalId(workspaceId, externalId);
  }

  find(query: TaskQuery): Promise<readonly SeenTask[]> {
    return this.inner.find(query);
  }

  count(query: Pick<TaskQuery, 'workspaceId' | 'scope' | 'filters'>): Promise<number> {
    return this.inner.count(query);
  }

  countByStatus(workspaceId: string, boardId: string): Promise<StatusCounts> {
    return this.inner.countByStatus(workspaceId, boardId);
  }

  countAmong(workspaceId: string, boardId: string, ids: ReadonlySet<string>): Promise<ReadonlyMap<string, number>> {
    return this.inner.countAmong(workspaceId, boardId, ids);
  }

  column(workspaceId: string, statusId: string, range: ColumnRange): Promise<readonly Task[]> {
    return this.inner.column(workspaceId, statusId, range);
  }

  placesTaken(workspaceId: string, statusId: string, range: ColumnRange): Promise<readonly number[]> {
    return this.inner.placesTaken(workspaceId, statusId, range);
  }

  placesTakenAmong(workspaceId: string, statusId: string, from: number, to: number): Promise<readonly number[]> {
    return this.inner.placesTakenAmong(workspaceId, statusId, from, to);
  }

  lastNum(workspaceId: string): Promise<number> {
    return this.inner.lastNum(workspaceId);
  }

  taskCount(workspaceId: string): Promise<number | null> {
    return this.inner.taskCount(workspaceId);
  }

  insert(task: Task): Promise<void> {
    return this.inner.insert(task);
  }

  replace(task: Task): Promise<void> {
    return this.inner.replace(task);
  }

  remove(task: Task): Promise<void> {
    return this.inner.remove(task);
  }

  replaceTogether(tasks: readonly Task[], displaced?: ReadonlySet<string>): Promise<void> {
    return this.inner.replaceTogether(tasks, displaced);
  }

  indexMetadata(workspaceId: string, from: number, to: number): Promise<void> {
    return this.inner.indexMetadata(workspaceId, from, to);
  }

  clearMetadataIndex(workspaceId: string, index: string | null, limit: number): Promise<Removed> {
    return this.inner.clearMetadataIndex(workspaceId, index, limit);
  }

  reserveNums(workspaceId: string, count: number): Promise<number> {
    return this.inner.reserveNums(workspaceId, count);
  }

  ensureTaskCount(workspaceId: string): Promise<number> {
    return this.inner.ensureTaskCount(workspaceId);
  }
}
