import { jobsOf } from '../jobs/jobs-of.ts';
import type { TrashItem } from '../model/trash-item.ts';
import type { ReadTransaction } from '../ports/store.ts';

/** The ids of boards and pages that are being purged, of those deleted before an item of the trash. */
export async function purgedBefore(
  tx: ReadTransaction,
  { workspaceId, revision: ofItem }: TrashItem,
): Promise<ReadonlySet<string>> {
  const jobs = await jobsOf(tx, workspaceId);
  const named = jobs.map((job) => {
    if (job.kind !== 'purge') return [];
    const { boards, pages = [], revision } = job;
    return revision === undefined || revision < ofItem ? [...boards, ...pages] : [];
  });
  return new Set(named.flat());
}
