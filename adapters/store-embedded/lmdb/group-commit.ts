import { nextTurn } from '../../event-loop/next-turn.ts';
import type { ExpectedWrites } from '../../event-loop/expected-writes.ts';
import { type Share, SHARE_OF_WRITES } from '../../event-loop/loop-share.ts';
import type { Kv } from '../../store-kv/engine/kv.ts';
import type { LastTransaction } from '../files/last-transaction.ts';
import { WriteDraft } from './write-draft.ts';
import { abandonTransaction } from './abandon-transaction.ts';
import { CommitFailure } from './commit-failure.ts';
import { type Database, type OpenTransaction, openTransaction } from './snapshot.ts';
import { TransactionCache } from './transaction-cache.ts';

/** One write of a caller. `run` is called in the transaction, then exactly one of the others after its end. */
export interface GroupedWrite {
  run(kv: Kv): Promise<void>;
  committed(): void;
  /**
   * @param error the error of `run`, or the failure of the commit. A write that threw after it had seen uncommitted writes
   * of others gets the failure of the commit too: those writes never happened
   */
  failed(error: unknown): void;
}

/** The error of a write. */
interface Thrown {
  readonly error: unknown;
  /** Whether the write saw only committed state, as all writes before it in the transaction threw too. */
  readonly isOnCommitted: boolean;
}

/** The most writes in one transaction. It holds the write lock of the file while they run. */
const LARGEST_GROUP = 1_000;
/** The most turns of the event loop that a commit waits for further writes, whose requests are being read. */
const MAX_TURNS = 4;
/** Milliseconds between a failed commit and the next attempt. */
const RETRY_AFTER = 500;

/** `begins`: lmdb is starting a transaction. `runs`: writes run in it. `commits`: lmdb is writing it. */
type Phase = 'idle' | 'begins' | 'runs' | 'commits';

/**
 * Group commit: writes that arrive during a commit share the next transaction, and so one sync. They run strictly one
 * after another, each on its own draft: the draft of a write that throws is discarded without affecting the others.
 * Reads run between two writes, on committed state.
 */
export class GroupCommit {
  readonly #db: Database;
  readonly #last: LastTransaction;
  readonly #transaction: OpenTransaction;
  readonly #waiting: GroupedWrite[] = [];
  readonly #onGroup: () => void;
  readonly #isFull: () => boolean;
  readonly #expected: ExpectedWrites | null;
  readonly #share: Share;
  #running: Promise<void> | null = null;
  #phase: Phase = 'idle';
  #draft: WriteDraft | null = null;
  #failure: CommitFailure | null = null;
  #failedAt = 0;

  /**
   * @param onGroup called before the first write of a group; if it throws, the group is refused
   * @param isFull whether the disk is nearly full, which lmdb does not always distinguish from a broken disk
   * @param expected the writes that a group waits for; null: it does not wait
   * @param share for how long writes may run before other work has a turn
   */
  constructor(
    db: Database,
    last: LastTransaction,
    onGroup: () => void,
    isFull: () => boolean,
    expected: ExpectedWrites | null = null,
    share = SHARE_OF_WRITES,
  ) {
    this.#isFull = isFull;
    this.#expected = expected;
    this.#share = share;
    this.#db = db;
    this.#last = last;
    this.#transaction = openTransaction(db);
    this.#onGroup = onGroup;
  }

  /** The error of the last commit if it failed. */
  get failure(): CommitFailure | null {
    return this.#failure;
  }

