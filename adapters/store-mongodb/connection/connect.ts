import { type Db, MongoClient, type MongoClientOptions } from 'mongodb';
import { RateLimiterMemory, RateLimiterMongo } from 'rate-limiter-flexible';
import { EspalierError, invalid } from '../../../core/kernel/errors.ts';
import { driverInfo } from './transactions.ts';
import { ensureCollections } from './collections.ts';
import { limiterOn, type OpenLimiter } from '../../limiter/index.ts';

/** For a cluster in one region: a primary that does not answer counts as gone within seconds. */
const TIMINGS: MongoClientOptions = {
  serverSelectionTimeoutMS: 3_000,
  connectTimeoutMS: 2_000,
  heartbeatFrequencyMS: 2_000,
  socketTimeoutMS: 30_000,
};

const SAFETY: MongoClientOptions = {
  readPreference: 'primary',
  writeConcern: { w: 'majority' },
  retryReads: true,
  retryWrites: true,
  ignoreUndefined: false,
};

const DEFAULT_NAME = 'espalier';
/** Wire version of MongoDB 5.0, the first with snapshot reads outside transactions. */
const OLDEST = 13;

export function clientFor(url: string, dbName: string, options: MongoClientOptions): MongoClient {
  const client = new MongoClient(url, {
    appName: 'espalier',
    ...TIMINGS,
    ...options,
    ...SAFETY,
    driverInfo: driverInfo(dbName),
  });
  // It would replace the read concern `snapshot` of the sessions.
  if (client.readConcern !== undefined) throw invalid('/url', 'must not name a readConcernLevel');
  return client;
}

/**
 * Makes the collections and indexes that are missing.
 *
 * @param mustExist refuses a database without collections, in which a store would be made
 * @returns whether the server takes several queries in one command: a router of a sharded cluster does not
 * @throws `store-unavailable` for a server that stands alone or is too old
 * @throws `not-found` for a store that must exist and does not
 */
export async function connect(db: Db, mustExist: boolean): Promise<boolean> {
  const hello = await db.client.db('admin').command({ hello: 1 });
  const sharded = hello['msg'] === 'isdbgrid';
  if (!sharded && hello['setName'] === undefined) {
    throw new EspalierError(
      'store-unavailable',
      'This MongoDB server stands alone, and without a replica set there are no transactions. To make it one, ' +
        'even of a single member: start mongod with --replSet rs0, then run rs.initiate() once in mongosh.',
    );
  }
  if (Number(hello['maxWireVersion']) < OLDEST) {
    throw new EspalierError('store-unavailable', 'MongoDB 5.0 or later is needed.');
  }
  if (mustExist && !(await db.listCollections({}, { nameOnly: true }).hasNext())) {
    throw new EspalierError('not-found', `There is no store in the database ${db.databaseName}.`);
  }
  await ensureCollections(db);
  return !sharded;
}

/** The database named in the URL, if any. */
export function databaseIn(url: string): string {
  const name = /^mongodb(?:\+srv)?:\/\/[^/?]+\/([^?]+)/.exec(url)?.[1];
  return name === undefined ? DEFAULT_NAME : decodeURIComponent(name);
}

/** How long to wait for a count, in ms. Then the process counts for itself. */
const COUNT_TIMEOUT = 1_000;

/**
 * Counts in the collection `limits`, for all processes on the cluster. When the database does not answer
 * in time, each process counts in memory: a request never fails because it cannot be counted.
 */
export function sharedLimiter(client: MongoClient, dbName: string): OpenLimiter {
  // Losing a count with the primary does no harm; waiting for a majority at each request would.
  const db = client.db(dbName, { timeoutMS: COUNT_TIMEOUT, writeConcern: { w: 1 } });
  return ({ name, points, seconds }) =>
    limiterOn(
      new RateLimiterMongo({
        storeClient: db,
        tableName: 'limits',
        disableIndexesCreation: true,
        keyPrefix: name,
        points,
        duration: seconds,
        // Blocked keys are answered from memory.
        inMemoryBlockOnConsumed: points,
        insuranceLimiter: new RateLimiterMemory({ keyPrefix: name, points, duration: seconds }),
      }),
    );
}
