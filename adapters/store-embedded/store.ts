import { open } from 'lmdb';
import type { ReadTransaction, Store, Transaction } from '../../core/ports/store.ts';
import { type KvValue, readOnly } from '../store-kv/engine/kv.ts';
import { Overlay } from '../store-kv/engine/overlay.ts';
import { StructureCache } from '../store-kv/structure/structure-cache.ts';
import { KvTransaction } from '../store-kv/transaction.ts';
import { keyEncoder, valueEncoder } from './value-encoding.ts';
import { DecodeCache } from './decode-cache.ts';
import { writeChanges } from './write-draft.ts';
import { createStoreFiles, OWNER_ONLY } from './private-files.ts';
import { expectStoreFile } from './store-file-check.ts';
import { GroupCommit } from './group-commit.ts';
import { isCurrent, migrate } from './schema.ts';
import { sharedEnvironment } from './shared-environment.ts';
import { type Database, openTransaction, SnapshotReader } from './snapshot.ts';
import { unavailable } from './unavailable.ts';

export interface EmbeddedOptions {
  /** A file, made when missing. Its lock file stands beside it, named with `-lock` behind. */
  readonly path: string;
  /** Whether a write returns only when it survives power loss. Default true. */
  readonly durable?: boolean;
  /** Permissions of the files that are made, whatever the umask is. Default 0600: nobody else may open them. */
  readonly fileMode?: number;
}

const FAILED_COMMIT = 'to commit, and accepts no more writes until it is opened again';
const MOST_READERS = 1_000;
const WRITES_BETWEEN_CHECKS = 1_000;
const READS_BETWEEN_TURNS = 500;

/**
 * A store in one file, which several processes may use at once. Writes that are under way at the same
 * time share one sync. Opening costs the same whatever the file holds.
 *
 * @throws `store-unavailable` when the file is not a store, is damaged, was written by a newer release, or cannot be used
 */
export function embeddedStore({ path, durable = true, fileMode = OWNER_ONLY }: EmbeddedOptions): Store {
  expectStoreFile(path);
  const kind = durable ? 'durable' : 'fast';
  return sharedEnvironment(path, kind, () => new EmbeddedStore(openDatabase(path, durable, fileMode)));
}

function openDatabase(path: string, durable: boolean, fileMode: number): Database {
  let db: Database | null = null;
  // For a file that is taken away in between; not in the types of lmdb.
  const permissions = { permissionsMode: fileMode };
  const decoded = new DecodeCache();
  try {
    createStoreFiles(path, fileMode);
    db = open({
      path,
      ...permissions,
      noSubdir: true,
      overlappingSync: false,
      noSync: !durable,
      maxReaders: MOST_READERS,
      keyEncoder,
      encoder: {
        encode: (value: KvValue) => valueEncoder.encode(value),
        decode: (bytes: Buffer) => decoded.value(bytes),
      },
    });
    prepare(db);
    return db;
  } catch (error) {
    void db?.close();
    throw unavailable(error, `to open ${path}`);
  }
}

function prepare(db: Database): void {
  const stored = openTransaction(db);
  if (isCurrent(stored)) return;
  db.transactionSync(() => {
    const changes = new Overlay(stored);
    migrate(changes);
    writeChanges(db, changes);
  });
}

/** Its holders see to it that it is closed once, behind the last call. */
class EmbeddedStore implements Store {
  readonly #db: Database;
  readonly #cache = new StructureCache();
  readonly #commits: GroupCommit;
  readonly #isWriting = (): boolean => this.#commits.isOpen;
  /** What the batch under way has changed, seen by its later jobs and by nobody else. */
  #draftCache: StructureCache;
  #untilCheck = WRITES_BETWEEN_CHECKS;
  #untilTurn = READS_BETWEEN_TURNS;

  constructor(db: Database) {
    this.#db = db;
    this.#draftCache = this.#cache.draft();
    this.#commits = new GroupCommit(db, () => {
      this.#draftCache = this.#cache.draft();
    });
  }

  async read<T>(work: (tx: ReadTransaction) => Promise<T>): Promise<T> {
    await this.#turn();
    const reader = this.#snapshot();
    try {
      return await work(new KvTransaction(readOnly(reader), this.#cache));
    } finally {
      reader.end();
    }
  }

  async write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    this.#forgetDeadReaders();
    return new Promise<T>((resolve, reject) => {
      let result: T;
      let cache: StructureCache;
      this.#commits.add({
        run: async (kv) => {
          cache = this.#draftCache;
          const tx = new KvTransaction(kv, cache);
          result = await work(tx);
          tx.structures.settle(cache);
        },
        committed: () => {
          cache.settle();
          resolve(result);
        },
        failed: (error) => reject(error === this.#commits.broken ? unavailable(error, FAILED_COMMIT) : error),
      });
    });
  }

  async ready(): Promise<void> {
    if (this.#commits.broken !== null) throw unavailable(this.#commits.broken, FAILED_COMMIT);
    await this.read((tx) => tx.users.get(''));
  }

  async close(): Promise<void> {
    await this.#commits.idle();
    await this.#db.close();
  }

  /** Reads wait for nothing outside: without a turn now and then a loop of them would keep all else from running. */
  async #turn(): Promise<void> {
    this.#untilTurn -= 1;
    if (this.#untilTurn > 0) return;
    this.#untilTurn = READS_BETWEEN_TURNS;
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** lmdb keeps a snapshot for a turn of the event loop: without the reset it could be older than this call. */
  #snapshot(): SnapshotReader {
    try {
      this.#db.resetReadTxn();
      return new SnapshotReader(this.#db, this.#db.useReadTransaction(), this.#isWriting);
    } catch (error) {
      throw unavailable(error, 'to begin reading');
    }
  }

  /** A process that was killed while it read would otherwise keep old pages from being used again. */
  #forgetDeadReaders(): void {
    this.#untilCheck -= 1;
    if (this.#untilCheck > 0) return;
    this.#untilCheck = WRITES_BETWEEN_CHECKS;
    this.#db.readerCheck();
  }
}
