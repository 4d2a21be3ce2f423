import { setTimeout } from 'node:timers/promises';
import { type ClientSession, type Db, MongoServerSelectionError } from 'mongodb';
import { EspalierError } from '../../../core/kernel/errors.ts';
import { ExpectedWrites } from '../../event-loop/expected-writes.ts';
import { inThisContext } from '../../event-loop/this-context.ts';
import type { AnswerLimit } from '../connection/answer-limit.ts';
import type { StoreCaches, UserCache } from '../caches.ts';
import { isTransient, isUnavailable, StaleAssumption } from '../connection/errors.ts';
import { asStoreError, busy, unavailable } from '../connection/store-errors.ts';
import { OrphanedTransactions } from '../connection/transactions.ts';
import { GroupTransaction } from './group-transaction.ts';
import { UnitOfWork } from './unit-of-work.ts';
import { LockHandoff } from './locks.ts';

/** How a call has ended. */
export type Outcome<T = unknown> = { readonly value: T } | { readonly error: unknown };

export async function outcomeOf<T>(call: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await call() };
  } catch (error) {
    return { error };
  }
}

export type Writer = (unit: UnitOfWork) => Promise<unknown>;

export interface WriteLimits {
  /** How long a write is retried on conflicts with others, in ms. */
  readonly retryFor: number;
  /** How long the server may work on one query, in ms. */
  readonly queryTimeout: number;
  readonly answers: AnswerLimit;
  readonly refusedHints: Set<string>;
}

/** Writers that share a transaction at most. */
const GROUP_SIZE = 32;
const LONGEST_PAUSE = 16;
/** How long to wait for a lock before checking for orphaned transactions, and between two checks, in ms. */
const ORPHAN_CHECK_INTERVAL = 500;
/** After more attempts than this a pause follows the wait for the lock of the workspace. */
const PATIENT_ATTEMPTS = 4;
/** The key of writers that are about no workspace. */
const UNROUTED = '';

/** The writers of one workspace that wait for a transaction. */
interface Queue {
  readonly writes: QueuedWrite[];
  readonly expected: ExpectedWrites;
}

interface QueuedWrite {
  readonly writer: Writer;
  run: WriterRun;
  /** When it entered its queue, by `performance.now()`, which is not affected if the clock is set. */
  since: number;
  /** Whether it runs by itself: a group that it was in has failed. */
  isAlone: boolean;
  resolve(outcome: Outcome): void;
}

interface WriterRun {
  readonly unit: UnitOfWork;
  readonly outcome: Promise<Outcome>;
}

/**
 * A write queue for each workspace, with group commit. Writers of one workspace exclude each other, so they wait here
 * and not in the database; those that wait together go into one transaction, one after another, and share the commit. A
 * group waits a moment for further writes of callers that were answered with the last group.
 *
 * Invariants: one transaction for each key at a time. A writer is answered once, after the commit or when its error is
 * certain. A group that fails for a passing reason runs again as a whole; one that fails for another is split, and its
 * writers run one by one before all others. When a group is given up, so are waiting writes that would have to wait as
 * long again.
 */
export class WriteQueue {
  readonly #db: Db;
  readonly #limits: WriteLimits;
  readonly #caches: StoreCaches;
  readonly #queues = new Map<string, Queue>();
  readonly #handoff: LockHandoff;
  readonly #orphans: OrphanedTransactions;

  constructor(db: Db, caches: StoreCaches, limits: WriteLimits) {
    this.#db = db;
    this.#caches = caches;
    this.#limits = limits;
    this.#handoff = new LockHandoff(db);
    this.#orphans = new OrphanedTransactions(db.client, db.databaseName);
  }

  /** Runs a writer, and resolves when its writes are durable. */
  write(writer: Writer): Promise<Outcome> {
    // A group runs its writers again in the loop of the queue.
    const run = inThisContext(writer);
    return new Promise((resolve) => this.#start(run, this.#caches.users, resolve));
  }

  #start(writer: Writer, users: UserCache | null, resolve: QueuedWrite['resolve']): void {
    // The writer may reach its first query while it is being started.
    const onWaiting = () => queueMicrotask(() => this.#enqueue(write));
    const unit = new UnitOfWork(onWaiting, users);
    const run = { unit, outcome: outcomeOf(() => writer(unit)) };
    const write: QueuedWrite = { writer, run, since: 0, isAlone: false, resolve };
    void run.outcome.then((outcome) => {
      if (unit.needsTransaction) return;
      // It needed no transaction, so its assumptions were not validated. If it made any, it runs again without cached
      // users.
      if (unit.assumptions.size === 0) resolve(outcome);
      else this.#start(writer, null, resolve);
    });
  }

  #enqueue(write: QueuedWrite): void {
    const key = write.run.unit.workspaceId ?? UNROUTED;
    write.since = performance.now();
    const queue = this.#queues.get(key);
    if (queue !== undefined) {
      queue.writes.push(write);
      queue.expected.arrived();
      return;
    }
    const created = { writes: [write], expected: new ExpectedWrites() };
    this.#queues.set(key, created);
    void this.#drain(key, created);
  }

