import { linksOf, oppositeOf, type TaskLinks, withoutLink } from '../model/content/task-links.ts';
import type { Task } from '../model/content/task.ts';
import type { Transaction } from '../ports/store.ts';
import { releaseEnd, storedEnd } from './end.ts';

/** What a removal of links has done. */
export interface Released {
  /** How many other tasks it has changed. */
  readonly removed: number;
  /** How many it has read. */
  readonly tasksRead: number;
  /** The links that are left; undefined if none is. */
  readonly left: TaskLinks | undefined;
}

/**
 * Takes up to `limit` links of a task that is removed away from the tasks at their other ends, in the trash too.
 *
 * @param goneBoardId a board that is removed with all its tasks: their links are left
 */
export async function releaseLinks(
  tx: Transaction,
  { id, workspaceId, links }: Pick<Task, 'id' | 'workspaceId' | 'links'>,
  limit: number,
  now: string,
  goneBoardId?: string,
): Promise<Released> {
  let left = links;
  let removed = 0;
  let tasksRead = 0;
  const ends = [...linksOf({ ...(links !== undefined && { links }) })];
  // Read together.
  await Promise.all(ends.slice(0, limit).map(([, otherId]) => tx.tasks.get(workspaceId, otherId)));
  for (const [end, otherId] of ends) {
    if (removed >= limit) return { removed, tasksRead, left };
    left = withoutLink(left, end, otherId);
    tasksRead += 1;
    const other = await storedEnd(tx, workspaceId, otherId);
    if (other === null || (other.item === null && other.task.boardId === goneBoardId)) continue;
    await releaseEnd(tx, other, oppositeOf(end), id, now);
    removed += 1;
  }
  return { removed, tasksRead, left };
}
