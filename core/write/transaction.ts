import type { Structure } from '../model/workspace/structure.ts';
import type { Context } from '../ports/context.ts';
import { Journal, originOf } from './journal/journal.ts';
import { idempotent, type WriteResult } from './idempotency/idempotency.ts';
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
export async function write<T>(context: Context, work: (tx: Transaction) => Promise<T>): Promise<T> {
  let structures: readonly Structure[] = [];
  const run = async (once: (tx: Transaction) => Promise<WriteResult<T>>) => {
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
  const writing = async (tx: Transaction): Promise<WriteResult<T>> => {
    const journal = new Journal();
    const output = await work(journal.on(withQuotas(tx, context), context));
    // `effects.userId` is set by `identify` during the work.
    const origin = originOf(context);
    if (context.guards !== undefined) await journal.guard(tx, context, origin);
    await journal.append(tx, context, origin);
    const cursor = context.onCursor === undefined ? undefined : await journal.cursorAfter(tx);
    structures = journal.structures;
    return { output, cursor };
  };
  const { effects } = context;
  const marked = async (tx: Transaction) => {
    if (effects === undefined) return writing(tx);
    effects.writes = true;
    try {
      return await writing(tx);
    } finally {
      effects.writes = false;
    }
  };
  const { output, cursor } = await idempotent(context, run, marked);
  if (cursor !== undefined) context.onCursor?.(cursor);
  return output;
}
