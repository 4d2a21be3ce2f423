import { setTimeout } from 'node:timers/promises';
import {
  type Db,
  type Document,
  MongoClient,
  type MongoClientOptions,
  MongoServerSelectionError,
  type TopologyDescriptionChangedEvent,
} from 'mongodb';
import { EspalierError, invalid } from '../../../core/kernel/errors.ts';
import { LONGEST_TIMER } from '../../../core/ports/timers.ts';
import type { Doc } from '../query/query.ts';
import { ensureCollections } from './collections.ts';
import { isTimedOut, isUnavailable } from './errors.ts';
import { refusedWhenConnecting } from './refusals.ts';
import { unavailable } from './store-errors.ts';
import { driverInfo } from './transactions.ts';
import { upgradeDatabase } from './upgrade.ts';

/** Timeouts for a cluster in one region: a primary that does not answer counts as gone within seconds. */
const DEFAULTS: MongoClientOptions = {
  appName: 'espalier',
  serverSelectionTimeoutMS: 3_000,
  connectTimeoutMS: 2_000,
  heartbeatFrequencyMS: 2_000,
};
/** The least default of `socketTimeoutMS`, and by how much that exceeds the time limit of a query at least. */
const SILENT_FOR = 30_000;
const ANSWERED_WITHIN = 20_000;

const SAFETY: MongoClientOptions = {
  readPreference: 'primary',
  writeConcern: { w: 'majority' },
  retryReads: true,
  retryWrites: true,
  ignoreUndefined: false,
  // Documents are read as records: their values must be plain.
  raw: false,
  promoteValues: true,
  promoteLongs: true,
  useBigInt64: false,
  fieldsAsRaw: {},
};

const DEFAULT_NAME = 'espalier';
const NO_DOCUMENT = { _id: { $eq: '' } };
/** Wire version of MongoDB 5.0, the first with snapshot reads outside transactions. */
const OLDEST = 13;

/** Databases of the server itself, in which there are no transactions. */
const OF_SERVER: readonly string[] = ['local', 'config'];

/** @param queryTimeout how long the server may work on one query, in milliseconds */
export function clientFor(url: string, dbName: string, options: MongoClientOptions, queryTimeout: number): MongoClient {
  if (OF_SERVER.includes(dbName)) throw invalid('/url', `must not name the database ${dbName}, which is MongoDB's own`);
  const socketTimeoutMS = Math.min(Math.max(SILENT_FOR, queryTimeout + ANSWERED_WITHIN), LONGEST_TIMER);
  const client = new MongoClient(url, {
    ...notNamedIn(url, { ...DEFAULTS, socketTimeoutMS }),
    ...options,
    ...SAFETY,
    driverInfo: driverInfo(dbName),
  });
  // A read concern in the URL would replace the read concern `snapshot` of the sessions.
  if (client.readConcern !== undefined) throw invalid('/url', 'must not name a readConcernLevel');
  return client;
}

/** The options without those in the URL, which would otherwise be overridden. */
function notNamedIn(url: string, options: MongoClientOptions): MongoClientOptions {
  const named = new Set([...new URLSearchParams(url.split('?')[1]).keys()].map((name) => name.toLowerCase()));
  return Object.fromEntries(Object.entries(options).filter(([name]) => !named.has(name.toLowerCase())));
}

/**
 * Upgrades a database of an earlier format, and creates missing collections and indexes.
 *
 * @param mustExist refuses a database without collections, in which a store would be made
 * @param queryTimeout the time limit of a query, in ms
 * @returns whether the server takes several queries in one command: a router of a sharded cluster does not
 * @throws `store-unavailable` for a server that stands alone or is too old, and for a database of a newer release
 * @throws `not-found` for a store that must exist and does not
 */
export async function prepareDatabase(db: Db, mustExist: boolean, queryTimeout: number): Promise<boolean> {
  const hello = await connected(db).catch((error: unknown) => {
    throw refusedWhenConnecting(error);
  });
  const sharded = hello['msg'] === 'isdbgrid';
  if (!sharded && hello['setName'] === undefined) {
    throw new EspalierError(
      'store-unavailable',
      'This MongoDB server is not part of a replica set, and transactions need one. For a replica set ' +
        'of a single member, start mongod with --replSet rs0, then run rs.initiate() once in mongosh.',
    );
  }
  if (db.client.options.directConnection && hello['isWritablePrimary'] === false) throw notPrimary();
  if (Number(hello['maxWireVersion']) < OLDEST) {
    throw new EspalierError('store-unavailable', 'This needs MongoDB 5.0 or later.');
  }
  const there = new Set((await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name));
  if (mustExist && there.size === 0) {
    throw new EspalierError('not-found', `There is no store in the database ${db.databaseName}.`);
  }
  await upgradeDatabase(db, there, queryTimeout);
  await ensureCollections(db, there);
  return !sharded;
}

