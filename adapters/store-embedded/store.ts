import { inThisContext } from '../event-loop/this-context.ts';
import { nextTurn } from '../event-loop/next-turn.ts';
import { ExpectedWrites } from '../event-loop/expected-writes.ts';
import { statfsSync } from 'node:fs';
import { setImmediate, setTimeout as setTimer } from 'node:timers';
import { setTimeout } from 'node:timers/promises';
import type { EspalierError } from '../../core/kernel/errors.ts';
import type { ReadTransaction, Transaction } from '../../core/ports/store.ts';
import { type Kv, readOnly } from '../store-kv/engine/kv.ts';
import { StructureCache } from '../store-kv/structure/structure-cache.ts';
import { runWithWholeStructures } from '../store-kv/structure/whole-structures.ts';
import { countOlderTasks } from '../store-kv/task/count-older-tasks.ts';
import { countedTo } from '../store-kv/task/counted-to.ts';
import { kvTransaction, kvWriteTransaction } from '../store-kv/transaction.ts';
import { atExit } from './at-exit.ts';
import { CommitFailure } from './lmdb/commit-failure.ts';
import { backUp } from './files/backup.ts';
import { OWNER_ONLY } from './files/private-files.ts';
import type { LastTransaction } from './files/last-transaction.ts';
import type { OpenedFile } from './files/opened-file.ts';
import { expectStoreFile } from './files/store-file-check.ts';
import { GroupCommit } from './lmdb/group-commit.ts';
import { closeDatabase } from './lmdb/close-database.ts';
import { openDatabase, type OpenDatabase } from './lmdb/open-database.ts';
import { type EmbeddedOptions, type EmbeddedStore, requireEmbeddedOptions } from './options.ts';
import { rewriteSchema } from './schema.ts';
import { sharedEnvironment } from './shared-environment.ts';
import { type Database, openTransaction, LmdbSnapshot } from './lmdb/snapshot.ts';
import { diskFull, lmdbError } from './store-errors.ts';

/** The polling and retry interval while the database is reopened, in milliseconds. */
const REOPEN_AFTER = 100;
/** The free disk space, in bytes, below which a store is not ready: a commit writes some tens of pages. */
const MIN_ROOM = 256 * 1024;
const WRITES_BETWEEN_CHECKS = 1_000;
const READS_BETWEEN_TURNS = 500;
/** Index entries counted per step: some milliseconds. */
const COUNTED_PER_STEP = 4_096;
const COUNT_AGAIN_AFTER = 1_000;

/**
 * A store in one file, which several processes may use at once. Concurrent writes share one sync (group commit). The
 * cost of opening does not depend on the size of the file.
 *
 * @throws `invalid-input` for options that are unknown or of another form
 * @throws `store-unavailable` if the file is not a store, is damaged, was written by a newer release, or cannot be used
 */
export function embeddedStore(options: EmbeddedOptions): EmbeddedStore {
  requireEmbeddedOptions(options);
  const { path, durable = true, fileMode = OWNER_ONLY, writesForOthers = false } = options;
  expectStoreFile(path, true);
  return sharedEnvironment(
    path,
    durable,
    () => new LmdbStore(path, writesForOthers, () => openDatabase(path, durable, fileMode)),
  );
}

/** Closed once, after the last call, by its handles (see shared-environment.ts). */
class LmdbStore implements EmbeddedStore {
  readonly #path: string;
  readonly #writesForOthers: boolean;
  readonly #open: () => OpenDatabase;
  readonly #cache = new StructureCache();
  readonly #forgetExit: () => void;
  #db: Database;
  #last: LastTransaction;
  #file: OpenedFile;
  #commits: GroupCommit;
  /** While the database is being reopened: the reason. */
  #closedFor: EspalierError | null = null;
  #reopening: Promise<void> | null = null;
  #isClosing = false;
  /** The number of running reads. */
  #reading = 0;
  /** The structures changed by the current group of writes, visible only to its later ones. */
  #draftCache = this.#cache.draft();
  #untilCheck = WRITES_BETWEEN_CHECKS;
  #untilTurn = READS_BETWEEN_TURNS;

