import { changedTask } from './board-edits.ts';
import type { Task } from '../model/content/task.ts';
import type { Transaction } from '../ports/store.ts';

/**
 * Removes a tag or an assignment from up to `limit` of the tasks of a workspace that have it.
 *
 * @returns whether any are left
 */
export async function detach(
  tx: Transaction,
  workspaceId: string,
  field: 'tags' | 'assignees',
  id: string,
  limit: number,
  now: string,
): Promise<boolean> {
  const tasks = (await tx.tasks.find({
    workspaceId,
    scope: null,
    filters: [{ field, in: [id] }],
    sort: [
      { field: 'num', descending: false },
      { field: 'id', descending: false },
    ],
    after: null,
    limit: limit + 1,
  })) as readonly Task[];
  for (const task of tasks.slice(0, limit)) {
    await tx.tasks.replace(changedTask(task, { [field]: task[field].filter((other) => other !== id) }, now));
  }
  return tasks.length > limit;
}
