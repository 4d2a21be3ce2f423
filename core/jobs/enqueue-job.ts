import type { Job, JobAddress } from '../model/job.ts';
import type { CallEffects } from '../ports/context.ts';
import type { Transaction } from '../ports/store.ts';

/** What a call tells the job runner, if there is a call. */
export interface WithEffects {
  readonly effects?: Pick<CallEffects, 'jobs'>;
}

/** Stores a job in the transaction. The job runner is woken after the call. */
export async function enqueueJob(tx: Transaction, context: WithEffects, job: Job): Promise<void> {
  await tx.jobs.insert(job);
  if (context.effects !== undefined) context.effects.jobs = true;
}

/** Ends the wait of a stored job, such as the lease of an import. The job runner is woken after the call. */
export async function makeDue(tx: Transaction, context: WithEffects, { workspaceId, id }: JobAddress): Promise<void> {
  const job = await tx.jobs.get(workspaceId, id);
  if (job !== null) await tx.jobs.replace({ ...job, notBefore: null });
  if (context.effects !== undefined) context.effects.jobs = true;
}
