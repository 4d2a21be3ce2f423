import type { MongoClient } from 'mongodb';
import { RateLimiterMongo } from 'rate-limiter-flexible';
import { limiterOn, type OpenLimiter } from './limiter.ts';
import { inMemory } from './memory.ts';

/** How long to wait for a count, in ms. Then the process counts for itself. */
const COUNT_TIMEOUT = 1_000;

/**
 * Counts in the collection `limits`, for all processes on the cluster. When the database does not answer
 * in time, each process counts in memory: a request never fails because it cannot be counted.
 */
export function inMongodb(client: MongoClient, dbName: string): OpenLimiter {
  // Losing a count with the primary does no harm; waiting for a majority at each request would.
  const db = client.db(dbName, { writeConcern: { w: 1 } });
  return (limit) => {
    const { name, points, seconds } = limit;
    const ofAll = limiterOn(
      new RateLimiterMongo({
        storeClient: db,
        tableName: 'limits',
        disableIndexesCreation: true,
        keyPrefix: name,
        points,
        duration: seconds,
        // Blocked keys are answered from memory.
        inMemoryBlockOnConsumed: points,
      }),
    );
    const own = inMemory(limit);
    return {
      use: (key) => inTime(ofAll.use(key)).catch(() => own.use(key)),
      peek: (key) => inTime(ofAll.peek(key)).catch(() => own.peek(key)),
    };
  };
}

/** The driver has no timeout that short. A command that ends later counts nevertheless. */
function inTime<T>(count: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The database has not counted in time.')), COUNT_TIMEOUT);
    count.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
