import type { Transaction } from '../ports/store.ts';

const idsOf = new WeakMap<Transaction, readonly string[]>();

/** Notes the workspaces and users that a transaction has written about, for those who wait for changes of them. */
export function noteWritten(tx: Transaction, ids: readonly string[]): void {
  idsOf.set(tx, ids);
}

/** What was noted of a transaction. It is noted no longer. */
export function takeWritten(tx: Transaction): readonly string[] {
  const ids = idsOf.get(tx) ?? [];
  idsOf.delete(tx);
  return ids;
}
