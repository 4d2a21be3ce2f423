import { giveUpCopy } from '../copy/step.ts';
import { EspalierError } from '../kernel/errors.ts';
import type { Job, JobAddress } from '../model/job.ts';
import type { Structure } from '../model/workspace/structure.ts';
import type { Jobs, Ports } from '../ports/context.ts';
import type { ReadTransaction } from '../ports/store.ts';
import { hasExpiredChanges, removeExpired } from '../write/journal/expired-changes.ts';
import { Journal } from '../write/journal/journal.ts';
import { FailureReport } from './failure.ts';
import { stepOf } from './kinds.ts';
import type { StepPorts } from './step.ts';

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
const TRIES_WHEN_BUSY = 5;
/** The number of steps of jobs between two checks for expired changes in logs, while there are jobs to do. */
const STEPS_BETWEEN_LOOKS = 16;
/** The author of what a job without `origin` changes: tasks that lose their links to removed ones. */
const NOBODY = { userId: null, requestId: null };

type RunnerPorts = Pick<
  Ports,
  | 'store'
  | 'clock'
  | 'ids'
  | 'quotas'
  | 'guards'
  | 'yielder'
  | 'keepChanges'
  | 'yieldToEventLoop'
  | 'onJobFailure'
  | 'recentStructures'
>;

/** A job to do now, or the time at which the first waiting one is due (null: none waits). */
type Choice = { readonly job: Job } | Idle;

/** A job that a caller waits for. */
interface Finishing {
  end: Promise<boolean>;
  /** No caller waits for it any more. */
  isInBackground: boolean;
}

/** No job is due, or changes that have expired go first. */
interface Idle {
  readonly job: null;
  /** When the first that waits is due, in ms; null: none waits. */
  readonly at: number | null;
  /** Whether changes in a log have expired. */
  readonly hasExpired: boolean;
}

/** Runs the stored jobs of all workspaces, one step at a time. One per process and store. */
export class JobRunner implements Jobs {
  readonly #ports: RunnerPorts;
  /** Without the store: reservations of other calls do not apply to steps, which would fail because of them. */
  readonly #stepPorts: StepPorts;
  #id: string | null = null;
  /** The workspace served last, and the job served last in each workspace. */
  #lastWorkspace: string | null = null;
  readonly #lastJobs = new Map<string, string>();
  /** The number of steps of jobs before the next check for expired changes. */
  #stepsBeforeLook = 0;
  readonly #report: FailureReport;
  readonly #failures = new Map<string, { readonly count: number; readonly until: number }>();
  /** Jobs that a caller waits for, by id. */
  readonly #finishing = new Map<string, Finishing>();

  constructor(ports: RunnerPorts) {
    const { clock, ids, keepChanges, quotas } = ports;
    const yielder = ports.yielder && (() => ports.yielder!(true));
    this.#ports = { ...ports, yielder };
    this.#stepPorts = { clock, ids, keepChanges, quotas, yielder };
    this.#report = new FailureReport(ports.onJobFailure);
  }

