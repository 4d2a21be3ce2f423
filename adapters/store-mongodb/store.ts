import type { Db, MongoClient, MongoClientOptions } from 'mongodb';
import { EspalierError } from '../../core/kernel/errors.ts';
import {
  A_BOOLEAN,
  A_FUNCTION,
  A_STRING,
  AN_OBJECT,
  numberFrom,
  type OptionRule,
  requireOptions,
} from '../../core/kernel/options.ts';
import type { ReadTransaction, Store, Transaction } from '../../core/ports/store.ts';
import { lazyTransaction } from '../../core/ports/lazy-transaction.ts';
import { clientFor, prepareDatabase, databaseIn, Elections, requireWritable } from './connection/connect.ts';
import { refusedByDriver } from './connection/refusals.ts';
import { AnswerLimit } from './connection/answer-limit.ts';
import { isRetryableRead } from './connection/errors.ts';
import { asStoreError } from './connection/store-errors.ts';
import { CallTracker } from '../event-loop/call-tracker.ts';
import type { OpenLimiter } from '../limiter/index.ts';
import { inMongodb } from '../limiter/mongodb.ts';
import { outcomeOf, WriteQueue } from './write/write-queue.ts';
import { StoreCaches } from './caches.ts';
import { MongodbChangeLog } from './records/change-log.ts';
import { MongodbCollection } from './records/collection.ts';
import { MongodbActivity, MongodbIdempotencyRecords, MongodbSettings } from './records/service-records.ts';
import { MongodbStructures } from './structure/structures.ts';
import { cacheStructures } from './structure/transaction-structures.ts';
import { MongodbTasks } from './task/tasks.ts';
import type { DocumentReader, DocumentWriter } from './query/documents.ts';
import { SnapshotReader } from './snapshot-reader.ts';

/** The database of a store on MongoDB, and its options. */
export interface MongodbStoreOptions {
  /** The URL of a replica set or sharded cluster: `mongodb://` or `mongodb+srv://`. */
  readonly url: string;
  /** The name of the database. Default: the one in the URL, else `espalier`. */
  readonly dbName?: string;
  /**
   * The time limit of the server for one query, in ms. Beyond that the call fails with `store-busy`. Default 10,000.
   */
  readonly queryTimeout?: number;
  /** How long a write is retried on conflicts with others, in ms. Default 10,000. */
  readonly retryFor?: number;
  /**
   * Whether every call is refused with `not-found` while the database has no collections. Default false: they are
   * created.
   */
  readonly mustExist?: boolean;
  /** Options for the driver. Those that safety depends on (concerns, read preference, types of values) cannot be changed. */
  readonly client?: MongoClientOptions;
  /** Called with the client of the driver, to listen to its events. */
  readonly observe?: (client: MongoClient) => void;
}

