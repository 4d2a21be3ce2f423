import type { Task } from '../model/content/task.ts';
import type { ReadTransaction } from '../ports/store.ts';
import type { Report } from './finding.ts';

const NONE: ReadonlyMap<string, number> = new Map();

/** Counts the tasks of a workspace one by one and compares the result with the counts kept by the store. */
export class TaskCounts {
  readonly #byBoard = new Map<string, Map<string, number>>();
  #all = 0;

  add({ boardId, statusId }: Pick<Task, 'boardId' | 'statusId'>): void {
    this.#all += 1;
    const ofBoard = this.#byBoard.get(boardId) ?? new Map<string, number>();
    this.#byBoard.set(boardId, ofBoard.set(statusId, (ofBoard.get(statusId) ?? 0) + 1));
  }

  /** @param boards ids of all boards, with tasks or without */
  async compare(tx: ReadTransaction, workspaceId: string, boards: Iterable<string>, report: Report): Promise<void> {
    const taskCount = await tx.tasks.taskCount(workspaceId);
    if (taskCount !== null && taskCount !== this.#all) {
      report('task-count', workspaceId, `stores ${this.#all} tasks and counts ${taskCount}`);
    }
    for (const boardId of new Set([...boards, ...this.#byBoard.keys()])) {
      const { tasks: counts } = await tx.tasks.countByStatus(workspaceId, boardId);
      const found = this.#byBoard.get(boardId) ?? NONE;
      for (const statusId of new Set([...counts.keys(), ...found.keys()])) {
        const [kept, counted] = [found.get(statusId) ?? 0, counts.get(statusId) ?? 0];
        if (kept !== counted) report('task-count', statusId, `stores ${kept} tasks and counts ${counted}`);
      }
    }
  }
}
