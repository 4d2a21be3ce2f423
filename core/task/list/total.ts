import type { Viewer } from '../../access/viewer.ts';
import { cachedVisibleCounts } from '../../board/visible-counts.ts';
import { forEachItemStepwise, type Stepwise, StepwiseCache } from '../../kernel/stepwise.ts';
import {
  compileFilters,
  isByBoardOrStatus,
  type SeenTask,
  type TaskQuery,
  type TaskScope,
} from '../../model/content/task-query.ts';
import type { Structure } from '../../model/workspace/structure.ts';
import type { ReadTransaction } from '../../ports/store.ts';
import { hiddenOn } from './scope.ts';

/** What a member sees of it. */
export interface ListQuery extends TaskQuery {
  readonly scope: TaskScope;
}

/**
 * The number of tasks that a list has in all its slices. For a list of the tasks of one board, or of some of its
 * statuses, hidden tasks are counted once for a structure; for a list without filters, from the structure alone.
 */
export async function totalOf(tx: ReadTransaction, viewer: Viewer, query: ListQuery): Promise<number> {
  const { scope, filters } = query;
  if (scope.hidden.size === 0) return tx.tasks.count(query);
  if (filters.length === 0) {
    const { hidden, left } = await cache.of(scope, () => withoutPaged(scope, viewer.structure), viewer.yielder);
    return (await tx.tasks.count({ ...query, scope: left })) - hidden;
  }
  const [boardId] = scope.boards;
  const isOfBoard = boardId !== undefined && scope.hidden === (await hiddenOn(viewer, boardId));
  if (!isOfBoard || !filters.every(isByBoardOrStatus)) return tx.tasks.count(query);
  const matches = compileFilters(filters);
  let total = 0;
  for (const [statusId, tasks] of await cachedVisibleCounts(tx, viewer, boardId)) {
    if (matches({ boardId, statusId } as SeenTask)) total += tasks;
  }
  return total;
}

interface WithoutPaged {
  /** The number of tasks on boards in scope that their own pages hide. */
  readonly hidden: number;
  /** The scope in which only those tasks are hidden that have no page any more. */
  readonly left: TaskScope;
}

/** By scopes, which are immutable and made once for a structure and a member. */
const cache = new StepwiseCache<TaskScope, WithoutPaged>();

/** A task with a page is stored, on the board that its page names. One without may be purged already. */
function* withoutPaged(scope: TaskScope, structure: Structure): Stepwise<WithoutPaged> {
  const unpaged = new Set<string>();
  let hidden = 0;
  yield* forEachItemStepwise(scope.hidden, (id) => {
    const page = structure.page(id);
    if (page === undefined) unpaged.add(id);
    else if (page.boardId !== null && scope.boards.has(page.boardId)) hidden += 1;
  });
  return { hidden, left: { ...scope, hidden: unpaged } };
}
