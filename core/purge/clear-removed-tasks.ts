import type { JobAddress } from '../model/job.ts';
import type { Transaction } from '../ports/store.ts';

const JOBS = 100;

/** When nothing is left to be purged, and nothing is in the trash, clears the structure's list of removed tasks. */
export async function clearRemovedTasks(tx: Transaction, { workspaceId, id }: JobAddress): Promise<void> {
  const structure = await tx.structures.get(workspaceId);
  if (structure === null || structure.removedTasks().size === 0) return;
  const others = await tx.jobs.list('ofWorkspace', { workspaceId }, { limit: JOBS });
  const isLast = others.length < JOBS && !others.some((job) => job.id !== id && job.kind === 'purge');
  if (!isLast || (await tx.trash.count('ofWorkspace', { workspaceId }, { limit: 1 })) > 0) return;
  await tx.structures.change(structure, { settled: true });
}
