import type { MongoClient } from 'mongodb';
import { RateLimiterMemory, RateLimiterMongo } from 'rate-limiter-flexible';
import { limiterOn, type OpenLimiter } from '../../limiter/index.ts';

/** After this long, in ms, a process counts for itself: no request waits for a count. */
const PATIENCE = 1_000;

/**
 * Counts in the collection `limits`, for all processes on the cluster. When it cannot be reached in time, each
 * counts in memory for itself: a limit never keeps a request from being answered.
 */
export function sharedLimiter(client: MongoClient, dbName: string): OpenLimiter {
  // A count that is lost with a primary is no loss; waiting for a majority at each request would be.
  const db = client.db(dbName, { timeoutMS: PATIENCE, writeConcern: { w: 1 } });
  return ({ name, points, seconds }) =>
    limiterOn(
      new RateLimiterMongo({
        storeClient: db,
        tableName: 'limits',
        disableIndexesCreation: true,
        keyPrefix: name,
        points,
        duration: seconds,
        // Whoever is over it queries the database no more.
        inMemoryBlockOnConsumed: points,
        insuranceLimiter: new RateLimiterMemory({ keyPrefix: name, points, duration: seconds }),
      }),
    );
}
