import { EspalierError } from '../../kernel/errors.ts';
import type { Context } from '../../ports/context.ts';
import type { ReadTransaction } from '../../ports/store.ts';
import { read } from '../../write/transaction.ts';

/**
 * Makes a plan on a snapshot, so that no writer waits for it, and then carries it out in a write that confirms it. A
 * call that is refused costs no write.
 *
 * @param carryOut gets null if there is no plan, and makes its own: a repeated call is answered by the write alone
 */
export async function readFirst<Plan, T>(
  context: Context,
  plan: (tx: ReadTransaction) => Promise<Plan>,
  carryOut: (plan: Plan | null) => Promise<T>,
): Promise<T> {
  const made = await read(context, plan).catch((error: unknown) => {
    if (context.idempotencyKey === undefined || !(error instanceof EspalierError)) throw error;
    return null;
  });
  return carryOut(made);
}
