import { EspalierError } from '../kernel/errors.ts';
import { requireNoCycle } from '../link/cycle.ts';
import { type LinkEnd, linkedAs, linksOf, MOST_LINKS, oppositeOf, withLink } from '../model/content/task-links.ts';
import type { Copy } from '../model/job.ts';
import type { Task } from '../model/content/task.ts';
import type { Transaction } from '../ports/store.ts';
import { idIn } from './copying.ts';

/**
 * Links the copy of a task to the copies that are there already: those that come later link themselves. Links to tasks
 * that are not copied are left out. As tasks may be linked anew between the steps of a copy, each link is checked.
 *
 * @returns how many links it has made
 */
export async function copyLinks(tx: Transaction, job: Copy, source: Task, now: string): Promise<number> {
  const { workspaceId } = source;
  let copy = (await tx.tasks.get(workspaceId, idIn(job, source.id)))!;
  let made = 0;
  for (const [end, otherId] of linksOf(source)) {
    const other = await tx.tasks.get(workspaceId, idIn(job, otherId));
    if (other === null || !(await fits(tx, copy, end, other))) continue;
    copy = { ...copy, links: withLink(copy.links, end, other.id) };
    const links = withLink(other.links, oppositeOf(end), copy.id);
    await tx.tasks.replace({ ...other, links, updatedAt: now });
    made += 1;
  }
  if (made > 0) await tx.tasks.replace(copy);
  return made;
}

async function fits(tx: Transaction, from: Task, end: LinkEnd, to: Task): Promise<boolean> {
  if (!hasRoom(from, end) || !hasRoom(to, oppositeOf(end))) return false;
  if (!CHECKED.includes(end)) return true;
  try {
    await requireNoCycle(tx, from, end, to);
    return true;
  } catch (error) {
    if (!(error instanceof EspalierError)) throw error;
    // What is too much to be checked was made link by link.
    return error.code === 'limit-reached';
  }
}

/** Both ends of the links that must not be on a cycle. */
const CHECKED: readonly LinkEnd[] = ['parent', 'child', 'blocks', 'blockedBy'];

function hasRoom(task: Task, end: LinkEnd): boolean {
  return linkedAs(task, end).length < (end === 'parent' ? 1 : MOST_LINKS);
}
