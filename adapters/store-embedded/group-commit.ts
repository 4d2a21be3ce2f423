import type { Kv, KvReader } from '../store-kv/engine/kv.ts';
import { WriteDraft } from './write-draft.ts';
import { abandonTransaction } from './abandon-transaction.ts';
import { CommitFailure } from './commit-failure.ts';
import { type Database, openTransaction } from './snapshot.ts';
import { TransactionCache } from './transaction-cache.ts';

/** One write of a caller. `run` is called in the transaction; of the others exactly one, when it is over. */
export interface WriteJob {
  run(kv: Kv): Promise<void>;
  committed(): void;
  /** @param error what `run` threw, or why the transaction could not be committed */
  failed(error: unknown): void;
}

/** Jobs that share a sync at most. The lock is held while they run. */
const LARGEST_BATCH = 1_000;
/** Turns of the event loop at most that a commit is put off for those whose requests are just being read. */
const MOST_TURNS = 4;
/** After a commit has failed, so many milliseconds pass before the next is tried. */
const RETRY_AFTER = 500;

/** `begins`: the engine has been asked for a transaction. `runs`: jobs run in it. `commits`: the engine writes. */
type Phase = 'idle' | 'begins' | 'runs' | 'commits';

/**
 * Commits what is asked for while another commit is on its way in one transaction with one sync. In it the
 * jobs run strictly one after another, each on a draft: one that throws is dropped without touching its
 * neighbours. None is given to the engine while a transaction is open.
 */
export class GroupCommit {
  readonly #db: Database;
  readonly #transaction: KvReader;
  readonly #waiting: WriteJob[] = [];
  readonly #onBatch: () => void;
  readonly #isFull: () => boolean;
  #running: Promise<void> | null = null;
  #open = 0;
  #phase: Phase = 'idle';
  #draft: WriteDraft | null = null;
  #failure: CommitFailure | null = null;
  #failedAt = 0;

  /**
   * @param onBatch told before the first job of a batch is run
   * @param isFull whether there is hardly any room left, which lmdb does not always tell from a broken disk
   */
  constructor(db: Database, onBatch: () => void, isFull: () => boolean) {
    this.#isFull = isFull;
    this.#db = db;
    this.#transaction = openTransaction(db);
    this.#onBatch = onBatch;
  }

  /** Why the last commit failed, until one succeeds. */
  get failure(): CommitFailure | null {
    return this.#failure;
  }

  /** Whether lmdb may read in the open transaction, whatever it is told. */
  get isOpen(): boolean {
    return this.#open > 0;
  }

  /** Takes a job, or fails it at once when a commit has failed a moment ago. */
  add(job: WriteJob): void {
    if (this.#failure !== null && this.#running === null && this.#mustWait(this.#failure)) {
      job.failed(this.#failure);
      return;
    }
    this.#waiting.push(job);
    this.#running ??= this.#run();
  }

  async idle(): Promise<void> {
    while (this.#running !== null) await this.#running;
  }

  /**
   * To be called as the process exits, which waits for the thread of lmdb: that waits for this one while it begins a
   * transaction and while jobs run in it, and would hold the lock of the file for ever.
   */
  exit(): void {
    if (this.#phase === 'runs') abandonTransaction(this.#db, this.#draft?.isInner === true ? 2 : 1);
    else if (this.#phase === 'begins') process.kill(process.pid, 'SIGKILL');
  }

  #mustWait(failure: CommitFailure): boolean {
    return failure.isFinal || performance.now() - this.#failedAt < RETRY_AFTER;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const failure = this.#failure;
      if (failure === null || !this.#mustWait(failure)) await this.#commit();
      else for (const job of this.#waiting.splice(0)) job.failed(failure);
    }
    this.#running = null;
  }

  async #commit(): Promise<void> {
    const jobs: WriteJob[] = [];
    const thrown = new Map<WriteJob, unknown>();
    let undone: unknown = null;
    let failure: unknown = null;
    this.#phase = 'begins';
    try {
      // It is a child that can be undone: what only its callback throws, lmdb would commit.
      await this.#db.childTransaction(async () => {
        this.#phase = 'runs';
        // When the commit fails, lmdb rejects a promise of its own too, and without a listener that ends the process.
        this.#db.committed.then(ignore, ignore);
        try {
          await this.#runAll(jobs, thrown);
        } catch (error) {
          undone = error;
          throw error;
        } finally {
          this.#phase = 'commits';
        }
      });
      this.#failure = null;
    } catch (error) {
      failure = error;
      if (error !== undone) {
        this.#failure = new CommitFailure(await reasonOf(error), this.#isFull(), !isUsable(this.#db));
        this.#failedAt = performance.now();
        failure = this.#failure;
      }
    }
    this.#phase = 'idle';
    for (const job of jobs) {
      if (thrown.has(job)) job.failed(thrown.get(job));
      else if (failure !== null) job.failed(failure);
      else job.committed();
    }
  }

  async #runWaiting(jobs: WriteJob[], thrown: Map<WriteJob, unknown>, cache: TransactionCache): Promise<void> {
    try {
      while (this.#waiting.length > 0 && jobs.length < LARGEST_BATCH) {
        const job = this.#waiting.shift()!;
        jobs.push(job);
        this.#draft = new WriteDraft(this.#db, cache);
        try {
          await job.run(this.#draft);
        } catch (error) {
          thrown.set(job, error);
          await this.#draft.drop();
          continue;
        }
        await this.#draft.apply();
      }
    } finally {
      this.#draft = null;
    }
  }

  /** Runs what waits, and what comes to wait meanwhile. Throws when the transaction is to be undone. */
  async #runAll(jobs: WriteJob[], thrown: Map<WriteJob, unknown>): Promise<void> {
    this.#open += 1;
    try {
      this.#onBatch();
      const cache = new TransactionCache(this.#transaction);
      for (let turns = 0; this.#waiting.length > 0 && jobs.length < LARGEST_BATCH; turns += 1) {
        await this.#runWaiting(jobs, thrown, cache);
        // Those who ask meanwhile would need a sync of their own.
        if (turns < MOST_TURNS) await nextTurn();
      }
    } finally {
      // lmdb closes it before the event loop turns.
      setImmediate(() => (this.#open -= 1));
    }
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** lmdb rejects with a general error, and tells the reason by a promise that it rejects a little later. */
async function reasonOf(error: unknown): Promise<unknown> {
  if (!(error instanceof Error) || !('commitError' in error)) return error;
  try {
    await error.commitError;
    return error;
  } catch (reason) {
    return reason;
  }
}

/** False once the engine could not write the page that makes a commit valid: it then refuses reads and writes. */
function isUsable(db: Database): boolean {
  try {
    db.resetReadTxn();
    db.get('a');
    return true;
  } catch {
    return false;
  }
}

function ignore(): void {}
