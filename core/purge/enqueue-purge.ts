import { enqueueJob } from '../jobs/enqueue-job.ts';
import type { Structure } from '../model/workspace/structure.ts';
import type { Context } from '../ports/context.ts';
import type { Transaction } from '../ports/store.ts';
import type { Removal } from '../tree/removal.ts';
import { originOf } from '../write/journal/journal.ts';

/**
 * The most boards listed in the job. Listed boards do not count against quotas, but the job is rewritten after each of
 * them.
 */
export const LISTED_BOARDS = 500;

/** Up to this many removed pages are checked for a history. */
const FEW_ROOTS = 8;

/** Stores a purge job for what becomes unreachable with removed pages. */
export async function enqueuePurge(
  tx: Transaction,
  context: Context,
  structure: Structure,
  removal: Removal,
): Promise<void> {
  const boards = removal.pages.filter((page) => page.type === 'board').map((page) => page.id);
  const pages = removal.roots.filter((page) => structure.children(page.id).length > 0).map((page) => page.id);
  const { id: workspaceId } = structure.workspace;
  const tasks = await withHistory(tx, workspaceId, structure, removal);
  if (boards.length + pages.length + tasks.length === 0) return;
  const named = {
    boards: boards.slice(0, LISTED_BOARDS),
    pages,
    tasks,
    revision: structure.revision,
    by: originOf(context),
  };
  await enqueueJob(tx, context, { kind: 'purge', id: context.ids.next(), workspaceId, notBefore: null, ...named });
}

/** Removed pages with a history that nothing else purges: without children, and no boards. */
async function withHistory(
  tx: Transaction,
  workspaceId: string,
  structure: Structure,
  { roots }: Removal,
): Promise<readonly string[]> {
  const alone = roots.filter(({ id, type }) => type !== 'board' && structure.children(id).length === 0);
  // Many are task pages of a board: asking about each of them would take as many reads.
  if (alone.length > FEW_ROOTS) return alone.map(({ id }) => id);
  const found: string[] = [];
  for (const { id: recordId } of alone) {
    const of = { workspaceId, recordId, kind: 'page' } as const;
    if ((await tx.changeLog.historyOf(of, null, 1)).length > 0) found.push(recordId);
  }
  return found;
}