  /**
   * Runs one step of a job that is due, round-robin over workspaces, and over the jobs of each. A step that fails is
   * reported once per cause and retried with exponential backoff, from 1 s up to 60 s; other jobs go on.
   *
   * @returns milliseconds until the next job may be due, 0 for at once; null if no job waits
   * @throws what the store throws if the jobs cannot be read
   */
  async step(): Promise<number | null> {
    const now = this.#ports.clock.now();
    const choice = await this.#choose(now).catch((error: unknown) => {
      this.#report.add({ job: null, error });
      throw error;
    });
    this.#report.answered();
    if (choice.job === null) {
      this.#stepsBeforeLook = 1;
      if (!choice.hasExpired) return choice.at === null ? null : Math.max(1, choice.at - now);
      await removeExpired(this.#ports.store, this.#ports.keepChanges, now);
      return 0;
    }
    const { job } = choice;
    this.#stepsBeforeLook = this.#stepsBeforeLook > 0 ? this.#stepsBeforeLook - 1 : STEPS_BETWEEN_LOOKS;
    this.#lastWorkspace = job.workspaceId;
    remember(this.#lastJobs, job.workspaceId, job.id);
    try {
      await this.#advance(job, false);
      this.#failures.delete(job.id);
    } catch (error) {
      this.#report.add({ job, error });
      const count = (this.#failures.get(job.id)?.count ?? 0) + 1;
      const delay = Math.min(FIRST_DELAY * 2 ** (count - 1), LONGEST_DELAY);
      remember(this.#failures, job.id, { count, until: now + delay });
    }
    return 0;
  }

  /**
   * Runs all steps of one job; other calls run between them. Concurrent calls for the same job share one run.
   *
   * @returns false if the job was not done: {@link moveToBackground} ended this, or the job waits for its time
   * @throws `store-busy`, `store-unavailable`: the job stays stored, and {@link step} of any process continues it
   */
  finish(job: JobAddress): Promise<boolean> {
    const known = this.#finishing.get(job.id);
    if (known !== undefined) return known.end;
    const finishing: Finishing = { isInBackground: false, end: Promise.resolve(false) };
    this.#finishing.set(job.id, finishing);
    finishing.end = this.#finish(job, finishing).finally(() => {
      if (!finishing.isInBackground) this.#finishing.delete(job.id);
    });
    return finishing.end;
  }

  /** Ends {@link finish} after the step that is running: {@link step} of any process continues the job. */
  moveToBackground({ id }: JobAddress): void {
    const finishing = this.#finishing.get(id);
    if (finishing !== undefined) finishing.isInBackground = true;
    this.#finishing.delete(id);
  }

  async #finish(job: JobAddress, finishing: Finishing): Promise<boolean> {
    for (let failed = 0; !finishing.isInBackground;) {
      try {
        const left = await this.#advance(job, true);
        if (left === null) return true;
        if (waitsUntil(left) > this.#ports.clock.now()) this.moveToBackground(job);
        failed = 0;
      } catch (error) {
        failed += 1;
        if (failed === TRIES_WHEN_BUSY || !(error instanceof EspalierError) || error.code !== 'store-busy') throw error;
      }
      await this.#ports.yieldToEventLoop?.();
    }
    return false;
  }

  /**
   * One step in one transaction.
   *
   * @param ignoreLease also run a job that is leased to another runner
   * @returns what is left of it
   */
  async #advance(address: JobAddress, ignoreLease: boolean): Promise<Job | null> {
    try {
      return await this.#runStep(address, ignoreLease);
    } catch (error) {
      const isFailure = !(error instanceof EspalierError);
      if (!isFailure && error.code !== 'guard-refused') throw error;
      if (!(await this.#endCopy(address, isFailure ? 'a step of it failed.' : error.message))) throw error;
      if (isFailure) this.#report.add({ job: { kind: 'copy', ...address }, error });
      return null;
    }
  }

  async #runStep({ workspaceId, id }: JobAddress, ignoreLease: boolean): Promise<Job | null> {
    let structures: readonly Structure[] = [];
    const left = await this.#ports.store.write(async (tx) => {
      // The transaction may run again: an earlier run was rolled back with the structures it made.
      structures = [];
      const job = await tx.jobs.get(workspaceId, id);
      if (job === null) return null;
      const now = this.#ports.clock.now();
      if ((ignoreLease ? waitsUntil(job) : this.#dueAt(job, now)) > now) return job;
      const journal = new Journal();
      const origin = 'origin' in job ? (job.origin ?? null) : null;
      const journaled = origin === null ? journal.onTaskUpdates(tx) : journal.on(tx);
      const next = await stepOf(journaled, job, this.#stepPorts);
      if (next === null) await tx.jobs.remove(job);
      else {
        const leased = this.#leased(next, now);
        if (leased !== job) await tx.jobs.replace(leased);
      }
      if (origin !== null) await journal.guard(tx, this.#ports, { ...origin, inSteps: true });
      await journal.append(tx, this.#ports, origin ?? NOBODY);
      structures = journal.structures;
      return next;
    });
    for (const structure of structures) this.#ports.recentStructures?.addWritten(structure);
    return left;
  }

  /** Ends a copy of which a step was refused by a guard, or has failed. False: the job is no copy, and is retried. */
  #endCopy({ workspaceId, id }: JobAddress, detail: string): Promise<boolean> {
    return this.#ports.store.write(async (tx) => {
      const job = await tx.jobs.get(workspaceId, id);
      if (job?.kind !== 'copy') return false;
      await giveUpCopy(tx, job, this.#stepPorts, detail);
      await tx.jobs.remove(job);
      return true;
    });
  }

  /** The job with a lease of this runner. */
  #leased(job: Job, now: number): Job {
    this.#id ??= this.#ports.ids.next();
    const { lease } = job;
    if (lease?.runner === this.#id && Date.parse(lease.until) - now > LEASE / 2) return job;
    return { ...job, lease: { runner: this.#id, until: new Date(now + LEASE).toISOString() } };
  }

  #dueAt(job: Job, now: number): number {
    const { lease } = job;
    const until = lease === undefined || lease.runner === this.#id ? -Infinity : Date.parse(lease.until);
    const released = until > now + LEASE ? -Infinity : until;
    return Math.max(waitsUntil(job), released);
  }

  /** When this runner may do the next step of a job. */
  #readyAt(job: Job, now: number): number {
    if (this.#finishing.has(job.id)) return Infinity;
    return Math.max(this.#dueAt(job, now), this.#failures.get(job.id)?.until ?? -Infinity);
  }

  #choose(now: number): Promise<Choice> {
    return this.#ports.store.read(async (tx) => {
      let first = Infinity;
      const isReady = (job: Job): boolean => {
        const at = this.#readyAt(job, now);
        first = Math.min(first, at);
        return at <= now;
      };
      // From after the last workspace to the end, then from the start.
      const last = this.#lastWorkspace;
      const found =
        (last === null ? null : await firstJob(tx, { workspaceId: last }, isReady)) ??
        (await firstJob(tx, null, isReady));
      const looks = found === null || this.#stepsBeforeLook === 0;
      const hasExpired = looks && (await hasExpiredChanges(tx, this.#ports.keepChanges, now));
      if (found === null || hasExpired) return { job: null, at: first === Infinity ? null : first, hasExpired };
      return { job: (await this.#nextOf(tx, found.workspaceId, isReady)) ?? found };
    });
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
function waitsUntil({ notBefore }: Job): number {
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