/** @returns what the primary says of itself */
async function connected({ client }: Db): Promise<Document> {
  // A client whose first command finds no primary refuses every later command until `connect` is called.
  await client.connect();
  return client.db('admin').command({ hello: 1 });
}

/**
 * Attempts a write to a document that never exists. It is refused if there is no primary, or if the user may not write.
 *
 * @param bound how long the primary may take, in ms
 * @throws `store-unavailable` when it takes longer
 */
export async function requireWritable(db: Db, bound: number): Promise<void> {
  const options = { writeConcern: { w: 1 }, maxTimeMS: bound } as const;
  await db
    .collection<Doc>('locks')
    .updateOne(NO_DOCUMENT, { $set: { seq: 0 } }, options)
    .catch((error: unknown) => {
      throw isTimedOut(error) ? unavailable(error) : error;
    });
}

/** The database named in the URL, if any. */
export function databaseIn(url: string): string {
  const name = /^mongodb(?:\+srv)?:\/\/[^/?]+\/([^?]+)/.exec(url)?.[1];
  return name === undefined ? DEFAULT_NAME : decodeURIComponent(name);
}

/** What the driver calls members of a replica set that are not its primary. */
const OTHER_MEMBERS: ReadonlySet<string> = new Set(['RSSecondary', 'RSArbiter', 'RSOther', 'RSGhost']);

function notPrimary(): EspalierError {
  const detail = 'The MongoDB server of the URL is not the primary now: name all members, without directConnection.';
  return new EspalierError('store-unavailable', detail);
}

/** The pause between two requests to a new primary, in ms. */
const PAUSE = 20;

/**
 * The election that made the primary that the driver sees, and whether that primary can be read from.
 *
 * A new primary has every acknowledged write in its log, but may not know yet that a majority has the last ones: until
 * a majority has an entry of its own term, its snapshots may lack acknowledged writes. So after an election a
 * linearizable read comes first, which is answered once a majority has an entry that the primary wrote for it.
 */
export class Elections {
  readonly #db: Db;
  readonly #bound: number;
  /** The ids of the last election, and of the last whose primary can be read from. Null: there is no replica set. */
  #current: string | null = null;
  #readable: string | null = null;
  #waiting: Promise<void> | null = null;
  /**
   * Whether the URL names one server with `directConnection`, and it is no primary now: the driver lets it answer
   * reads all the same.
   */
  #isReplaced = false;

  /** @param bound how long to wait for a new primary, in ms */
  constructor(db: Db, bound: number) {
    this.#db = db;
    this.#bound = bound;
    db.client.on('topologyDescriptionChanged', ({ newDescription }: TopologyDescriptionChangedEvent) => {
      for (const { type, electionId } of newDescription.servers.values()) {
        if (type === 'RSPrimary' && electionId !== null) this.#current = electionId.toHexString();
        if (newDescription.type === 'Single') this.#isReplaced = OTHER_MEMBERS.has(type);
      }
      if (this.#isReplaced) this.#current = null;
    });
  }

  /**
   * The id of the last election. If it is the same after a read that began after `readable`, the snapshot of the read
   * has all writes acknowledged before it.
   */
  get current(): string | null {
    return this.#current;
  }

  /** Resolves when the primary can be read from. @throws `store-unavailable` */
  async readable(): Promise<void> {
    if (this.#isReplaced) throw notPrimary();
    while (this.#readable !== this.#current) {
      this.#waiting ??= this.#wait().finally(() => (this.#waiting = null));
      await this.#waiting;
    }
  }

  async #wait(): Promise<void> {
    const election = this.#current;
    for (const end = performance.now() + this.#bound; ;) {
      try {
        const options = { readConcern: 'linearizable', maxTimeMS: this.#bound } as const;
        await this.#db.collection<Doc>('locks').findOne(NO_DOCUMENT, options);
        this.#readable = election;
        return;
      } catch (error) {
        if (isTimedOut(error)) throw unavailable(error);
        // The driver has looked for a primary already.
        if (error instanceof MongoServerSelectionError || !isUnavailable(error) || performance.now() > end) throw error;
      }
      await setTimeout(PAUSE);
    }
  }
}
