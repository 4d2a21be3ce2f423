import type { Job } from '../model/job.ts';
import type { ReadTransaction } from '../ports/store.ts';

/** Jobs beyond these are not looked at. */
const MAX_JOBS = 1_000;

/** The stored jobs of a workspace, the first 1,000. */
export function jobsOf(tx: ReadTransaction, workspaceId: string): Promise<readonly Job[]> {
  return tx.jobs.list('ofWorkspace', { workspaceId }, { limit: MAX_JOBS });
}
