import type { Viewer } from '../access/viewer.ts';
import { readInSteps } from '../kernel/stepwise.ts';
import { slicesOf } from '../kernel/slices.ts';
import type { Task } from '../model/content/task.ts';
import type { ReadTransaction } from '../ports/store.ts';

/** Tasks read together: one round trip of a store behind a network. */
const TASKS_PER_QUERY = 250;

/** Tasks by id, in the same order; null for those that are not there. O(ids), in steps. */
export async function tasksById(
  tx: ReadTransaction,
  { structure, yielder }: Pick<Viewer, 'structure' | 'yielder'>,
  ids: readonly string[],
): Promise<(Task | null)[]> {
  const { id: workspaceId } = structure.workspace;
  const tasks: (Task | null)[] = [];
  for (const some of slicesOf(ids, TASKS_PER_QUERY)) {
    tasks.push(...(await readInSteps(some, yielder, (id) => tx.tasks.get(workspaceId, id))));
  }
  return tasks;
}
