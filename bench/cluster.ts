import { MongoClient } from 'mongodb';
import { type ReplicaSet, startReplicaSet } from '../test/fixtures/mongodb/mongod.ts';

/** The MongoDB cluster of the bench: the one at MONGODB_URL, or a new one on loopback. */

const CACHE_GB = 1;

let starting: Promise<string | null> | null = null;
let own: ReplicaSet | null = null;
const databases: string[] = [];

/** The cluster, started on first use; null if no mongod is available. */
export function clusterUrl(): Promise<string | null> {
  starting ??= start();
  return starting;
}

async function start(): Promise<string | null> {
  const given = process.env['MONGODB_URL'];
  if (given !== undefined && given !== '') return given;
  own = await startReplicaSet({ cacheGb: CACHE_GB });
  return own?.url ?? null;
}

/** A name that no other database of the cluster has. */
export function freshDatabase(): string {
  const name = `espalier-bench-${process.pid}-${databases.length}`;
  databases.push(name);
  return name;
}

/** Stops the cluster if this run has started it; else removes the databases of the run. */
export async function endCluster(): Promise<void> {
  const url = await starting?.catch(() => null);
  if (own !== null) await own.stop();
  else if (url != null) {
    const client = await new MongoClient(url).connect();
    for (const name of databases) await client.db(name).dropDatabase();
    await client.close();
  }
}
