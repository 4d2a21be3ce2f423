import type { Database } from './snapshot.ts';

/** One write of a caller. `run` is called in the transaction; of the others exactly one, when it is over. */
export interface WriteJob {
  run(): Promise<void>;
  committed(): void;
  /** @param error what `run` threw, or why the transaction could not be committed */
  failed(error: unknown): void;
}

/** Jobs that share a sync at most. The lock is held while they run. */
const LARGEST_BATCH = 1_000;

/**
 * Commits what is asked for while another commit is on its way in one transaction with one sync. Each job
 * is a transaction inside it: one that throws is undone without touching its neighbours. Jobs run strictly
 * one after another, and none is given to the engine while a transaction is open.
 */
export class GroupCommit {
  readonly #db: Database;
  readonly #waiting: WriteJob[] = [];
  readonly #onBatch: (jobs: readonly WriteJob[]) => void;
  #running: Promise<void> | null = null;
  #broken: unknown = null;

  /** @param onBatch told before a batch is given to the engine */
  constructor(db: Database, onBatch: (jobs: readonly WriteJob[]) => void) {
    this.#db = db;
    this.#onBatch = onBatch;
  }

  /** Why no more writes are accepted: a commit failed, and what is on disk is not known. */
  get broken(): unknown {
    return this.#broken;
  }

  /** Whether a transaction may be open. */
  get isRunning(): boolean {
    return this.#running !== null;
  }

  add(job: WriteJob): void {
    if (this.#broken !== null) {
      job.failed(this.#broken);
      return;
    }
    this.#waiting.push(job);
    this.#running ??= this.#run();
  }

  async idle(): Promise<void> {
    while (this.#running !== null) await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      // What comes in with this turn of the event loop shares the sync.
      await new Promise((resolve) => setImmediate(resolve));
      const jobs = this.#waiting.splice(0, LARGEST_BATCH);
      if (this.#broken !== null) {
        for (const job of jobs) job.failed(this.#broken);
        continue;
      }
      this.#onBatch(jobs);
      await this.#commit(jobs);
    }
    this.#running = null;
  }

  async #commit(jobs: readonly WriteJob[]): Promise<void> {
    const thrown = new Map<WriteJob, unknown>();
    const results = await Promise.allSettled(jobs.map((job) => this.#inTransaction(job, thrown)));
    const unsynced = results.find((result, i) => result.status === 'rejected' && !thrown.has(jobs[i] as WriteJob));
    if (unsynced?.status === 'rejected') this.#broken = unsynced.reason;
    for (const job of jobs) {
      if (thrown.has(job)) job.failed(thrown.get(job));
      else if (this.#broken !== null) job.failed(this.#broken);
      else job.committed();
    }
  }

  async #inTransaction(job: WriteJob, thrown: Map<WriteJob, unknown>): Promise<void> {
    try {
      await this.#db.childTransaction(async () => {
        try {
          await job.run();
        } catch (error) {
          thrown.set(job, error);
          throw error;
        }
      });
    } catch (error) {
      throw await reasonOf(error);
    }
  }
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
