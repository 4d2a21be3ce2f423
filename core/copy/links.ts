import { EspalierError } from '../kernel/errors.ts';
import { MOST_LOOKED_AT, requireNoPath } from '../link/cycle.ts';
import {
  ACYCLIC,
  type LinkEnd,
  linkedAs,
  linksOf,
  mostLinks,
  oppositeOf,
  withLink,
} from '../model/content/task-links.ts';
import type { Copy } from '../model/job.ts';
import type { Task } from '../model/content/task.ts';
import type { Transaction } from '../ports/store.ts';
import { READS_PER_WRITE } from '../jobs/step.ts';
import { idIn } from './copying.ts';

/** A link that a copy of a task may have, and the copy at its other end. */
type Wanted = readonly [end: LinkEnd, other: Task];

/**
 * Links the copy of a task to the copies that are there already: those that come later link themselves. Links to tasks
 * that are not copied are left out. As tasks may be linked anew between the steps of a copy, the links are checked: all
 * together, so that a task costs two searches however many it has.
 *
 * @returns how many links it has made, and as how many writes the reads count
 */
export async function copyLinks(tx: Transaction, job: Copy, source: Task, now: string): Promise<number> {
  const { workspaceId } = source;
  const all = [...linksOf(source)];
  const others = await Promise.all(all.map(([, id]) => tx.tasks.get(workspaceId, idIn(job, id))));
  const fitting = all.flatMap(([end], i): readonly Wanted[] => {
    const other = others[i]!;
    return other === null || !hasRoom(other, oppositeOf(end)) ? [] : [[end, other]];
  });
  const { wanted, looked } = await withoutCycles(tx, fitting);
  if (wanted.length > 0) {
    let copy = (await tx.tasks.get(workspaceId, idIn(job, source.id)))!;
    for (const [end, { id }] of wanted) {
      copy = { ...copy, links: withLink(copy.links, end, id) };
      // It may have been linked a moment ago, in another way.
      const other = (await tx.tasks.get(workspaceId, id))!;
      await tx.tasks.replace({ ...other, links: withLink(other.links, oppositeOf(end), copy.id), updatedAt: now });
    }
    await tx.tasks.replace(copy);
  }
  return wanted.length + Math.floor((all.length + looked) / READS_PER_WRITE);
}

/** Where tasks were linked anew meanwhile so that it would be on a cycle, a copy stays without children or blockers. */
async function withoutCycles(tx: Transaction, fitting: readonly Wanted[]) {
  let [wanted, looked] = [fitting, 0];
  for (const end of ACYCLIC) {
    const linked = (as: LinkEnd) => fitting.flatMap(([one, other]) => (one === as ? [other] : []));
    try {
      looked += await requireNoPath(tx, end, linked(end), linked(oppositeOf(end)));
    } catch (error) {
      if (!(error instanceof EspalierError)) throw error;
      // What is too much to be checked was made link by link.
      if (error.code === 'link-cycle') wanted = wanted.filter(([one]) => one !== oppositeOf(end));
      looked += MOST_LOOKED_AT;
    }
  }
  return { wanted, looked };
}

function hasRoom(task: Task, end: LinkEnd): boolean {
  return linkedAs(task, end).length < mostLinks(end);
}
