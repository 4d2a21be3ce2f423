import { changed } from '../kernel/record.ts';
import type { Transaction } from '../ports/store.ts';

/**
 * Takes up to `limit` items of a workspace away from an assignee, each with a change of its task.
 *
 * @param assignment see `core/task/assignment.ts`
 * @returns whether any are left
 */
export async function unassignItems(
  tx: Transaction,
  workspaceId: string,
  assignment: string,
  limit: number,
  now: string,
): Promise<boolean> {
  const of = { workspaceId, assigneeId: assignment };
  const items = await tx.checklistItems.list('ofAssignee', of, { limit: limit + 1 });
  const taken = items.slice(0, limit);
  for (const item of taken) await tx.checklistItems.replace({ ...item, assigneeId: null });
  for (const taskId of new Set(taken.map((item) => item.taskId))) {
    const task = await tx.tasks.get(workspaceId, taskId);
    // Without its task, the item waits to be purged.
    if (task !== null) await tx.tasks.replace(changed(task, {}, now));
  }
  return items.length > limit;
}
