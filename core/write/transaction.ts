import type { Context } from '../ports/context.ts';
import { Journal, originOf } from './journal.ts';
import { idempotent } from './idempotency.ts';
import { withQuotas } from './quota-guard.ts';
import type { ReadTransaction, Transaction } from '../ports/store.ts';

/** Runs a reading use case on one snapshot. */
export function read<T>(context: Context, work: (tx: ReadTransaction) => Promise<T>): Promise<T> {
  return context.store.read(work);
}

/**
 * Runs a writing use case. Every record it writes leaves a change record in the same transaction, and an
 * audit record where it says who may do what. What is above a quota is refused. A call that is to happen once
 * happens once.
 */
export function write<T>(context: Context, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const run = (once: (tx: Transaction) => Promise<T>) => context.store.write(once);
  return idempotent(context, run, async (tx) => {
    const journal = new Journal();
    const result = await work(journal.on(withQuotas(tx, context)));
    // The work has found out who calls.
    await journal.append(tx, context, originOf(context));
    return result;
  });
}
