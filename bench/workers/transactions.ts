import { open } from 'lmdb';
import { MongoClient } from 'mongodb';

/** What the engines below the stores do by themselves. */

export interface Rate extends Readonly<Record<string, number>> {
  readonly perSecond: number;
  /** Microseconds of CPU of the process per transaction. */
  readonly cpu: number;
}

/** One write of a transaction: lengths in bytes. */
export interface Put {
  readonly key: number;
  readonly value: number;
}

export interface LmdbLimit {
  readonly path: string;
  readonly clients: number;
  readonly milliseconds: number;
  readonly puts: readonly Put[];
}

/** Durable transactions of lmdb that put these, each key behind the last of its kind, as in an index. */
export function lmdbPuts(path: string, puts: readonly Put[]) {
  const db = open<Buffer, Buffer>({
    path,
    noSubdir: true,
    overlappingSync: false,
    keyEncoding: 'binary',
    encoding: 'binary',
  });
  let made = Date.now() * 1000;
  const keyOf = (kind: number, length: number) => {
    const key = Buffer.alloc(Math.max(length, 9), kind);
    key.writeBigUInt64BE(BigInt((made += 1)), 1);
    return key;
  };
  const values = puts.map(({ value }) => Buffer.alloc(value, 'x'));
  return {
    commit: () =>
      db.transaction(() => {
        for (const [kind, put] of puts.entries()) db.putSync(keyOf(kind, put.key), values[kind]!);
      }),
    close: () => db.close(),
  };
}

/** From so many clients that wait for each. */
export async function lmdbLimit({ path, clients, milliseconds, puts }: LmdbLimit): Promise<Rate> {
  const engine = lmdbPuts(path, puts);
  try {
    return await rate(clients, milliseconds, engine.commit);
  } finally {
    await engine.close();
  }
}

export interface MongodbLimit {
  readonly url: string;
  readonly dbName: string;
  readonly clients: number;
  readonly milliseconds: number;
  /** Bytes of text in the two documents. */
  readonly sizes: readonly [number, number];
}

/** Majority transactions that insert two documents which nobody else touches. */
export async function mongodbLimit({ url, dbName, clients, milliseconds, sizes }: MongodbLimit): Promise<Rate> {
  const client = await new MongoClient(url).connect();
  try {
    const [one, other] = ['one', 'other'].map((name) => client.db(dbName).collection<{ text: string }>(name));
    const [first, second] = sizes.map((size) => 'x'.repeat(size));
    await one!.insertOne({ text: '' });
    await other!.insertOne({ text: '' });
    return await rate(clients, milliseconds, async () => {
      const session = client.startSession({ causalConsistency: false });
      session.startTransaction({ readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority' } });
      await one!.insertOne({ text: first! }, { session });
      await other!.insertOne({ text: second! }, { session });
      await session.commitTransaction();
      await session.endSession();
    });
  } finally {
    await client.close();
  }
}

async function rate(clients: number, milliseconds: number, transact: () => Promise<unknown>): Promise<Rate> {
  const before = process.cpuUsage();
  const began = performance.now();
  let done = 0;
  const client = async () => {
    while (performance.now() - began < milliseconds) {
      await transact();
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const { user, system } = process.cpuUsage(before);
  return { perSecond: done / ((performance.now() - began) / 1000), cpu: (user + system) / done };
}
