import type { Transaction } from '../../ports/store.ts';

const idsOf = new WeakMap<Transaction, readonly string[]>();

/** Collects the workspaces and users that a transaction has changed, for readers who wait for their changes. */
export function recordWrittenIds(tx: Transaction, ids: readonly string[]): void {
  idsOf.set(tx, ids);
}

/** Takes out what was collected for a transaction. */
export function takeWrittenIds(tx: Transaction): readonly string[] {
  const ids = idsOf.get(tx) ?? [];
  idsOf.delete(tx);
  return ids;
}
