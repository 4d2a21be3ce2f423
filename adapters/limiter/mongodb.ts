import type { MongoClient } from 'mongodb';
import { RateLimiterMemory, RateLimiterMongo } from 'rate-limiter-flexible';
import { limiterOn, type OpenLimiter } from './limiter.ts';

/** How long to wait for a count, in ms. Then the process counts for itself. */
const COUNT_TIMEOUT = 1_000;

/**
 * Counts in the collection `limits`, for all processes on the cluster. When the database does not answer
 * in time, each process counts in memory: a request never fails because it cannot be counted.
 */
export function inMongodb(client: MongoClient, dbName: string): OpenLimiter {
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
