import { MongoClient } from 'mongodb';
import { mongodbStore, type MongodbStoreOptions } from '../../adapters/store-mongodb/index.ts';
import type { Store } from '../../core/ports/store.ts';
import { needs } from './available.ts';
import { type ReplicaSet, startReplicaSet } from './mongod.ts';

/** One cluster for all test files of a run: that of MONGODB_URL, or one of its own that goes when they end. */
let starting: Promise<string | null> | null = null;
let started: ReplicaSet | null = null;
let admin: MongoClient | null = null;
const databases = new Set<string>();

async function start(): Promise<string | null> {
  const given = process.env['MONGODB_URL'];
  if (given !== undefined && given !== '') return given;
  started = await startReplicaSet();
  return started?.url ?? null;
}

after(async function () {
  this.timeout(20_000);
  if (admin !== null && started === null) for (const name of databases) await admin.db(name).dropDatabase();
  await admin?.close();
  await started?.stop();
});

/** The URL of a cluster. Skips the test where there is none to be had. To be called in a hook, before all tests. */
export async function mongodbUrl(context: Mocha.Context): Promise<string> {
  context.timeout(180_000);
  starting ??= start();
  const url = await starting;
  needs(context, 'MongoDB: set MONGODB_URL or MONGOMS_SYSTEM_BINARY', url !== null);
  return url as string;
}

/** A store on a database of this run that holds nothing. */
export async function emptyMongodbStore(name: string, options: Partial<MongodbStoreOptions> = {}): Promise<Store> {
  const dbName = databaseName(name);
  const db = (await client()).db(dbName);
  for (const { name: collection } of await db.listCollections({}, { nameOnly: true }).toArray()) {
    await db.collection(collection).deleteMany({}, { writeConcern: { w: 1 } });
  }
  return mongodbPeer(name, options);
}

/** Another handle on the same database. */
export async function mongodbPeer(name: string, options: Partial<MongodbStoreOptions> = {}): Promise<Store> {
  return mongodbStore({ url: (await starting) as string, dbName: databaseName(name), ...options });
}

/** The URL of the same database, for another process. */
export async function mongodbUrlOf(name: string): Promise<string> {
  const [hosts, options = ''] = ((await starting) as string).split('/?');
  return `${hosts}/${databaseName(name)}?${options}`;
}

/** The database itself. */
export async function rawDatabase(name: string) {
  return (await client()).db(databaseName(name));
}

function databaseName(name: string): string {
  const dbName = `espalier-test-${process.pid}-${name}`;
  databases.add(dbName);
  return dbName;
}

async function client(): Promise<MongoClient> {
  admin ??= await new MongoClient((await starting) as string).connect();
  return admin;
}