  constructor(path: string, writesForOthers: boolean, open: () => OpenDatabase) {
    this.#path = path;
    this.#writesForOthers = writesForOthers;
    this.#open = open;
    ({ db: this.#db, last: this.#last, file: this.#file } = open());
    this.#commits = this.#newCommits();
    this.#forgetExit = atExit(() => this.#commits.exit());
    if (countedTo(openTransaction(this.#db)) !== undefined) this.#countOlderTasks();
  }

  read<T>(work: (tx: ReadTransaction) => Promise<T>): Promise<T> {
    return runWithWholeStructures(() => this.#read(work), this.#load);
  }

  write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return runWithWholeStructures((mayLoad) => this.#write(work, mayLoad), this.#load);
  }

  readonly #load = (work: (tx: ReadTransaction) => Promise<unknown>): Promise<unknown> => this.#read(work);

  async #read<T>(work: (tx: ReadTransaction) => Promise<T>): Promise<T> {
    await this.#turn();
    if (this.#closedFor !== null) throw this.#closedFor;
    const reader = this.#begin();
    this.#reading += 1;
    try {
      return await work(kvTransaction(readOnly(reader), this.#cache));
    } finally {
      this.#reading -= 1;
      reader.end();
    }
  }

  async #write<T>(work: (tx: Transaction) => Promise<T>, mayLoad: boolean): Promise<T> {
    if (this.#closedFor !== null) throw this.#closedFor;
    this.#forgetDeadReaders();
    const run = inThisContext(work);
    return new Promise<T>((resolve, reject) => {
      let result: T;
      let cache: StructureCache;
      this.#commits.add({
        run: async (kv) => {
          cache = this.#draftCache;
          const tx = kvWriteTransaction(kv, cache, mayLoad);
          result = await run(tx);
          tx.structures.settle(cache);
        },
        committed: () => {
          cache.settle();
          resolve(result);
        },
        failed: (error) => this.#fail(error, reject),
      });
    });
  }

  async backup(path: string, fileMode = OWNER_ONLY): Promise<void> {
    if (this.#closedFor !== null) throw this.#closedFor;
    this.#reading += 1;
    try {
      await backUp(this.#db, path, fileMode);
    } finally {
      this.#reading -= 1;
    }
  }

  async ready(): Promise<void> {
    await this.read((tx) => tx.users.get(''));
    // After a failed commit only a write can tell whether the store works again.
    if (this.#commits.failure !== null) await this.#writeNothing();
    this.#expectFile();
    if (this.#room() < MIN_ROOM) throw diskFull();
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#reopening;
    await this.#commits.idle();
    this.#forgetExit();
    if (this.#closedFor === null) await this.#closeDatabase();
  }

  async #closeDatabase(): Promise<void> {
    await closeDatabase(this.#db);
    this.#last.close();
    this.#file.close();
  }

  /** @throws `store-unavailable` if another file is at its path */
  #expectFile(): void {
    try {
      this.#file.expectInPlace();
    } catch (error) {
      throw lmdbError(error, 'to find its file');
    }
  }

  /** Free disk space, in bytes. @throws `store-unavailable` if the file is not at its path any more */
  #room(): number {
    try {
      const { bavail, bsize } = statfsSync(this.#path);
      return bavail * bsize;
    } catch (error) {
      throw lmdbError(error, 'to look for room');
    }
  }

  /** Whether the disk is known to be nearly full. */
  #isFull(): boolean {
    try {
      return this.#room() < MIN_ROOM;
    } catch {
      return false;
    }
  }

  #newCommits(): GroupCommit {
    const onGroup = () => {
      this.#file.expectInPlace();
      this.#draftCache = this.#cache.draft();
    };
    const expected = this.#writesForOthers ? new ExpectedWrites() : null;
    return new GroupCommit(this.#db, this.#last, onGroup, () => this.#isFull(), expected);
  }

  /** Commits a write without effect. */
  #writeNothing(): Promise<void> {
    return new Promise((resolve, reject) => {
      const run = async (kv: Kv): Promise<void> => rewriteSchema(kv);
      this.#commits.add({ run, committed: resolve, failed: (error) => this.#fail(error, reject) });
    });
  }

  /** Counts tasks in steps, each a write among those of callers. A failed step is retried while the store is open. */
  #countOlderTasks(): void {
    if (this.#isClosing) return;
    let isMore = false;
    this.#commits.add({
      run: async (kv) => {
        isMore = countOlderTasks(kv, COUNTED_PER_STEP);
      },
      committed: () => {
        if (isMore) setImmediate(() => this.#countOlderTasks());
      },
      failed: (error) => this.#fail(error, () => setTimer(() => this.#countOlderTasks(), COUNT_AGAIN_AFTER).unref()),
    });
  }

  #fail(error: unknown, reject: (error: unknown) => void): void {
    reject(error);
    if (error instanceof CommitFailure && error.isFinal) this.#startReopening(error);
  }

  /**
   * Reopens the database after lmdb has become unusable. Running reads may end; new calls are refused until it is open
   * again.
   */
  #startReopening(reason: EspalierError): void {
    this.#closedFor ??= reason;
    this.#reopening ??= this.#reopen().finally(() => (this.#reopening = null));
  }

  async #reopen(): Promise<void> {
    await this.#commits.idle();
    while (this.#reading > 0) await setTimeout(REOPEN_AFTER);
    await this.#closeDatabase();
    while (!this.#isClosing && this.#closedFor !== null) {
      try {
        // If the file is gone, as when its disk was unmounted, a new store would not be the one that was open.
        expectStoreFile(this.#path, false);
        ({ db: this.#db, last: this.#last, file: this.#file } = this.#open());
        this.#commits = this.#newCommits();
        this.#closedFor = null;
      } catch {
        await setTimeout(REOPEN_AFTER);
      }
    }
  }

  /** Reads are synchronous: without occasional yields, a loop of reads would block the event loop. */
  async #turn(): Promise<void> {
    this.#untilTurn -= 1;
    if (this.#untilTurn > 0) return;
    this.#untilTurn = READS_BETWEEN_TURNS;
    await nextTurn();
  }

  /**
   * Begins a read. It fails if the last commit has made lmdb unusable, which lmdb does not report while a snapshot is
   * open.
   */
  #begin(): LmdbSnapshot {
    try {
      return this.#snapshot();
    } catch (error) {
      if (this.#commits.failure !== null) this.#startReopening(this.#commits.failure);
      throw error;
    }
  }

  /** lmdb reuses a snapshot within one turn of the event loop: without the reset it could be older than this call. */
  #snapshot(): LmdbSnapshot {
    try {
      this.#db.resetReadTxn();
      return new LmdbSnapshot(this.#db, this.#db.useReadTransaction());
    } catch (error) {
      throw lmdbError(error, 'to begin reading');
    }
  }

  /** Frees the reader slots of killed processes, which would otherwise keep old pages from being reused. */
  #forgetDeadReaders(): void {
    this.#untilCheck -= 1;
    if (this.#untilCheck > 0) return;
    this.#untilCheck = WRITES_BETWEEN_CHECKS;
    this.#db.readerCheck();
  }
}
