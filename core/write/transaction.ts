import type { Structure } from '../model/workspace/structure.ts';
import type { Context } from '../ports/context.ts';
import { Journal, originOf } from './journal/journal.ts';
import { idempotent } from './idempotency/idempotency.ts';
import { withQuotas } from './quota/quota-guard.ts';
import { StructureReserved } from './reservation.ts';
import type { ReadTransaction, Transaction } from '../ports/store.ts';

/** Runs a use case that reads, on one snapshot. */
export function read<T>(context: Context, work: (tx: ReadTransaction) => Promise<T>): Promise<T> {
  return context.store.read(work);
}

/**
 * Runs a use case that writes. Every write leaves a change record in the same transaction, and an audit record if it
 * concerns access. Quotas are enforced, and the idempotency key of the call is honoured.
 */
export function write<T>(context: Context, work: (tx: Transaction) => Promise<T>): Promise<T> {
  let structures: readonly Structure[] = [];
  const run = async (once: (tx: Transaction) => Promise<T>) => {
    for (;;) {
      try {
        const result = await context.store.write(once);
        for (const structure of structures) context.recentStructures?.addWritten(structure);
        return result;
      } catch (error) {
        // What it would change was reserved for another call: it runs again when that has ended.
        if (!(error instanceof StructureReserved)) throw error;
        await error.ended;
      }
    }
  };
  const writing = async (tx: Transaction) => {
    const journal = new Journal();
    const result = await work(journal.on(withQuotas(tx, context)));
    // `effects.userId` is set by `identify` during the work.
    const origin = originOf(context);
    if (context.guards !== undefined) await journal.guard(tx, context, origin);
    await journal.append(tx, context, origin);
    if (context.onCursor !== undefined) await journal.reportCursor(tx, context.onCursor);
    structures = journal.structures;
    return result;
  };
  const { effects } = context;
  if (effects === undefined) return idempotent(context, run, writing);
  return idempotent(context, run, async (tx) => {
    effects.writes = true;
    try {
      return await writing(tx);
    } finally {
      effects.writes = false;
    }
  });
}
