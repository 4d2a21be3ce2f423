import type { Database } from './snapshot.ts';

/** A part of lmdb 3 that its types leave out; tested by `test/stores/embedded/crash/exit.test.ts`. */
interface AbortableEnvironment {
  abortTxn(): void;
  resumeWriting(): void;
}

/**
 * Aborts the open write transaction and releases lmdb's writer thread, which waits for its end. The database must not
 * be used afterwards.
 *
 * @param depth the number of open nested transactions
 */
export function abandonTransaction(db: Database, depth: number): void {
  const { env } = db as unknown as { readonly env: AbortableEnvironment };
  for (let i = 0; i < depth; i += 1) env.abortTxn();
  env.resumeWriting();
}
