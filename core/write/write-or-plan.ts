import { EspalierError } from '../kernel/errors.ts';
import type { Context } from '../ports/context.ts';
import type { Precomputed } from '../ports/precomputed.ts';
import { withStructureReserved } from './reservation.ts';

/** How often a large change is planned on a snapshot while others go on changing the workspace. */
const FREE_PLANS = 3;
/** How often it is planned again while others of this engine wait with changes of the structure. */
const RESERVED_PLANS = 3;

/** A change that is large for one write. */
export interface LargeChange<T> {
  readonly workspaceId: string;
  /** Thrown by `work` if it would visit more than it may. */
  readonly tooLarge: abstract new () => Error;
  /** The most records that a write without a plan may visit. */
  readonly most: number;
  /** The write. */
  readonly work: (context: Context, most: number) => Promise<T>;
  /** Plans the change on a snapshot. Null: there is nothing to plan. */
  readonly plan: (context: Context) => Promise<Precomputed | null>;
}

/**
 * Carries out a change in one bounded write. A change that is too large for that is first planned on a snapshot, which
 * no writer waits for, and the next write applies the plan. If others change the workspace in between, it is planned
 * again; after some attempts the others of this engine wait for it. No write ever computes a large change itself.
 *
 * @throws `store-busy` if others, as in other processes, keep changing the structure
 */
export async function writeOrPlan<T>(context: Context, change: LargeChange<T>): Promise<T> {
  const free = await tryTo(context, change, FREE_PLANS);
  if (free !== null) return free.result;
  const reserved = await withStructureReserved(context, change.workspaceId, (own) =>
    tryTo(own, change, RESERVED_PLANS),
  );
  if (reserved !== null) return reserved.result;
  throw new EspalierError('store-busy', 'Other writes keep changing the workspace: try again.');
}

/** @returns null if the plan was outdated each time */
async function tryTo<T>(
  context: Context,
  { tooLarge, most, work, plan }: LargeChange<T>,
  plans: number,
): Promise<{ readonly result: T } | null> {
  let own = context;
  for (let planned = 0; ; planned += 1) {
    try {
      return { result: await work(own, most) };
    } catch (error) {
      if (!(error instanceof tooLarge)) throw error;
    }
    if (planned === plans) return null;
    const precomputed = await plan(context);
    own = precomputed === null ? context : { ...context, precomputed };
    await context.yieldToEventLoop?.();
  }
}