  async #drain(key: string, queue: Queue): Promise<void> {
    const { writes, expected } = queue;
    while (writes.length > 0) {
      const group = writes.splice(0, writes[0]!.isAlone ? 1 : GROUP_SIZE);
      await this.#commitGroup(group, key, queue);
      await this.#handoff.yieldToWaiters(key);
      expected.groupEnded(Math.min(group.length + writes.length, GROUP_SIZE));
      while (expected.mayWait(writes.length)) await expected.next();
    }
    this.#queues.delete(key);
  }

  /** Tries until it works, the bound is reached, or an error belongs to one of the writers. */
  async #commitGroup(all: readonly QueuedWrite[], key: string, { writes: waiting }: Queue): Promise<void> {
    let writes = all;
    const begun = performance.now();
    let checked = begun;
    for (let attempt = 0; ; attempt += 1) {
      const error = await this.#attempt(writes, key);
      if (error === null) return;
      if (error instanceof EspalierError) {
        // The outcome of the commit is still unknown after a long time: no majority could confirm another attempt
        // either.
        fail(writes, error);
        return giveUp([], waiting, unavailable(error), Infinity);
      }
      if (isTransient(error)) {
        const now = performance.now();
        if (now >= begun + this.#limits.retryFor) {
          return giveUp(writes, waiting, isUnavailable(error) ? unavailable(error) : busy(error), begun);
        }
        if (key === UNROUTED) writes = this.#reroute(writes);
        if (writes.length === 0) return;
        // Without a primary no transaction is in the way, and the check would wait for a primary.
        if (!isUnavailable(error) && now - checked >= ORPHAN_CHECK_INTERVAL) {
          checked = now;
          await this.#orphans.endSilent();
        }
        await this.#beforeRetry(error, key, attempt);
        continue;
      }
      // The driver has searched for a primary for as long as its timeout allows.
      if (error instanceof MongoServerSelectionError) return giveUp(writes, waiting, unavailable(error), Infinity);
      if (writes.length === 1 || isUnavailable(error)) return fail(writes, asStoreError(error));
      for (const write of writes) write.isAlone = true;
      waiting.unshift(...writes);
      return;
    }
  }

  /** Waits until the conflicting transaction may be over. */
  async #beforeRetry(error: unknown, key: string, attempt: number): Promise<void> {
    if (error instanceof StaleAssumption) return;
    if (key !== UNROUTED && !isUnavailable(error)) await this.#handoff.announceWaiter(key);
    // If the workspace was free, the conflict was over another document.
    if (key === UNROUTED || isUnavailable(error) || attempt > PATIENT_ATTEMPTS) await pause(attempt);
  }

  /** Moves writers whose workspace has become known to the queue of that workspace. @returns the others */
  #reroute(writes: readonly QueuedWrite[]): readonly QueuedWrite[] {
    const others = writes.filter(({ run }) => run.unit.workspaceId === null);
    for (const write of writes) if (!others.includes(write)) this.#enqueue(write);
    return others;
  }

  /** @returns the error that undid the transaction; null if every writer was answered */
  async #attempt(writes: readonly QueuedWrite[], key: string): Promise<unknown> {
    const scope = {
      db: this.#db,
      session: startTransaction(this.#db),
      queryTimeout: this.#limits.queryTimeout,
      answers: this.#limits.answers,
      unions: false,
      refusedHints: this.#limits.refusedHints,
    };
    const transaction = new GroupTransaction(scope, this.#caches, this.#handoff);
    const outcomes: Outcome[] = [];
    try {
      // While the transaction waits for the lock, the writers reach their first queries.
      if (key !== UNROUTED) await transaction.workspaceState(key);
      await transaction.readAhead(writes.flatMap(({ run }) => run.unit.firstQueries));
      for (const write of writes) {
        const { unit } = write.run;
        if (unit.admitted || !transaction.assume([...unit.assumptions.values()])) write.run = restarted(write);
        transaction.savepoint();
        write.run.unit.admit(transaction);
        const outcome = await write.run.outcome;
        await write.run.unit.end();
        if (transaction.failure !== null) return transaction.failure;
        outcomes.push(outcome);
        if (!('error' in outcome) || transaction.rollbackWriter()) continue;
        if (writes.length > 1) return new Error('One of several writers failed after some of its writes were sent.');
        write.resolve(outcome);
        return null;
      }
      await transaction.commit();
      for (const [i, write] of writes.entries()) write.resolve(outcomes[i] as Outcome);
      return null;
    } catch (error) {
      return error;
    } finally {
      await transaction.end();
    }
  }
}

/** A session with an open transaction. */
function startTransaction({ client }: Db): ClientSession {
  const session = client.startSession({ causalConsistency: false });
  session.startTransaction({ readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority' } });
  return session;
}

/** A new run of a writer whose last run was undone. It waits until it is admitted. */
function restarted({ writer, run }: QueuedWrite): WriterRun {
  const unit = new UnitOfWork(() => undefined, null);
  unit.firstQueries = run.unit.firstQueries;
  return { unit, outcome: outcomeOf(() => writer(unit)) };
}

function fail(writes: readonly QueuedWrite[], error: unknown): void {
  for (const write of writes) write.resolve({ error });
}

/**
 * Fails a group, and with it the waiting writes that arrived before a time: they would fail for the same reason, but
 * only group by group, each after the same wait.
 */
function giveUp(group: readonly QueuedWrite[], waiting: QueuedWrite[], error: unknown, before: number): void {
  const [late, others] = [
    waiting.filter(({ since }) => since <= before),
    waiting.filter(({ since }) => since > before),
  ];
  waiting.splice(0, waiting.length, ...others);
  fail([...group, ...late], error);
}

function pause(attempt: number): Promise<void> {
  const longest = Math.min(2 ** (attempt + 1), LONGEST_PAUSE);
  return setTimeout(Math.random() * longest);
}
