import type { ClientSession, Db } from 'mongodb';
import { EspalierError } from '../../core/errors.ts';
import { asStoreError, busy, isTransient, isUnavailable, unavailable } from './failures.ts';
import { GroupTransaction } from './transaction.ts';
import { Unit } from './unit.ts';

export type Writer = (access: Unit) => Promise<unknown>;

export type Outcome = { readonly value: unknown } | { readonly error: unknown };

export interface LaneLimits {
  /** How long a write is tried again when others are in its way, in ms. */
  readonly retryFor: number;
  /** How long to look for the outcome of a commit, in ms. */
  readonly resolveFor: number;
}

/** Writers that share a transaction at most. */
const GROUP = 32;
const LONGEST_PAUSE = 16;
/** Where writers queue that name no workspace. */
const ELSEWHERE = '';

interface Job {
  readonly writer: Writer;
  run: Run;
  resolve(outcome: Outcome): void;
}

interface Run {
  readonly unit: Unit;
  readonly outcome: Promise<Outcome>;
}

/**
 * Writers of one workspace exclude each other, so they queue here and do not meet in the database. Those
 * that wait together go into one transaction, one after another, and share the price of the commit.
 */
export class Lanes {
  readonly #db: Db;
  readonly #begin: () => ClientSession;
  readonly #limits: LaneLimits;
  readonly #queues = new Map<string, Job[]>();

  constructor(db: Db, begin: () => ClientSession, limits: LaneLimits) {
    this.#db = db;
    this.#begin = begin;
    this.#limits = limits;
  }

  /** Runs a writer, and resolves when what it has done is durable. */
  write(writer: Writer): Promise<Outcome> {
    return new Promise((resolve) => {
      // The writer may enter while it is being started.
      const unit = new Unit((workspaceId) => queueMicrotask(() => this.#queue(workspaceId ?? ELSEWHERE, job)));
      const job: Job = { writer, run: { unit, outcome: settled(writer, unit) }, resolve };
      // Whoever asks for nothing needs no transaction.
      void job.run.outcome.then((outcome) => {
        if (!unit.entered) resolve(outcome);
      });
    });
  }

  #queue(lane: string, job: Job): void {
    const queue = this.#queues.get(lane);
    if (queue !== undefined) {
      queue.push(job);
      return;
    }
    const mine = [job];
    this.#queues.set(lane, mine);
    void this.#serve(lane, mine);
  }

  async #serve(lane: string, queue: Job[]): Promise<void> {
    for (;;) {
      await this.#together(queue.splice(0, GROUP), lane);
      if (queue.length === 0) break;
      // A moment in which another process can get its turn.
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    this.#queues.delete(lane);
  }

  /** Tries until it works, or the bound is reached, or an error belongs to one of them. */
  async #together(all: readonly Job[], lane: string): Promise<void> {
    let jobs = all;
    const end = Date.now() + this.#limits.retryFor;
    for (let attempt = 0; ; attempt += 1) {
      const error = await this.#attempt(jobs);
      if (error === null) return;
      if (error instanceof EspalierError) return fail(jobs, error);
      if (isTransient(error)) {
        if (Date.now() < end) {
          if (lane === ELSEWHERE) jobs = this.#sorted(jobs);
          if (jobs.length === 0) return;
          await pause(attempt);
          continue;
        }
        return fail(jobs, isUnavailable(error) ? unavailable(error) : busy(error));
      }
      if (jobs.length === 1 || isUnavailable(error)) return fail(jobs, asStoreError(error));
      for (const job of jobs) await this.#together([job], lane);
      return;
    }
  }

  /** Sends those of whom the workspace is known by now to its lane. @returns the others */
  #sorted(jobs: readonly Job[]): readonly Job[] {
    return jobs.filter((job) => {
      const { workspaceId } = job.run.unit;
      if (workspaceId === null) return true;
      this.#queue(workspaceId, job);
      return false;
    });
  }

  /** @returns the error of the database that undid it, null when it is done */
  async #attempt(jobs: readonly Job[]): Promise<unknown> {
    const session = this.#begin();
    const transaction = new GroupTransaction(this.#db, session);
    const outcomes: Outcome[] = [];
    try {
      for (const job of jobs) {
        if (job.run.unit.admitted) job.run = restarted(job);
        transaction.mark();
        job.run.unit.admit(transaction);
        const outcome = await job.run.outcome;
        await job.run.unit.end();
        if (transaction.failure !== null) return transaction.failure;
        outcomes.push(outcome);
        if (!('error' in outcome) || transaction.takeBack()) continue;
        if (jobs.length > 1) return new Error('One of several writers has failed with its writes on the way.');
        job.resolve(outcome);
        return null;
      }
      await transaction.commit(this.#limits.resolveFor);
      for (const [i, job] of jobs.entries()) job.resolve(outcomes[i] as Outcome);
      return null;
    } catch (error) {
      return error;
    } finally {
      await transaction.end();
    }
  }
}

/** A new run for a writer whose last one was undone. It enters when it is admitted. */
function restarted({ writer }: Job): Run {
  const unit = new Unit(() => undefined);
  return { unit, outcome: settled(writer, unit) };
}

async function settled(writer: Writer, unit: Unit): Promise<Outcome> {
  try {
    return { value: await writer(unit) };
  } catch (error) {
    return { error };
  }
}

function fail(jobs: readonly Job[], error: unknown): void {
  for (const job of jobs) job.resolve({ error });
}

function pause(attempt: number): Promise<void> {
  const longest = Math.min(2 ** (attempt + 1), LONGEST_PAUSE);
  return new Promise((resolve) => setTimeout(resolve, Math.random() * longest));
}
