import type { Task } from '../model/content/task.ts';
import type { TaskQuery } from '../model/content/task-query.ts';
import type { ReadTransaction } from '../ports/store.ts';

/** Tasks of one of the slices of {@link storedTaskSlices}. */
const SLICE = 500;

type Reads = Pick<ReadTransaction, 'tasks'>;
type Filters = TaskQuery['filters'];

interface Slice {
  readonly filters?: Filters;
  /** Default: from the first. */
  readonly after?: Pick<Task, 'num' | 'id'> | null;
  readonly limit: number;
}

/** Up to `limit` tasks of a workspace by running number, visible or not: for internal use. */
export async function storedTasks(
  tx: Reads,
  workspaceId: string,
  { filters = [], after = null, limit }: Slice,
): Promise<readonly Task[]> {
  return (await tx.tasks.find({
    workspaceId,
    scope: null,
    filters,
    sort: [
      { field: 'num', descending: false },
      { field: 'id', descending: false },
    ],
    after: after === null ? null : [after.num, after.id],
    limit,
  })) as readonly Task[];
}

/** All of them, in slices. */
export async function* storedTaskSlices(
  tx: Reads,
  workspaceId: string,
  filters: Filters = [],
): AsyncIterableIterator<readonly Task[]> {
  for (let after: Task | null = null; ;) {
    const tasks: readonly Task[] = await storedTasks(tx, workspaceId, { filters, after, limit: SLICE });
    yield tasks;
    if (tasks.length < SLICE) return;
    after = tasks.at(-1)!;
  }
}

/** The condition for the tasks of a board. */
export const onBoard = (boardId: string): Filters => [{ field: 'boardId', in: [boardId] }];
