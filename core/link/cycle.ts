import { conflict, type EspalierError } from '../kernel/errors.ts';
import { linkedAs, type LinkEnd, oppositeOf } from '../model/content/task-links.ts';
import type { Task } from '../model/content/task.ts';
import type { ReadTransaction } from '../ports/store.ts';
import { storedEnd } from './end.ts';

/** The most tasks that one check looks at, and how many links away from either end. */
const MOST_LOOKED_AT = 1_000;
const MOST_ROUNDS = 100;

/** One side of the search: the tasks that its last round found, and all that it has found. */
interface Side {
  readonly end: LinkEnd;
  readonly seen: Set<string>;
  edge: readonly Task[];
}

/**
 * Searches from both ends of a link that is to be made: from `to` along links of its kind, and from `from` against
 * them, always on the side with fewer tasks. Hidden and trashed tasks count. Reads nothing where one side has no
 * such links. O(tasks found), at most 1,000.
 *
 * @param end how the link will read at `from`
 * @throws `link-cycle` if `to` leads to `from`, `limit-reached` if that cannot be told within the bounds
 */
export async function requireNoCycle(
  tx: Pick<ReadTransaction, 'tasks' | 'trash'>,
  from: Task,
  end: LinkEnd,
  to: Task,
): Promise<void> {
  if (from.id === to.id) throw linkCycle();
  const ahead: Side = { end, seen: new Set([to.id]), edge: [to] };
  const back: Side = { end: oppositeOf(end), seen: new Set([from.id]), edge: [from] };
  for (let round = 0; ; round += 1) {
    const [side, other] = sizeOf(ahead) <= sizeOf(back) ? [ahead, back] : [back, ahead];
    const found = new Set(side.edge.flatMap((task) => linkedAs(task, side.end)).filter((id) => !side.seen.has(id)));
    if (found.size === 0) return;
    for (const id of found) {
      if (other.seen.has(id)) throw linkCycle();
      side.seen.add(id);
    }
    if (round >= MOST_ROUNDS || ahead.seen.size + back.seen.size > MOST_LOOKED_AT) throw tooManyLinked();
    const ends = await Promise.all([...found].map((id) => storedEnd(tx, from.workspaceId, id)));
    side.edge = ends.flatMap((stored) => (stored === null ? [] : [stored.task]));
  }
}

/** The links that the next round of a side follows. */
function sizeOf({ edge, end }: Side): number {
  return edge.reduce((sum, task) => sum + linkedAs(task, end).length, 0);
}

/** It names nothing: hidden tasks may be on the cycle. */
function linkCycle(): EspalierError {
  return conflict('link-cycle', 'The tasks are linked the other way round already: this would be a cycle.');
}

function tooManyLinked(): EspalierError {
  return conflict(
    'limit-reached',
    `More than ${MOST_LOOKED_AT} tasks, or ${MOST_ROUNDS} in a row, are linked to these: remove some links first.`,
  );
}
