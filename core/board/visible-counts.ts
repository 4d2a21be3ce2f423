import type { Viewer } from '../access/viewer.ts';
import type { ReadTransaction } from '../ports/store.ts';
import { hiddenOn } from '../task/list/scope.ts';

type CountsByStatus = ReadonlyMap<string, number>;

/**
 * The number of hidden tasks per status. The key is the set of hidden tasks, which is made once for a structure, a
 * viewer and a board.
 */
const cache = new WeakMap<ReadonlySet<string>, CachedCounts>();

interface CachedCounts {
  readonly pageMoves: number;
  readonly counts: CountsByStatus;
}

/**
 * The number of tasks in each status of a board that the viewer sees; a status without any may be absent. O(statuses +
 * tasks of the board that their own pages hide), or O(statuses) where a read has counted these.
 */
export function visibleCounts(tx: ReadTransaction, viewer: Viewer, boardId: string): Promise<CountsByStatus> {
  return countsSeen(tx, viewer, boardId, () => undefined);
}

/**
 * Like {@link visibleCounts}, cached: O(statuses) as long as neither the structure nor the status of any task with its
 * own page has changed. For reads only: what a write sees may be rolled back and must not be cached.
 */
export function cachedVisibleCounts(tx: ReadTransaction, viewer: Viewer, boardId: string): Promise<CountsByStatus> {
  return countsSeen(tx, viewer, boardId, (hidden, counted) => void cache.set(hidden, counted));
}

async function countsSeen(
  tx: ReadTransaction,
  viewer: Viewer,
  boardId: string,
  keep: (hidden: ReadonlySet<string>, counted: CachedCounts) => void,
): Promise<CountsByStatus> {
  const workspaceId = viewer.structure.workspace.id;
  const { tasks, pageMoves } = await tx.tasks.countByStatus(workspaceId, boardId);
  const hidden = await hiddenOn(viewer, boardId);
  if (hidden.size === 0) return tasks;
  const before = cache.get(hidden);
  if (before?.pageMoves === pageMoves) return without(tasks, before.counts);
  const counts = await tx.tasks.countAmong(workspaceId, boardId, hidden);
  keep(hidden, { pageMoves, counts });
  return without(tasks, counts);
}

function without(all: CountsByStatus, hidden: CountsByStatus): CountsByStatus {
  return new Map(Array.from(all, ([id, count]) => [id, count - (hidden.get(id) ?? 0)]));
}
