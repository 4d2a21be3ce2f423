import { readSlices } from '../kernel/slices.ts';
import type { Task } from '../model/content/task.ts';
import type { SeenTask, TaskQuery } from '../model/content/task-query.ts';
import type { ReadTransaction } from '../ports/store.ts';

/** Tasks of one of the slices of {@link storedTaskSlices}. */
const SLICE = 500;

type ReadsTasks = Pick<ReadTransaction, 'tasks'>;
type FilterList = TaskQuery['filters'];

interface TaskSlice {
  readonly filters?: FilterList;
  /** Default: from the first. */
  readonly after?: Pick<Task, 'num' | 'id'> | null;
  readonly limit: number;
}

const BY_NUM: TaskQuery['sort'] = [
  { field: 'num', descending: false },
  { field: 'id', descending: false },
];

/** Up to `limit` tasks of a workspace by running number, visible or not: for internal use. */
export async function storedTasks(
  tx: ReadsTasks,
  workspaceId: string,
  { filters = [], after = null, limit }: TaskSlice,
): Promise<readonly Task[]> {
  return (await tx.tasks.find({
    workspaceId,
    scope: null,
    filters,
    sort: BY_NUM,
    after: after === null ? null : [after.num, after.id],
    limit,
  })) as readonly Task[];
}

/** All of them, in slices. */
export function storedTaskSlices(
  tx: ReadsTasks,
  workspaceId: string,
  filters: FilterList = [],
): AsyncIterableIterator<readonly Task[]> {
  return readSlices(SLICE, (part) => storedTasks(tx, workspaceId, { ...part, filters }));
}

/** The tasks that a viewer sees and that match, by running number, in slices. */
export function seenTaskSlices(
  tx: ReadsTasks,
  query: Pick<TaskQuery, 'workspaceId' | 'scope' | 'filters'>,
  length: number,
): AsyncIterableIterator<readonly SeenTask[]> {
  return readSlices<SeenTask>(length, ({ after, limit }) =>
    tx.tasks.find({ ...query, sort: BY_NUM, after: after && [after.num, after.id], limit }),
  );
}

/** The condition for the tasks of a board. */
export const filterByBoard = (boardId: string): FilterList => [{ field: 'boardId', in: [boardId] }];
