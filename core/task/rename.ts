import { changed } from '../kernel/record.ts';
import type { Transaction } from '../ports/store.ts';

/** Renames a task with its page. */
export async function renameTask(
  tx: Transaction,
  workspaceId: string,
  id: string,
  title: string,
  at: string,
): Promise<void> {
  const task = await tx.tasks.get(workspaceId, id);
  if (task !== null && task.title !== title) await tx.tasks.replace(changed(task, { title }, at));
}
