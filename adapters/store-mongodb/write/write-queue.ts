import type { ClientSession, Db } from 'mongodb';
import { EspalierError } from '../../../core/kernel/errors.ts';
import { OrphanedTransactions } from '../connection/orphaned-transactions.ts';
import { asStoreError, busy, isTransient, isUnavailable, StaleAssumption, unavailable } from '../connection/errors.ts';
import { LockHandoff } from './lock-handoff.ts';
import { WorkspaceCache } from '../cache/workspace-cache.ts';
import type { UserCache } from '../cache/user-cache.ts';
import { GroupTransaction } from './group-transaction.ts';
import { UnitOfWork } from './unit-of-work.ts';

export type Writer = (access: UnitOfWork) => Promise<unknown>;

export type Outcome = { readonly value: unknown } | { readonly error: unknown };

export interface WriteLimits {
  /** How long a write is tried again when others are in its way, in ms. */
  readonly retryFor: number;
  /** How long to look for the outcome of a commit, in ms. */
  readonly commitOutcomeTimeout: number;
}

/** Writers that share a transaction at most. */
const GROUP = 32;
const LONGEST_PAUSE = 16;
/** How long to wait for others before looking whether they are still there, and between looks, in ms. */
const PATIENCE = 500;
/** Where writers queue that name no workspace. */
const UNROUTED = '';

interface Job {
  readonly writer: Writer;
  run: Run;
  resolve(outcome: Outcome): void;
}

interface Run {
  readonly unit: UnitOfWork;
  readonly outcome: Promise<Outcome>;
}

/**
 * Writers of one workspace exclude each other, so they queue here and do not meet in the database. Those
 * that wait together go into one transaction, one after another, and share the price of the commit.
 */
export class WriteQueue {
  readonly #db: Db;
  readonly #begin: () => ClientSession;
  readonly #limits: WriteLimits;
  readonly #queues = new Map<string, Job[]>();
  readonly #learned: { readonly userCache: UserCache; readonly workspaceCache: WorkspaceCache };
  readonly #handoff: LockHandoff;
  readonly #orphans: OrphanedTransactions;

  constructor(db: Db, begin: () => ClientSession, userCache: UserCache, limits: WriteLimits) {
    this.#db = db;
    this.#learned = { userCache, workspaceCache: new WorkspaceCache() };
    this.#handoff = new LockHandoff(db);
    this.#orphans = new OrphanedTransactions(db.client, db.databaseName);
    this.#begin = begin;
    this.#limits = limits;
  }

  /** Runs a writer, and resolves when what it has done is durable. */
  write(writer: Writer): Promise<Outcome> {
    return new Promise((resolve) => this.#start(writer, this.#learned.userCache, resolve));
  }

  #start(writer: Writer, userCache: UserCache | null, resolve: Job['resolve']): void {
    // The writer may enter while it is being started.
    const enter = (workspaceId: string | null) => queueMicrotask(() => this.#queue(workspaceId ?? UNROUTED, job));
    const unit = new UnitOfWork(enter, userCache);
    const job: Job = { writer, run: { unit, outcome: settled(writer, unit) }, resolve };
    void job.run.outcome.then((outcome) => {
      if (unit.entered) return;
      // Whoever queries for nothing needs no transaction, but must not have gone by what may be out of date.
      if (unit.assumptions.size === 0) resolve(outcome);
      else this.#start(writer, null, resolve);
    });
  }

  #queue(key: string, job: Job): void {
    const queue = this.#queues.get(key);
    if (queue !== undefined) {
      queue.push(job);
      return;
    }
    const mine = [job];
    this.#queues.set(key, mine);
    void this.#serve(key, mine);
  }

  async #serve(key: string, queue: Job[]): Promise<void> {
    while (queue.length > 0) {
      await this.#commitGroup(queue.splice(0, GROUP), key);
      await this.#handoff.yieldToWaiters(key);
    }
    this.#queues.delete(key);
  }

  /** Tries until it works, or the bound is reached, or an error belongs to one of them. */
  async #commitGroup(all: readonly Job[], key: string): Promise<void> {
    let jobs = all;
    const begun = Date.now();
    let looked = begun;
    for (let attempt = 0; ; attempt += 1) {
      const error = await this.#attempt(jobs);
      if (error === null) return;
      if (error instanceof EspalierError) return fail(jobs, error);
      if (isTransient(error)) {
        const now = Date.now();
        if (now >= begun + this.#limits.retryFor) {
          return fail(jobs, isUnavailable(error) ? unavailable(error) : busy(error));
        }
        if (key === UNROUTED) jobs = this.#reroute(jobs);
        if (jobs.length === 0) return;
        if (now - looked >= PATIENCE) {
          looked = now;
          await this.#orphans.look();
        }
        await this.#waited(error, key, attempt);
        continue;
      }
      if (jobs.length === 1 || isUnavailable(error)) return fail(jobs, asStoreError(error));
      for (const job of jobs) await this.#commitGroup([job], key);
      return;
    }
  }

  /** Until whoever was in the way may be through. */
  async #waited(error: unknown, key: string, attempt: number): Promise<void> {
    if (error instanceof StaleAssumption) return;
    if (key !== UNROUTED && !isUnavailable(error)) await this.#handoff.announceWaiter(key);
    // The workspace was free: others are in the way somewhere else.
    if (key === UNROUTED || isUnavailable(error) || attempt > 4) await pause(attempt);
  }

  /** Sends those of whom the workspace is known by now to its key. @returns the others */
  #reroute(jobs: readonly Job[]): readonly Job[] {
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
    const transaction = new GroupTransaction(this.#db, session, { ...this.#learned, handoff: this.#handoff });
    const outcomes: Outcome[] = [];
    try {
      for (const job of jobs) {
        if (job.run.unit.admitted || !transaction.accepts([...job.run.unit.assumptions.values()]))
          job.run = restarted(job);
        transaction.mark();
        job.run.unit.admit(transaction);
        const outcome = await job.run.outcome;
        await job.run.unit.end();
        if (transaction.failure !== null) return transaction.failure;
        outcomes.push(outcome);
        if (!('error' in outcome) || transaction.rollbackWriter()) continue;
        if (jobs.length > 1) return new Error('One of several writers has failed with its writes on the way.');
        job.resolve(outcome);
        return null;
      }
      await transaction.commit(this.#limits.commitOutcomeTimeout);
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
  const unit = new UnitOfWork(() => undefined, null);
  return { unit, outcome: settled(writer, unit) };
}

async function settled(writer: Writer, unit: UnitOfWork): Promise<Outcome> {
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
