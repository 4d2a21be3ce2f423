import { inheritsFully } from '../access/resolve.ts';
import type { StepPorts } from '../jobs/step.ts';
import type { Purge } from '../model/job.ts';
import type { Page } from '../model/page.ts';
import type { Transaction } from '../ports/store.ts';
import { removalNote } from '../write/audit-diff.ts';
import { appendAudit } from '../write/journal.ts';
import { removeTask } from './remove-task.ts';
import type { Purged } from './purged.ts';

/** Levels that one step goes down. Below them it begins there the next time. */
const LEVELS = 100;

/**
 * Removes some of the pages below a removed one, those without others below them first, each with its task; and that
 * one itself, if it is stored still, with the last. Boards among them are purged before their pages go, so that
 * everything that is out of reach can be found from what is stored.
 */
export async function purgeBelow(
  tx: Transaction,
  job: Purge,
  pageId: string,
  room: number,
  ports: StepPorts,
): Promise<Purged> {
  const { workspaceId } = job;
  let lowest = await tx.structures.stored(workspaceId, [pageId]);
  for (let level = 0, ids = [pageId]; ; level += 1) {
    const below = await tx.structures.storedBelow(workspaceId, ids, room);
    if (below.length === 0) break;
    lowest = below;
    ids = below.map(({ id }) => id);
    if (level === LEVELS) return { written: 0, done: false, found: [{ kind: 'page', id: ids[0]! }] };
  }
  const boards = lowest.filter(({ type }) => type === 'board').map(({ id }) => id);
  const found = [...(await tx.boards.many(workspaceId, boards)).keys()].map((id) => ({ kind: 'board', id }) as const);
  if (found.length > 0) return { written: 0, done: false, found };
  let written = 0;
  const gone: Page[] = [];
  for (const page of lowest) {
    if (written >= room) break;
    const task = page.boardId === null ? null : await tx.tasks.get(workspaceId, page.id);
    if (task !== null) written += await removeTask(tx, task);
    gone.push(page);
    written += 1;
  }
  await forgetPages(tx, job, gone, ports);
  const isAll = lowest.every(({ id }) => id === pageId);
  return { written, done: isAll && gone.length === lowest.length, found: [] };
}

/** Whose access went with them is noted, in the name of who deleted them. */
export async function forgetPages(
  tx: Transaction,
  { workspaceId, by }: Purge,
  pages: readonly Page[],
  ports: StepPorts,
): Promise<void> {
  await tx.structures.forget(workspaceId, pages);
  if (by === undefined) return;
  const notes = pages.filter((page) => !inheritsFully(page)).map(removalNote);
  await appendAudit(tx, ports, notes, by);
}
