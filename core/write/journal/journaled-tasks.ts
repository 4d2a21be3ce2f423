import type { Task } from '../../model/content/task.ts';
import type { TaskRepository } from '../../ports/tasks.ts';
import type { PendingChanges } from './pending-changes.ts';
import { TaskWrapper } from '../task-wrapper.ts';

/** Tasks whose writes are added to the pending changes of their workspace. */
export class JournaledTasks extends TaskWrapper {
  protected readonly changesIn: (workspaceId: string) => PendingChanges;
  /** As they were when they were read. */
  readonly #read = new Map<string, Task>();

  constructor(inner: TaskRepository, changesIn: (workspaceId: string) => PendingChanges) {
    super(inner);
    this.changesIn = changesIn;
  }

  override async get(workspaceId: string, id: string): Promise<Task | null> {
    const task = await this.inner.get(workspaceId, id);
    if (task !== null) this.#read.set(id, task);
    return task;
  }

  override insert(task: Task): Promise<void> {
    this.changesIn(task.workspaceId).add('task', null, task);
    return this.inner.insert(task);
  }

  override replace(task: Task): Promise<void> {
    if (this.#noteUpdate(task)) return this.inner.replace(task);
    return this.#readBefore(task).then(() => this.inner.replace(task));
  }

  override async replaceTogether(all: readonly Task[], displaced?: ReadonlySet<string>): Promise<void> {
    for (const task of all) if (!this.#noteUpdate(task)) await this.#readBefore(task);
    const [first] = all;
    if (first !== undefined && displaced !== undefined) this.changesIn(first.workspaceId).addDisplaced(displaced);
    await this.inner.replaceTogether(all);
  }

  override remove(task: Task): Promise<void> {
    this.changesIn(task.workspaceId).add('task', task, null);
    return this.inner.remove(task);
  }

  /** @returns false if the task was not read before */
  #noteUpdate(task: Task): boolean {
    const changes = this.changesIn(task.workspaceId);
    const before = changes.written('task', task.id) ?? this.#read.get(task.id);
    if (before === undefined) return false;
    changes.add('task', before, task);
    return true;
  }

  async #readBefore(task: Task): Promise<void> {
    const before = await this.inner.get(task.workspaceId, task.id);
    this.changesIn(task.workspaceId).add('task', before, task);
  }
}

/** Tasks of which only updates are added: the other writes remove unreachable tasks. */
export class JournaledTaskUpdates extends JournaledTasks {
  override insert(task: Task): Promise<void> {
    return this.inner.insert(task);
  }

  /** Earlier writes of the task, as of one end of a link, leave no entry: its history is removed with it. */
  override remove(task: Task): Promise<void> {
    this.changesIn(task.workspaceId).drop('task', task.id);
    return this.inner.remove(task);
  }
}
