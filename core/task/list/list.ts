import type { WorkspaceAddress } from '../../model/address.ts';
import { BOARDS_PER_QUERY } from '../../board/boards.ts';
import { slicesOf } from '../../kernel/slices.ts';
import { viewerOf, type Viewer } from '../../access/viewer.ts';
import type { Context } from '../../ports/context.ts';
import { visitItems } from '../../kernel/stepwise.ts';
import type { Board, Status } from '../../model/content/board.ts';
import { DEFAULT_LIMIT, type Slice, type Expanding } from '../../kernel/record.ts';
import type { ReadTransaction } from '../../ports/store.ts';
import { listKey } from '../../kernel/list-cursor.ts';
import { read } from '../../write/transaction.ts';
import { cursorOf, sortValuesIn } from './cursor.ts';
import { conditionsOf } from './conditions.ts';
import { asksForUnassigned, type TaskFilters } from './filters.ts';
import { sortValues, type SortKey, type TaskQuery, type TaskScope } from '../../model/content/task-query.ts';
import { taskNames, type TaskExpansion } from '../../names/task-names.ts';
import { listedFor } from './scope.ts';
import { sortOf, type TaskSort } from './sort.ts';
import { type ListQuery, totalOf } from './total.ts';
import { endedAssignments } from '../../member/membership-end.ts';
import { mapTasks, taskSummaries, type TaskSummary } from '../view.ts';

/** What `tasks.list` takes: filters, an order, and a slice. */
export interface ListTasks extends WorkspaceAddress, TaskFilters, Expanding<TaskExpansion> {
  /** Default `num`. */
  readonly sort?: readonly TaskSort[];
  /** 1-500, default 100. */
  readonly limit?: number;
  /** The `next` of the previous slice; valid only with the same filters and `sort`. */
  readonly cursor?: string;
  /** Whether to count all matches. For the cost see `TaskReads.count`. */
  readonly count?: boolean;
}

const NONE: ReadonlySet<string> = new Set();

/** A slice of the tasks that the caller sees and that pass the filters. @throws `invalid-input` for a cursor of another list */
export function listTasks(context: Context, input: ListTasks): Promise<Slice<TaskSummary>> {
  return read(context, async (tx) => {
    const { workspaceId } = input;
    const [viewer, ended] = asksForUnassigned(input)
      ? await Promise.all([viewerOf(tx, context, workspaceId), endedAssignments(tx, workspaceId)])
      : [await viewerOf(tx, context, workspaceId), NONE];
    const listed = await listedFor(viewer, input);
    const { scope } = listed;
    const sort = sortOf(input.sort?.length ? input.sort : ['num']);
    const query: ListQuery = {
      workspaceId,
      scope,
      filters: await conditionsOf(tx, context, viewer, input, listed, ended),
      sort,
      ...(await statusOrder(tx, viewer, sort, scope, input)),
      after: input.cursor === undefined ? null : sortValuesIn(input.cursor, sort, keyOf(input)),
      limit: (input.limit ?? DEFAULT_LIMIT) + 1,
    };
    const [found, total] =
      input.count === true
        ? await Promise.all([tx.tasks.find(query), totalOf(tx, viewer, query)])
        : [await tx.tasks.find(query), null];
    const tasks = found.slice(0, query.limit - 1);
    const last = tasks.at(-1);
    const next =
      found.length < query.limit || last === undefined ? null : cursorOf(sortValues(last, query), sort, keyOf(input));
    const shown = await taskSummaries(tx, viewer, tasks);
    const items = input.expand?.length ? await withNames(tx, viewer, shown, input.expand) : shown;
    const slice = { items, next };
    return total === null ? slice : { ...slice, total };
  });
}

async function withNames(
  tx: ReadTransaction,
  viewer: Viewer,
  tasks: readonly TaskSummary[],
  expand: readonly TaskExpansion[],
): Promise<readonly TaskSummary[]> {
  const namesOf = await taskNames(tx, viewer, tasks, expand);
  return mapTasks(viewer, tasks, (task) => ({ ...task, expanded: namesOf(task) }));
}

/** The cursor itself holds the sort. */
const NO_FILTERS = ['sort', 'limit', 'cursor', 'count', 'expand'];

/** Identifies the list by its filters. */
function keyOf(input: ListTasks): string {
  return listKey('tasks', input, NO_FILTERS);
}

/**
 * The order of the columns, if the list is sorted by it: of the statuses in the filter, or else of all on the boards in
 * the filter, or of all in scope. In steps.
 */
async function statusOrder(
  tx: ReadTransaction,
  { structure, yielder }: Viewer,
  sort: readonly SortKey[],
  scope: TaskScope,
  input: ListTasks,
): Promise<Pick<TaskQuery, 'statusOrder'>> {
  if (!sort.some((key) => key.field === 'statusOrder')) return {};
  const asked = input.boardId?.filter((id) => scope.boards.has(id));
  const ids = asked ?? [...scope.boards];
  const wanted = input.statusId === undefined ? null : new Set(input.statusId);
  const order = new Map<string, number>();
  const visit = ({ id, orderKey }: Status): void => {
    if (wanted === null || wanted.has(id)) order.set(id, orderKey);
  };
  for (const some of slicesOf(ids, BOARDS_PER_QUERY)) {
    const boards = await tx.boards.many(structure.workspace.id, some);
    await visitItems(statusesOf(boards.values()), yielder, visit);
  }
  return { statusOrder: order };
}

function* statusesOf(boards: Iterable<Board>): IterableIterator<Status> {
  for (const { statuses } of boards) yield* statuses;
}