  /** Queues a write, or fails it at once if a commit has just failed. */
  add(write: GroupedWrite): void {
    if (this.#failure !== null && this.#running === null && this.#mustWait(this.#failure)) {
      write.failed(this.#failure);
      return;
    }
    this.#waiting.push(write);
    this.#expected?.arrived();
    this.#running ??= this.#run();
  }

  async idle(): Promise<void> {
    while (this.#running !== null) await this.#running;
  }

  /**
   * Called as the process exits. The exit waits for lmdb's writer thread, which waits for this thread while a
   * transaction begins and while writes run in it: without this, the deadlock would hold the lock of the file.
   */
  exit(): void {
    if (this.#phase === 'runs') abandonTransaction(this.#db, this.#draft?.isInner === true ? 2 : 1);
    else if (this.#phase === 'begins') process.kill(process.pid, 'SIGKILL');
  }

  #mustWait(failure: CommitFailure): boolean {
    return failure.isFinal || performance.now() - this.#failedAt < RETRY_AFTER;
  }

  async #run(): Promise<void> {
    // An error that ends the process often follows the call at once. While a transaction begins, it would be a kill.
    await nextTurn();
    while (this.#waiting.length > 0) {
      const failure = this.#failure;
      if (failure === null || !this.#mustWait(failure)) await this.#commit();
      else for (const write of this.#waiting.splice(0)) write.failed(failure);
    }
    this.#running = null;
  }

  async #commit(): Promise<void> {
    const writes: GroupedWrite[] = [];
    const thrown = new Map<GroupedWrite, Thrown>();
    let undone: unknown = null;
    let failure: unknown = null;
    this.#phase = 'begins';
    try {
      // A child transaction, as only that is aborted when its callback throws; lmdb would commit a plain one.
      await this.#db.childTransaction(async () => {
        this.#phase = 'runs';
        // If the commit fails, lmdb also rejects this promise; unhandled, that would end the process.
        this.#db.committed.then(ignore, ignore);
        try {
          // The transaction ends without a write; the next one builds on the last commit.
          if (this.#last.wasSetBack(this.#db)) return;
          this.#onGroup();
          await this.#runAll(writes, thrown).catch((error: unknown) => {
            undone = error;
            throw error;
          });
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
    for (const write of writes) {
      const own = thrown.get(write);
      if (own !== undefined && (failure === null || own.isOnCommitted)) write.failed(own.error);
      else if (failure !== null) write.failed(failure);
      else write.committed();
    }
  }

  async #runWaiting(writes: GroupedWrite[], thrown: Map<GroupedWrite, Thrown>, cache: TransactionCache): Promise<void> {
    try {
      while (this.#waiting.length > 0 && writes.length < LARGEST_GROUP) {
        if (this.#share.isOver()) await this.#share.next();
        const write = this.#waiting.shift()!;
        writes.push(write);
        this.#draft = new WriteDraft(this.#db, cache, this.#share);
        try {
          await write.run(this.#draft);
        } catch (error) {
          thrown.set(write, { error, isOnCommitted: writes.length === thrown.size + 1 });
          await this.#draft.discard();
          continue;
        }
        // If the write has used up its turn, its large records are encoded in the next turn.
        if (this.#share.isOver()) await this.#share.next();
        await this.#draft.apply();
      }
    } finally {
      this.#draft = null;
    }
  }

  /** Runs the waiting writes, and those that arrive meanwhile. Throws if the transaction is to be aborted. */
  async #runAll(writes: GroupedWrite[], thrown: Map<GroupedWrite, Thrown>): Promise<void> {
    try {
      const cache = new TransactionCache(this.#transaction);
      for (let turns = 0; this.#waiting.length > 0 && writes.length < LARGEST_GROUP; turns += 1) {
        await this.#runWaiting(writes, thrown, cache);
        // Writes that arrive in the next turn share this sync.
        if (turns < MAX_TURNS) await nextTurn();
        if (this.#waiting.length === 0 && this.#expected?.mayWait(writes.length) === true) {
          await this.#expected.next();
          // Requests that arrived with it are still being read.
          turns = 0;
        }
      }
      cache.flush();
    } finally {
      this.#expected?.groupEnded(writes.length);
    }
  }
}

/** lmdb rejects with a general error; its `commitError` is a promise that rejects with the reason. */
async function reasonOf(error: unknown): Promise<unknown> {
  if (!(error instanceof Error) || !('commitError' in error)) return error;
  try {
    await error.commitError;
    return error;
  } catch (reason) {
    return reason;
  }
}

/** False after lmdb failed to write its meta page: it then refuses reads and writes. */
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
