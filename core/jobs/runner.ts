import { EspalierError } from '../kernel/errors.ts';
import type { Job, JobAddress } from '../model/job.ts';
import type { Jobs, Ports } from '../ports/context.ts';
import type { ReadTransaction } from '../ports/store.ts';
import { Journal } from '../write/journal.ts';
import { FailureReport } from './failure.ts';
import { stepOf } from './kinds.ts';

/** For how long a job is left to the runner that did its last step, in ms: so long it waits after a crash. */
const CLAIM = 5_000;
/** Jobs looked at in one query. */
const LOOKED_AT = 100;
const FIRST_DELAY = 1_000;
const LONGEST_DELAY = 60_000;
/** Workspaces, and jobs that failed, that are remembered; beyond it begins anew. */
const REMEMBERED = 1_000;
const TRIES_WHEN_BUSY = 5;

type RunnerPorts = Pick<Ports, 'store' | 'clock' | 'ids' | 'yieldToEventLoop' | 'onJobFailure'>;

/** A job to do now, or the time at which the first of those that wait may be done (null: none waits). */
type Choice = { readonly job: Job } | { readonly job: null; readonly at: number | null };

/** Does the stored jobs of all workspaces, one step at a time. One for each process on a store. */
export class JobRunner implements Jobs {
  readonly #ports: RunnerPorts;
  #id: string | null = null;
  /** The workspace that had its turn last, and in each the job. */
  #lastWorkspace: string | null = null;
  readonly #lastJobs = new Map<string, string>();
  readonly #report: FailureReport;
  readonly #failures = new Map<string, { readonly count: number; readonly until: number }>();
  /** Those that somebody waits for. */
  readonly #finishing = new Map<string, Promise<void>>();

  constructor(ports: RunnerPorts) {
    this.#ports = ports;
    this.#report = new FailureReport(ports.onJobFailure);
  }

  /**
   * Does one step of a job that is due: of one workspace after the other, and in each of one job after the other. A step that
   * fails is reported once for each cause and tried again after 1 s, later after up to 60 s, and holds up no other job.
   *
   * @returns milliseconds until there may be more to do, 0 for at once; null when no job waits
   * @throws what the store throws when it cannot be asked for jobs
   */
  async step(): Promise<number | null> {
    const now = this.#ports.clock.now();
    const choice = await this.#choose(now).catch((error: unknown) => {
      this.#report.add({ job: null, error });
      throw error;
    });
    this.#report.answered();
    if (choice.job === null) return choice.at === null ? null : Math.max(1, choice.at - now);
    const { job } = choice;
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
   * Does all steps of one job; others run between them. Several who ask for the same job wait for the same.
   *
   * @throws `store-busy`, `store-unavailable`: then the job stays, and {@link step} of any process goes on with it
   */
  finish(job: JobAddress): Promise<void> {
    const known = this.#finishing.get(job.id);
    if (known !== undefined) return known;
    const finishing = this.#finish(job).finally(() => this.#finishing.delete(job.id));
    this.#finishing.set(job.id, finishing);
    return finishing;
  }

  async #finish(job: JobAddress): Promise<void> {
    for (let failed = 0; ;) {
      try {
        if (!(await this.#advance(job, true))) return;
        failed = 0;
      } catch (error) {
        failed += 1;
        if (failed === TRIES_WHEN_BUSY || !(error instanceof EspalierError) || error.code !== 'store-busy') throw error;
      }
      await this.#ports.yieldToEventLoop?.();
    }
  }

  /**
   * One step in one transaction.
   *
   * @param anyway also where another runner has claimed the job
   * @returns whether anything is left of it
   */
  #advance({ workspaceId, id }: JobAddress, anyway: boolean): Promise<boolean> {
    return this.#ports.store.write(async (tx) => {
      const job = await tx.jobs.get(workspaceId, id);
      if (job === null) return false;
      const now = this.#ports.clock.now();
      if (!anyway && this.#dueAt(job) > now) return true;
      const journal = new Journal();
      const origin = 'origin' in job ? job.origin : null;
      const next = await stepOf(origin === null ? tx : journal.on(tx), job, this.#ports);
      if (next === null) await tx.jobs.remove(job);
      else {
        const claimed = this.#claim(next, now);
        if (claimed !== job) await tx.jobs.replace(claimed);
      }
      if (origin !== null) await journal.append(tx, this.#ports, origin);
      return next !== null;
    });
  }

  /** The job as this runner's for a while. */
  #claim(job: Job, now: number): Job {
    this.#id ??= this.#ports.ids.next();
    const { claim } = job;
    if (claim?.runner === this.#id && Date.parse(claim.until) - now > CLAIM / 2) return job;
    return { ...job, claim: { runner: this.#id, until: new Date(now + CLAIM).toISOString() } };
  }

  #dueAt({ notBefore, claim }: Job): number {
    const released = claim === undefined || claim.runner === this.#id ? -Infinity : Date.parse(claim.until);
    return Math.max(notBefore === null ? -Infinity : Date.parse(notBefore), released);
  }

  /** When this runner may do the next step of a job. */
  #readyAt(job: Job): number {
    if (this.#finishing.has(job.id)) return Infinity;
    return Math.max(this.#dueAt(job), this.#failures.get(job.id)?.until ?? -Infinity);
  }

  #choose(now: number): Promise<Choice> {
    return this.#ports.store.read(async (tx) => {
      let first = Infinity;
      const isReady = (job: Job): boolean => {
        const at = this.#readyAt(job);
        first = Math.min(first, at);
        return at <= now;
      };
      // From behind the last workspace to the end, then from the start.
      const last = this.#lastWorkspace;
      const found =
        (last === null ? null : await firstJob(tx, { workspaceId: last }, isReady)) ??
        (await firstJob(tx, null, isReady));
      if (found === null) return { job: null, at: first === Infinity ? null : first };
      return { job: (await this.#nextOf(tx, found.workspaceId, isReady)) ?? found };
    });
  }

  /** In a workspace that had its turn before: what comes behind the job that had it. */
  async #nextOf(tx: ReadTransaction, workspaceId: string, isReady: (job: Job) => boolean): Promise<Job | null> {
    const id = this.#lastJobs.get(workspaceId);
    if (id === undefined) return null;
    const jobs = await tx.jobs.list('ofWorkspace', { workspaceId }, { after: id, limit: LOOKED_AT });
    return jobs.find(isReady) ?? null;
  }
}

/** Without an id: behind all jobs of the workspace. */
type JobPosition = Partial<JobAddress>;

async function firstJob(
  tx: ReadTransaction,
  from: JobPosition | null,
  isReady: (job: Job) => boolean,
): Promise<Job | null> {
  for (let after = from; ;) {
    const jobs = await tx.jobs.list('all', {}, { after, limit: LOOKED_AT });
    const ready = jobs.find(isReady);
    if (ready !== undefined) return ready;
    const last = jobs.at(-1);
    if (last === undefined || jobs.length < LOOKED_AT) return null;
    after = { workspaceId: last.workspaceId, id: last.id };
  }
}

function remember<T>(values: Map<string, T>, name: string, value: T): void {
  if (values.size >= REMEMBERED && !values.has(name)) values.clear();
  values.set(name, value);
}
