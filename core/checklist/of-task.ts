import { removeFirst, type Removed } from '../kernel/removed.ts';
import { MAX_ITEMS, type ChecklistItem } from '../model/content/checklist-item.ts';
import type { Task } from '../model/content/task.ts';
import type { ReadTransaction, Transaction } from '../ports/store.ts';

type ReadsChecklists = Pick<ReadTransaction, 'checklistItems'>;

/** In order. O(items). */
export async function checklistOf(
  tx: ReadsChecklists,
  { workspaceId, id: taskId, checklistTotal }: Pick<Task, 'workspaceId' | 'id' | 'checklistTotal'>,
): Promise<readonly ChecklistItem[]> {
  return checklistTotal === 0 ? [] : storedItemsOf(tx, workspaceId, taskId);
}

/** The stored items, whatever the task counts. */
export async function storedItemsOf(
  tx: ReadsChecklists,
  workspaceId: string,
  taskId: string,
): Promise<readonly ChecklistItem[]> {
  const items = await tx.checklistItems.list('ofTask', { workspaceId, taskId }, { limit: MAX_ITEMS });
  return items.toSorted((a, b) => a.orderKey - b.orderKey);
}

/** The counts of a checklist that its task carries. */
export function checklistCounts(
  items: readonly Pick<ChecklistItem, 'done'>[],
): Pick<Task, 'checklistDone' | 'checklistTotal'> {
  return { checklistDone: items.filter(({ done }) => done).length, checklistTotal: items.length };
}

/** Removes up to `limit` items of a task. */
export function removeItemsOf(tx: Transaction, workspaceId: string, taskId: string, limit: number): Promise<Removed> {
  return removeFirst(
    limit,
    (first) => tx.checklistItems.list('ofTask', { workspaceId, taskId }, { limit: first }),
    (item) => tx.checklistItems.remove(item),
  );
}
