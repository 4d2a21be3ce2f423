import type { Job } from '../model/job.ts';
import type { CallEffects } from '../ports/context.ts';
import type { Transaction } from '../ports/store.ts';

/** Stores a job in the transaction. The job runner is woken after the call. */
export async function enqueueJob(
  tx: Transaction,
  context: { readonly effects?: Pick<CallEffects, 'jobs'> },
  job: Job,
): Promise<void> {
  await tx.jobs.insert(job);
  if (context.effects !== undefined) context.effects.jobs = true;
}
