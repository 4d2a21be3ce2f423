import { leaveJob } from '../jobs/leave-job.ts';
import type { Structure } from '../model/structure.ts';
import type { Context } from '../ports/context.ts';
import type { Transaction } from '../ports/store.ts';
import type { Removal } from '../tree/removal.ts';
import { originOf } from '../write/journal.ts';

/**
 * The most boards listed in the job. Listed boards do not count against quotas, but the job is rewritten after each of
 * them.
 */
export const LISTED_BOARDS = 500;

/** Leaves a purge job for what becomes unreachable with removed pages. */
export async function purgeLater(
  tx: Transaction,
  context: Context,
  structure: Structure,
  removal: Removal,
): Promise<void> {
  const boards = removal.pages.filter((page) => page.type === 'board').map((page) => page.id);
  const pages = removal.roots.filter((page) => structure.children(page.id).length > 0).map((page) => page.id);
  if (boards.length + pages.length === 0) return;
  const named = {
    boards: boards.slice(0, LISTED_BOARDS),
    pages,
    ...(pages.length > 0 && { revision: structure.revision }),
    by: originOf(context),
  };
  const { id: workspaceId } = structure.workspace;
  await leaveJob(tx, context, { kind: 'purge', id: context.ids.next(), workspaceId, notBefore: null, ...named });
}
