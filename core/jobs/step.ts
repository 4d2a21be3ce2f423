import type { Job } from '../model/job.ts';
import type { Ports } from '../ports/context.ts';
import type { Transaction } from '../ports/store.ts';

/** The most records that one step writes: a few milliseconds of the event loop, and a small transaction. */
export const RECORDS_PER_STEP = 50;

/** How many reads of linked tasks take as long as one write. */
export const READS_PER_WRITE = 10;

/** Up to this many records a use case writes in its own transaction; it leaves a job for more. */
export const RECORDS_AT_ONCE = 16;

/** The ports that a step may use besides its transaction. */
export type StepPorts = Pick<Ports, 'clock' | 'ids' | 'keepChanges' | 'quotas' | 'yielder'>;

/**
 * One step of a job, in its own transaction. It writes at most {@link RECORDS_PER_STEP} records and leaves all records
 * consistent for callers. It relies on stored state alone: the transaction may be retried, and another process may have
 * run a step in between. It awaits nothing but the transaction.
 *
 * @returns the job as it is to be stored for the next step, or null if it is complete
 */
export type JobStep<J extends Job> = (tx: Transaction, job: J, ports: StepPorts) => Promise<J | null>;
