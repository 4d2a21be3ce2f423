import type { Document } from 'mongodb';
import { rawDatabase } from '../../../fixtures/mongodb/mongodb.ts';

/** How many documents each query of the work read; those that read none are left out. */
export async function documentsExamined(name: string, work: () => Promise<void>): Promise<number[]> {
  return (await profiled(name, work)).map((query) => query['docsExamined'] as number);
}

/** What the server says of each query of the work that read a document. */
export async function profiled(name: string, work: () => Promise<void>): Promise<Document[]> {
  const db = await rawDatabase(name);
  await db.dropCollection('system.profile').catch(() => false);
  await db.command({ profile: 2 });
  await work();
  await db.command({ profile: 0 });
  return db
    .collection('system.profile')
    .find({ docsExamined: { $gt: 0 } })
    .toArray();
}
