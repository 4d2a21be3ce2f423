import type { Structure } from '../model/workspace/structure.ts';
import type { Context } from '../ports/context.ts';
import { Journal, originOf } from './journal.ts';
import { idempotent } from './idempotency.ts';
import { withQuotas } from './quota-guard.ts';
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
    const result = await writeUnreserved(context, once);
    for (const structure of structures) context.recentStructures?.addWritten(structure);
    return result;
  };
  return idempotent(context, run, async (tx) => {
    const journal = new Journal();
    const result = await work(journal.on(withQuotas(tx, context)));
    // `effects.userId` is set by `identify` during the work.
    const origin = originOf(context);
    await journal.guard(tx, context, origin);
    await journal.append(tx, context, origin);
    if (context.onCursor !== undefined) await journal.tellCursor(tx, context.onCursor);
    structures = journal.structures;
    return result;
  });
}

/** Runs a write again when what it would change is no longer reserved for another call. */
async function writeUnreserved<T>({ store }: Context, work: (tx: Transaction) => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await store.write(work);
    } catch (error) {
      if (!(error instanceof StructureReserved)) throw error;
      await error.ended;
    }
  }
}
