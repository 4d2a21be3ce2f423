import type { Kv, KvReader } from '../store-kv/engine/kv.ts';
import { WriteDraft } from './write-draft.ts';
import { type Database, openTransaction } from './snapshot.ts';

/** One write of a caller. `run` is called in the transaction; of the others exactly one, when it is over. */
export interface WriteJob {
  run(kv: Kv): Promise<void>;
  committed(): void;
  /** @param error what `run` threw, or why the transaction could not be committed */
  failed(error: unknown): void;
}

/** Jobs that share a sync at most. The lock is held while they run. */
const LARGEST_BATCH = 1_000;

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
  #running: Promise<void> | null = null;
  #open = 0;
  #broken: unknown = null;

  /** @param onBatch told before the first job of a batch is run */
  constructor(db: Database, onBatch: () => void) {
    this.#db = db;
    this.#transaction = openTransaction(db);
    this.#onBatch = onBatch;
  }

  /** Why no more writes are accepted: a commit failed, and what is on disk is not known. */
  get broken(): unknown {
    return this.#broken;
  }

  /** Whether lmdb may read in the open transaction, whatever it is told. */
  get isOpen(): boolean {
    return this.#open > 0;
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
      if (this.#broken === null) await this.#commit();
      else for (const job of this.#waiting.splice(0)) job.failed(this.#broken);
    }
    this.#running = null;
  }

  async #commit(): Promise<void> {
    const jobs: WriteJob[] = [];
    const thrown = new Map<WriteJob, unknown>();
    let undone: unknown = null;
    try {
      // It is a child that can be undone: what only its callback throws, lmdb would commit.
      await this.#db.childTransaction(async () => {
        try {
          await this.#runAll(jobs, thrown);
        } catch (error) {
          undone = error;
          throw error;
        }
      });
    } catch (error) {
      if (error !== undone) this.#broken = await reasonOf(error);
    }
    const failure = this.#broken ?? undone;
    for (const job of jobs) {
      if (thrown.has(job)) job.failed(thrown.get(job));
      else if (failure !== null) job.failed(failure);
      else job.committed();
    }
  }

  /** Runs what waits, and what comes to wait meanwhile. Throws when the transaction is to be undone. */
  async #runAll(jobs: WriteJob[], thrown: Map<WriteJob, unknown>): Promise<void> {
    this.#open += 1;
    try {
      this.#onBatch();
      while (this.#waiting.length > 0 && jobs.length < LARGEST_BATCH) {
        const job = this.#waiting.shift()!;
        jobs.push(job);
        const draft = new WriteDraft(this.#db, this.#transaction);
        try {
          await job.run(draft);
        } catch (error) {
          thrown.set(job, error);
          await draft.drop();
          continue;
        }
        await draft.apply();
      }
    } finally {
      // lmdb closes it before the event loop turns.
      setImmediate(() => (this.#open -= 1));
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
