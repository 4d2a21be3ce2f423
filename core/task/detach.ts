import { changedTask } from './board-edits.ts';
import type { Transaction } from '../ports/store.ts';
import { storedTasks } from './stored-tasks.ts';

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
  const tasks = await storedTasks(tx, workspaceId, { filters: [{ field, in: [id] }], limit: limit + 1 });
  for (const task of tasks.slice(0, limit)) {
    await tx.tasks.replace(changedTask(task, { [field]: task[field].filter((other) => other !== id) }, now));
  }
  return tasks.length > limit;
}
