import { readSlices } from '../kernel/slices.ts';
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
export function storedTaskSlices(
  tx: Reads,
  workspaceId: string,
  filters: Filters = [],
): AsyncIterableIterator<readonly Task[]> {
  return readSlices(SLICE, (part) => storedTasks(tx, workspaceId, { ...part, filters }));
}

/** The condition for the tasks of a board. */
export const onBoard = (boardId: string): Filters => [{ field: 'boardId', in: [boardId] }];
