import * as lmdb from 'lmdb';
import type { Database } from './snapshot.ts';

/** A part of lmdb 3 that its types leave out; tested by `test/stores/embedded/open.test.ts`. */
const { allDbs } = lmdb as unknown as { readonly allDbs?: Map<string, unknown> };

/** Closes a database, and removes it from the table in which lmdb would keep it with its buffers for ever. */
export async function closeDatabase(db: Database): Promise<void> {
  await db.close();
  for (const [name, one] of allDbs ?? []) if (one === db) allDbs?.delete(name);
}
