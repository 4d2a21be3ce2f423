import type { Task } from '../../../core/model/content/task.ts';

/** Few, as each look goes through all of them: a move reads the task and its neighbour. */
const MAX_KNOWN = 4;

const NONE: readonly Task[] = [];

/**
 * The last tasks that a transaction has read by their id or replaced, as they are stored: what is replaced was mostly read
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
