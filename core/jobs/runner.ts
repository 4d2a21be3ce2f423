import { giveUpCopy } from '../copy/step.ts';
import { EspalierError } from '../kernel/errors.ts';
import type { Job, JobAddress } from '../model/job.ts';
import type { Structure } from '../model/workspace/structure.ts';
import type { Jobs, Ports } from '../ports/context.ts';
import { removeExpired } from '../write/journal/expired-changes.ts';
import { Journal } from '../write/journal/journal.ts';
import { FailureReport } from './failure.ts';
import { stepOf } from './kinds.ts';
import { JobSchedule, waitsUntil } from './schedule.ts';
import type { StepPorts } from './step.ts';

const TRIES_WHEN_BUSY = 5;
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

/** A job that a caller waits for. */
interface Finishing {
  end: Promise<boolean>;
  /** No caller waits for it any more. */
  isInBackground: boolean;
}

/** Runs the stored jobs of all workspaces, one step at a time. One per process and store. */
export class JobRunner implements Jobs {
  readonly #ports: RunnerPorts;
  /** Without the store: reservations of other calls do not apply to steps, which would fail because of them. */
  readonly #stepPorts: StepPorts;
  readonly #schedule: JobSchedule;
  readonly #report: FailureReport;
  /** Jobs that a caller waits for, by id. */
  readonly #finishing = new Map<string, Finishing>();

  constructor(ports: RunnerPorts) {
    const { clock, ids, keepChanges, quotas } = ports;
    const yielder = ports.yielder && (() => ports.yielder!(true));
    this.#ports = { ...ports, yielder };
    this.#stepPorts = { clock, ids, keepChanges, quotas, yielder };
    this.#schedule = new JobSchedule(ports);
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
    const isFinishing = (id: string) => this.#finishing.has(id);
    const choosing = this.#ports.store.read((tx) => this.#schedule.next(tx, now, isFinishing));
    const choice = await choosing.catch((error: unknown) => {
      this.#report.add({ job: null, error });
      throw error;
    });
    this.#report.answered();
    const { job } = choice;
    this.#schedule.chosen(job);
    if (job === null) {
      if (!choice.hasExpired) return choice.at === null ? null : Math.max(1, choice.at - now);
      await removeExpired(this.#ports.store, this.#ports.keepChanges, now);
      return 0;
    }
    try {
      await this.#advance(job, false);
      this.#schedule.succeeded(job);
    } catch (error) {
      this.#report.add({ job, error });
      this.#schedule.failed(job, now);
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
      if ((ignoreLease ? waitsUntil(job) : this.#schedule.dueAt(job, now)) > now) return job;
      const journal = new Journal();
      const origin = 'origin' in job ? (job.origin ?? null) : null;
      const journaled = origin === null ? journal.onTaskUpdates(tx) : journal.on(tx);
      const next = await stepOf(journaled, job, this.#stepPorts);
      if (next === null) await tx.jobs.remove(job);
      else {
        const leased = this.#schedule.leased(next, now);
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
}
