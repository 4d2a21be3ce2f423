import { enqueueJob } from '../jobs/enqueue-job.ts';
import type { TrashPurge } from '../model/job.ts';
import { NOTHING_TRASHED, type TrashCounts } from '../model/trash-counts.ts';
import type { TrashItem } from '../model/trash-item.ts';
import type { Context } from '../ports/context.ts';
import type { ReadTransaction, Transaction } from '../ports/store.ts';

/** The job that purges the trash of a workspace, which counts what is in it; null if that is empty. */
async function jobOf(tx: Pick<ReadTransaction, 'jobs'>, workspaceId: string): Promise<TrashPurge | null> {
  const job = await tx.jobs.get(workspaceId, workspaceId);
  return job?.kind === 'trash-purge' ? job : null;
}

/** What is in the trash of a workspace: quotas count it until it is purged. O(1). */
export async function trashTotals(tx: Pick<ReadTransaction, 'jobs'>, workspaceId: string): Promise<TrashCounts> {
  return (await jobOf(tx, workspaceId))?.totals ?? NOTHING_TRASHED;
}

/** Counts an item that is put in the trash, which is purged when it is due. */
export async function countTrashed(tx: Transaction, context: Context, item: TrashItem): Promise<void> {
  const { workspaceId, purgeAt, counts } = item;
  const job = await jobOf(tx, workspaceId);
  if (job === null) {
    const totals = totalsAfter(NOTHING_TRASHED, counts, 1);
    await enqueueJob(tx, context, { kind: 'trash-purge', id: workspaceId, workspaceId, notBefore: purgeAt, totals });
    return;
  }
  const before = job.notBefore ?? '';
  const notBefore = before > purgeAt ? purgeAt : before;
  await tx.jobs.replace({ ...job, notBefore, totals: totalsAfter(job.totals, counts, 1) });
}

/** Takes an item out of the trash. */
export async function takeFromTrash(tx: Transaction, item: TrashItem): Promise<void> {
  await tx.trash.remove(item);
  const job = await jobOf(tx, item.workspaceId);
  if (job !== null) await tx.jobs.replace({ ...job, totals: totalsAfter(job.totals, item.counts, -1) });
}

export function totalsAfter(totals: TrashCounts, counts: TrashCounts, sign: 1 | -1): TrashCounts {
  return {
    pages: totals.pages + sign * counts.pages,
    boards: totals.boards + sign * counts.boards,
    entries: totals.entries + sign * counts.entries,
    tasks: totals.tasks + sign * counts.tasks,
  };
}
