import { RECORDS_PER_STEP, type StepPorts } from '../jobs/step.ts';
import { timestamp } from '../kernel/record.ts';
import { releaseLinks } from '../link/release.ts';
import type { FoundToPurge, Purge } from '../model/job.ts';
import type { Transaction } from '../ports/store.ts';
import { purgeBoard } from './board.ts';
import { removeContentsOf } from './contents.ts';
import { purgeBelow } from './pages.ts';
import { clearRemovedTasks } from './clear-removed-tasks.ts';

export async function purgeStep(tx: Transaction, job: Purge, ports: StepPorts): Promise<Purge | null> {
  const left = await purgeSome(tx, job, ports);
  // Pages that went with others leave tasks that are listed. Whichever job is the last one clears that list.
  if (left === null) await clearRemovedTasks(tx, job);
  return left;
}

async function purgeSome(tx: Transaction, job: Purge, ports: StepPorts): Promise<Purge | null> {
  const { workspaceId } = job;
  const [taskId] = job.tasks ?? [];
  if (taskId !== undefined) {
    const { links, ...others } = job;
    if (links !== undefined) {
      const task = { id: taskId, workspaceId, links };
      const { left } = await releaseLinks(tx, task, RECORDS_PER_STEP, timestamp(ports));
      return left === undefined ? others : { ...job, links: left };
    }
    if ((await removeContentsOf(tx, { workspaceId, id: taskId }, RECORDS_PER_STEP)).more) return job;
    return leftOf({ ...job, tasks: job.tasks!.slice(1) });
  }
  let left: Purge | null = job;
  for (let room = RECORDS_PER_STEP; room > 0 && left !== null;) {
    const next = nextOf(left);
    if (next === null) break;
    const purge = next.kind === 'board' ? purgeBoard : purgeBelow;
    const { written, done, found } = await purge(tx, left, next.id, room, ports);
    // A part that writes nothing costs reads.
    room -= Math.max(1, written);
    if (done) left = without(left, next);
    if (found.length > 0) left = { ...left, found: [...(left.found ?? []), ...found] };
  }
  return leftOf(left);
}

function nextOf({ found = [], boards, pages = [] }: Purge): FoundToPurge | null {
  if (found.length > 0) return found.at(-1)!;
  if (boards.length > 0) return { kind: 'board', id: boards[0]! };
  return pages.length > 0 ? { kind: 'page', id: pages[0]! } : null;
}

function without(job: Purge, { kind }: FoundToPurge): Purge {
  if (job.found !== undefined && job.found.length > 0) return { ...job, found: job.found.slice(0, -1) };
  if (kind === 'board') return { ...job, boards: job.boards.slice(1) };
  return { ...job, pages: job.pages?.slice(1) ?? [] };
}

/** The job without empty fields; null if nothing is left. */
function leftOf({ found = [], tasks = [], pages = [], ...job }: Purge): Purge | null {
  if (found.length + tasks.length + pages.length + job.boards.length === 0) return null;
  return {
    ...job,
    ...(found.length > 0 && { found }),
    ...(tasks.length > 0 && { tasks }),
    ...(pages.length > 0 && { pages }),
  };
}
