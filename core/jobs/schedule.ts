import type { Job, JobAddress } from '../model/job.ts';
import type { Ids, Ports } from '../ports/context.ts';
import type { ReadTransaction } from '../ports/store.ts';
import { hasExpiredChanges } from '../write/journal/expired-changes.ts';

/**
 * The lease of a runner on a job, in milliseconds, renewed by its steps. After a crash the job waits until the lease
 * ends. A lease that ends later than that comes from a process whose clock is ahead, and is ignored: at worst two
 * runners take turns at the steps.
 */
const LEASE = 5_000;
/** Jobs read by one query. */
const JOBS_PER_QUERY = 100;
const FIRST_DELAY = 1_000;
const LONGEST_DELAY = 60_000;
/** The most workspaces, and failed jobs, that are remembered; beyond that all are forgotten. */
const REMEMBERED = 1_000;
/** The number of steps of jobs between two checks for expired changes in logs, while there are jobs to do. */
const STEPS_BETWEEN_LOOKS = 16;

/** A job to do now, or the time at which the first waiting one is due (null: none waits). */
type Choice = { readonly job: Job } | Idle;

/** No job is due, or changes that have expired go first. */
interface Idle {
  readonly job: null;
  /** When the first that waits is due, in ms; null: none waits. */
  readonly at: number | null;
  /** Whether changes in a log have expired. */
  readonly hasExpired: boolean;
}

/** Which job a runner does next: round-robin over workspaces, and over the jobs of each. Jobs that fail wait longer each time. */
export class JobSchedule {
  readonly #ids: Ids;
  readonly #keepChanges: Ports['keepChanges'];
  /** The id of the runner. */
  #runner: string | null = null;
  /** The workspace served last, and the job served last in each workspace. */
  #lastWorkspace: string | null = null;
  readonly #lastJobs = new Map<string, string>();
  /** The number of steps of jobs before the next check for expired changes. */
  #stepsBeforeLook = 0;
  readonly #failures = new Map<string, { readonly count: number; readonly until: number }>();

  constructor({ ids, keepChanges }: Pick<Ports, 'ids' | 'keepChanges'>) {
    this.#ids = ids;
    this.#keepChanges = keepChanges;
  }

  /** @param isTaken whether the job with this id is left to somebody else */
  async next(tx: ReadTransaction, now: number, isTaken: (id: string) => boolean): Promise<Choice> {
    let first = Infinity;
    const isReady = (job: Job): boolean => {
      const at = isTaken(job.id)
        ? Infinity
        : Math.max(this.dueAt(job, now), this.#failures.get(job.id)?.until ?? -Infinity);
      first = Math.min(first, at);
      return at <= now;
    };
    // From after the last workspace to the end, then from the start.
    const last = this.#lastWorkspace;
    const found =
      (last === null ? null : await firstJob(tx, { workspaceId: last }, isReady)) ??
      (await firstJob(tx, null, isReady));
    const looks = found === null || this.#stepsBeforeLook === 0;
    const hasExpired = looks && (await hasExpiredChanges(tx, this.#keepChanges, now));
    if (found === null || hasExpired) return { job: null, at: first === Infinity ? null : first, hasExpired };
    return { job: (await this.#nextOf(tx, found.workspaceId, isReady)) ?? found };
  }

  /** The runner does this job, or null: none. */
  chosen(job: Job | null): void {
    if (job === null) {
      this.#stepsBeforeLook = 1;
      return;
    }
    this.#stepsBeforeLook = this.#stepsBeforeLook > 0 ? this.#stepsBeforeLook - 1 : STEPS_BETWEEN_LOOKS;
    this.#lastWorkspace = job.workspaceId;
    remember(this.#lastJobs, job.workspaceId, job.id);
  }

  succeeded({ id }: Job): void {
    this.#failures.delete(id);
  }

  /** The job waits, with exponential backoff. */
  failed({ id }: Job, now: number): void {
    const count = (this.#failures.get(id)?.count ?? 0) + 1;
    const delay = Math.min(FIRST_DELAY * 2 ** (count - 1), LONGEST_DELAY);
    remember(this.#failures, id, { count, until: now + delay });
  }

  /** The job with a lease of this runner. */
  leased(job: Job, now: number): Job {
    this.#runner ??= this.#ids.next();
    const { lease } = job;
    if (lease?.runner === this.#runner && Date.parse(lease.until) - now > LEASE / 2) return job;
    return { ...job, lease: { runner: this.#runner, until: new Date(now + LEASE).toISOString() } };
  }

  /** When the job is due and no other runner has a lease on it. */
  dueAt(job: Job, now: number): number {
    const { lease } = job;
    const until = lease === undefined || lease.runner === this.#runner ? -Infinity : Date.parse(lease.until);
    const released = until > now + LEASE ? -Infinity : until;
    return Math.max(waitsUntil(job), released);
  }

  /** The first ready job of a workspace after the one served last in it. */
  async #nextOf(tx: ReadTransaction, workspaceId: string, isReady: (job: Job) => boolean): Promise<Job | null> {
    const id = this.#lastJobs.get(workspaceId);
    if (id === undefined) return null;
    const jobs = await tx.jobs.list('ofWorkspace', { workspaceId }, { after: id, limit: JOBS_PER_QUERY });
    return jobs.find(isReady) ?? null;
  }
}

/** The time before which no runner does a step of a job. */
export function waitsUntil({ notBefore }: Job): number {
  return notBefore === null ? -Infinity : Date.parse(notBefore);
}

/** Without an id: after all jobs of the workspace. */
type JobPosition = Partial<JobAddress>;

async function firstJob(
  tx: ReadTransaction,
  from: JobPosition | null,
  isReady: (job: Job) => boolean,
): Promise<Job | null> {
  for (let after = from; ;) {
    const jobs = await tx.jobs.list('all', {}, { after, limit: JOBS_PER_QUERY });
    const ready = jobs.find(isReady);
    if (ready !== undefined) return ready;
    const last = jobs.at(-1);
    if (last === undefined || jobs.length < JOBS_PER_QUERY) return null;
    after = { workspaceId: last.workspaceId, id: last.id };
  }
}

function remember<T>(values: Map<string, T>, name: string, value: T): void {
  if (values.size >= REMEMBERED && !values.has(name)) values.clear();
  values.set(name, value);
}
