import { EspalierError } from '../kernel/errors.ts';
import type { Context } from '../ports/context.ts';
import type { WorkedOut } from '../ports/worked-out.ts';
import { withStructureReserved } from './reservation.ts';

/** So many times a large change is worked out on a snapshot while others go on changing the workspace. */
const FREE_PLANS = 3;
/** So many more times while others of this engine wait with changes of the structure. */
const RESERVED_PLANS = 3;

/** A change that is large for one write. */
export interface LargeChange<T> {
  readonly workspaceId: string;
  /** Thrown by `work` if it would visit more than it may. */
  readonly tooLarge: abstract new () => Error;
  /** Records that a write may visit which finds nothing worked out. */
  readonly most: number;
  /** The write. */
  readonly work: (context: Context, most: number) => Promise<T>;
  /** Works the change out on a snapshot. Null: there is nothing to work out. */
  readonly plan: (context: Context) => Promise<WorkedOut | null>;
}

/**
 * Carries out a change in one bounded write. If it is too large for that, it is first worked out on a snapshot, so that
 * no writer waits for it, and the next write is given what was worked out. If others change the workspace in between, that
 * is done anew; after some times the others of this engine wait for it. No write ever works a large change out itself.
 *
 * @throws `store-busy` if others, as in other processes, keep changing the structure
 */
export async function boundedFirst<T>(context: Context, change: LargeChange<T>): Promise<T> {
  const free = await tryTo(context, change, FREE_PLANS);
  if (free !== null) return free.result;
  const reserved = await withStructureReserved(context, change.workspaceId, (own) =>
    tryTo(own, change, RESERVED_PLANS),
  );
  if (reserved !== null) return reserved.result;
  throw new EspalierError('store-busy', 'Others keep changing the workspace: try again.');
}

/** @returns null if what was worked out was outdated each time */
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
    const workedOut = await plan(context);
    own = workedOut === null ? context : { ...context, workedOut };
    await context.yieldToEventLoop?.();
  }
}
