import { MongoClient } from 'mongodb';
import { eventually } from '../../../fixtures/mongodb/mongod.ts';

/** Resolves when a majority has taken a write of the driver alone, tried again and again: what a service may hope for. */
export async function bareWrite(url: string): Promise<void> {
  await eventually(async () => {
    const client = new MongoClient(url, { serverSelectionTimeoutMS: 1_000, connectTimeoutMS: 1_000 });
    try {
      const probe = client.db('bare').collection('probe', { writeConcern: { w: 'majority' } });
      await probe.insertOne({}, { maxTimeMS: 30_000 });
    } finally {
      await client.close();
    }
  }, 60_000);
}
