import type { Database } from './snapshot.ts';

/** A part of lmdb 3 that its types leave out; `test/stores/embedded/exit.test.ts` holds it. */
interface Environment {
  abortTxn(): void;
  resumeWriting(): void;
}

/**
 * Undoes the write transaction that is open, and lets the thread that waits for its end go on. Nothing may be done with
 * the database afterwards.
 *
 * @param depth how many transactions are open inside that of the thread
 */
export function abandonTransaction(db: Database, depth: number): void {
  const { env } = db as unknown as { readonly env: Environment };
  for (let i = 0; i < depth; i += 1) env.abortTxn();
  env.resumeWriting();
}
