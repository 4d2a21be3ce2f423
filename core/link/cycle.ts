import { conflict, type EspalierError } from '../kernel/errors.ts';
import { linkedAs, type LinkEnd, oppositeOf } from '../model/content/task-links.ts';
import type { Task } from '../model/content/task.ts';
import type { ReadTransaction } from '../ports/store.ts';
import { storedEnd } from './end.ts';

/** The most tasks that one check visits, and how many links away from either end. */
export const MAX_VISITED = 1_000;
const MAX_ROUNDS = 100;

/** One side of the search: the tasks that its last round found, and all that it has found. */
interface SearchSide {
  readonly end: LinkEnd;
  readonly seen: Set<string>;
  edge: readonly Task[];
}

/**
 * Searches from both ends of a link that is to be made: from `to` along links of its kind, and from `from` against
 * them. Hidden and trashed tasks count. Reads nothing where one side has no such links. O(tasks found), at most 1,000.
 *
 * @param end how the link will read at `from`
 * @throws `link-cycle` if `to` leads to `from`, `limit-reached` if that cannot be decided within the bounds
 */
export async function requireNoCycle(
  tx: Pick<ReadTransaction, 'tasks' | 'trash'>,
  from: Task,
  end: LinkEnd,
  to: Task,
): Promise<void> {
  await requireNoPath(tx, end, [to], [from]);
}

/**
 * Like {@link requireNoCycle}, for several links of one task that are made together: from it to some tasks, and from
 * others to it.
 *
 * @param end the way to search from `starts`
 * @returns how many tasks it has visited
 * @throws `link-cycle` if one of `starts` leads to one of `goals`, or is one; `limit-reached`
 */
export async function requireNoPath(
  tx: Pick<ReadTransaction, 'tasks' | 'trash'>,
  end: LinkEnd,
  starts: readonly Task[],
  goals: readonly Task[],
): Promise<number> {
  const ahead = sideOf(end, starts);
  const back = sideOf(oppositeOf(end), goals);
  if (starts.some(({ id }) => back.seen.has(id))) throw linkCycle();
  for (let round = 0, visited = 0; ; round += 1) {
    // Always the side with fewer tasks.
    const [side, other] = sizeOf(ahead) <= sizeOf(back) ? [ahead, back] : [back, ahead];
    const found: string[] = [];
    for (const task of side.edge) {
      for (const id of linkedAs(task, side.end)) {
        if (side.seen.has(id)) continue;
        if (other.seen.has(id)) throw linkCycle();
        side.seen.add(id);
        found.push(id);
      }
      // Each of as many tasks may be linked to as many others again.
      if (ahead.seen.size + back.seen.size > MAX_VISITED) throw tooManyLinked();
    }
    if (found.length === 0) return visited;
    if (round >= MAX_ROUNDS) throw tooManyLinked();
    const ends = await Promise.all(found.map((id) => storedEnd(tx, side.edge[0]!.workspaceId, id)));
    side.edge = ends.flatMap((stored) => (stored === null ? [] : [stored.task]));
    visited += found.length;
  }
}

function sideOf(end: LinkEnd, tasks: readonly Task[]): SearchSide {
  return { end, seen: new Set(tasks.map(({ id }) => id)), edge: tasks };
}

/** The links that the next round of a side follows. */
function sizeOf({ edge, end }: SearchSide): number {
  return edge.reduce((sum, task) => sum + linkedAs(task, end).length, 0);
}

/** It names nothing: hidden tasks may be on the cycle. */
function linkCycle(): EspalierError {
  return conflict('link-cycle', 'This link and the existing links would form a cycle.');
}

function tooManyLinked(): EspalierError {
  return conflict(
    'limit-reached',
    `More than ${MAX_VISITED} tasks, or ${MAX_ROUNDS} in a chain, are linked to these: remove some links first.`,
  );
}
