import type { Job } from '../model/job.ts';
import type { Ports } from '../ports/context.ts';
import type { Transaction } from '../ports/store.ts';

/** Records that one step writes at most: some milliseconds of the event loop, and a small transaction. */
export const RECORDS_PER_STEP = 50;

/** Records that the commit which would leave a job writes itself: with no more than these there is no job. */
export const RECORDS_AT_ONCE = 16;

/** What a step may use besides its transaction. */
export type StepPorts = Pick<Ports, 'clock' | 'ids'>;

/**
 * One step of a job, in a transaction of its own. It writes at most {@link RECORDS_PER_STEP} records, and leaves
 * everything in a state that callers may see. It goes by what is stored alone: it may run again when the transaction
 * does, and another process may have done a step in between. It awaits nothing but the transaction.
 *
 * @returns the job as it is to be kept for the next step, or null when nothing is left to be done
 */
export type JobStep<J extends Job> = (tx: Transaction, job: J, ports: StepPorts) => Promise<J | null>;