const RULES: Readonly<Record<keyof MongodbStoreOptions, OptionRule>> = {
  url: [(value) => /^mongodb(?:\+srv)?:\/\//.test(String(value)), 'must begin with mongodb:// or mongodb+srv://'],
  dbName: A_STRING,
  queryTimeout: numberFrom(1),
  retryFor: numberFrom(0),
  mustExist: A_BOOLEAN,
  client: AN_OBJECT,
  observe: A_FUNCTION,
};

const RETRY_FOR = 10_000;
const QUERY_TIMEOUT = 10_000;
const READ_TRIES = 3;
/** A call is ended after this many times the socket timeout. The driver itself ends a silent connection after one. */
const SILENT_TIMES = 2;

/**
 * A store in MongoDB 5.0 or later, for any number of processes at once. It connects on first use, and creates missing
 * collections and indexes.
 *
 * @throws `invalid-input` for a URL that the driver does not accept or that names a `readConcernLevel`, and for an
 * option that is unknown or of another form
 * @throws `store-unavailable` from every call while no primary can be reached, within some seconds
 */
export function mongodbStore(options: MongodbStoreOptions): MongodbStore {
  requireOptions(options, RULES, ['url']);
  try {
    return new ClusterStore(options);
  } catch (error) {
    throw refusedByDriver(error);
  }
}

/** A store on MongoDB. */
export interface MongodbStore extends Store {
  /** The rate limiter, which counts for all processes on the cluster. */
  readonly limiter: OpenLimiter;
}

class ClusterStore implements MongodbStore {
  readonly limiter: OpenLimiter;
  readonly #db: Db;
  readonly #elections: Elections;
  readonly #writes: WriteQueue;
  readonly #queryTimeout: number;
  readonly #answers: AnswerLimit;
  readonly #refusedHints = new Set<string>();
  readonly #mustExist: boolean;
  readonly #caches = new StoreCaches();
  readonly #calls = new CallTracker();
  /** Whether the server takes several queries in one command. */
  #connection: Promise<boolean> | null = null;
  #closing: Promise<void> | null = null;

  constructor(options: MongodbStoreOptions) {
    const { url, dbName = databaseIn(url), mustExist = false, observe } = options;
    const { retryFor = RETRY_FOR, queryTimeout = QUERY_TIMEOUT } = options;
    const client = clientFor(url, dbName, options.client ?? {}, queryTimeout);
    observe?.(client);
    this.#db = client.db(dbName);
    this.limiter = inMongodb(client, dbName);
    this.#elections = new Elections(this.#db, queryTimeout);
    const { socketTimeoutMS } = client.options;
    this.#answers = new AnswerLimit(socketTimeoutMS === 0 ? Infinity : SILENT_TIMES * socketTimeoutMS);
    this.#writes = new WriteQueue(this.#db, this.#caches, {
      retryFor,
      queryTimeout,
      answers: this.#answers,
      refusedHints: this.#refusedHints,
    });
    this.#queryTimeout = queryTimeout;
    this.#mustExist = mustExist;
  }

  read<T>(work: (tx: ReadTransaction) => Promise<T>): Promise<T> {
    return this.#track(() => this.#read(work));
  }

  write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#track(() => this.#write(work));
  }

  ready(): Promise<void> {
    return this.#track(async () => {
      try {
        await this.#connected();
        await requireWritable(this.#db, this.#queryTimeout);
      } catch (error) {
        throw asStoreError(error);
      }
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#calls.idle().then(() => this.#db.client.close());
    return this.#closing;
  }

  async #read<T>(work: (tx: ReadTransaction) => Promise<T>): Promise<T> {
    try {
      const unions = await this.#connected();
      for (let tries = 1; ; tries += 1) {
        const done = await this.#attempt(work, unions, tries);
        if (done !== null) return done.value;
      }
    } catch (error) {
      throw asStoreError(error);
    }
  }

  /** @returns null if the read must run again, as its result is not certain */
  async #attempt<T>(work: (tx: ReadTransaction) => Promise<T>, unions: boolean, tries: number) {
    await this.#elections.readable();
    const { current: election } = this.#elections;
    const session = this.#db.client.startSession({ snapshot: true });
    const scope = {
      db: this.#db,
      session,
      queryTimeout: this.#queryTimeout,
      answers: this.#answers,
      unions,
      refusedHints: this.#refusedHints,
    };
    const reader = new SnapshotReader(scope, this.#caches, tries === 1);
    try {
      const outcome = await outcomeOf(() => work(this.#transaction(reader)));
      await reader.validated();
      if (this.#elections.current !== election) return null;
      cacheStructures(reader.transactionCache, this.#caches.structures);
      if ('error' in outcome) throw outcome.error;
      return outcome;
    } catch (error) {
      if (reader.invalidated) return null;
      if (tries < READ_TRIES && !reader.answered && isRetryableRead(error)) return null;
      throw error;
    } finally {
      await reader.end();
    }
  }

  async #write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    await this.#connected().catch((error: unknown) => {
      throw asStoreError(error);
    });
    const outcome = await this.#writes.write((unit) => work(this.#transaction(unit)));
    if ('error' in outcome) throw outcome.error;
    return outcome.value as T;
  }

  /** The repositories over one snapshot. The type of a read transaction has no writes. */
  #transaction(reader: DocumentReader): Transaction {
    const documents = reader as DocumentWriter;
    const { structures, settings } = this.#caches;
    return lazyTransaction<Transaction>((name) => new MongodbCollection(documents, name), {
      structures: () => new MongodbStructures(documents, structures),
      tasks: () => new MongodbTasks(documents),
      changeLog: () => new MongodbChangeLog(documents),
      activity: () => new MongodbActivity(documents),
      idempotency: () => new MongodbIdempotencyRecords(documents),
      settings: () => new MongodbSettings(documents, settings),
    });
  }

  /** If connecting fails, the next call tries again. */
  #connected(): Promise<boolean> {
    this.#connection ??= prepareDatabase(this.#db, this.#mustExist, this.#queryTimeout).catch((error: unknown) => {
      this.#connection = null;
      throw error;
    });
    return this.#connection;
  }

  async #track<T>(call: () => Promise<T>): Promise<T> {
    if (this.#closing !== null) throw new EspalierError('store-unavailable', 'The store is closed.');
    return this.#calls.track(call);
  }
}
