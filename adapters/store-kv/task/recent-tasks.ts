import type { Task } from '../../../core/model/content/task.ts';

/** Few, as a look-up compares all of them. A move reads the task and its neighbour. */
const MAX_KNOWN = 4;

const NONE: readonly Task[] = [];

/**
 * The last tasks that a transaction has read by id or replaced, as stored: a task that is replaced was usually read
 * just before.
 */
export class RecentTasks {
  #tasks = NONE;

  get(workspaceId: string, id: string): Task | undefined {
    for (const task of this.#tasks) if (task.id === id && task.workspaceId === workspaceId) return task;
    return undefined;
  }

  add(task: Task): void {
    this.#tasks = [task, ...this.#tasks.slice(0, MAX_KNOWN - 1)];
  }

  remove({ id }: Task): void {
    if (this.#tasks.some((task) => task.id === id)) this.#tasks = this.#tasks.filter((task) => task.id !== id);
  }
}
