import { changed } from '../kernel/record.ts';
import type { Transaction } from '../ports/store.ts';
import type { Task } from '../model/task.ts';

const CHUNK = 500;

/** Takes a tag or an assignee off every task of the workspace that has it. */
export async function detachEverywhere(
  tx: Transaction,
  workspaceId: string,
  field: 'tags' | 'assignees',
  id: string,
  at: string,
): Promise<void> {
  for (;;) {
    const tasks = (await tx.tasks.find({
      workspaceId,
      scope: null,
      filters: [{ field, in: [id] }],
      sort: [
        { field: 'num', descending: false },
        { field: 'id', descending: false },
      ],
      after: null,
      limit: CHUNK,
    })) as readonly Task[];
    for (const task of tasks) {
      await tx.tasks.replace(changed(task, { [field]: task[field].filter((other) => other !== id) }, at));
    }
    if (tasks.length < CHUNK) return;
  }
}
