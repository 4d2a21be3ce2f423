import { EspalierError } from '../../kernel/errors.ts';
import type { Context } from '../../ports/context.ts';
import type { ReadTransaction } from '../../ports/store.ts';
import { read } from '../../write/transaction.ts';

/** How often a plan is made on a snapshot. */
const TRIES = 3;

/** The data that a plan was made from has changed: it must be made again. */
class PlanOutdated extends Error {}

/**
 * Makes a plan on a snapshot, so that no writer waits for it, and then carries it out in a write that confirms it. A
 * call that is refused costs no write. Where others change what a plan was made from, it is made again, twice on
 * another snapshot and at last inside the write. `writeOrPlan` writes first instead, for changes that are mostly small.
 *
 * @param carryOut gets null if there is no plan, and makes its own: a repeated call is answered by the write alone. It
 *   calls `outdated` if the plan is no longer valid, which ends the write or returns null
 */
export async function planThenWrite<Plan, T>(
  context: Context,
  plan: (tx: ReadTransaction) => Promise<Plan>,
  carryOut: (plan: Plan | null, outdated: () => null) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const made = await read(context, plan).catch((error: unknown) => {
      if (context.idempotencyKey === undefined || !(error instanceof EspalierError)) throw error;
      return null;
    });
    try {
      return await carryOut(made, () => {
        if (tries === TRIES) return null;
        throw new PlanOutdated();
      });
    } catch (error) {
      if (!(error instanceof PlanOutdated)) throw error;
    }
  }
}
