import type { Context } from '../ports/context.ts';

/** From so many snapshots a large change is worked out until it is worked out in its transaction. */
const MOST_PLANS = 3;

/**
 * Carries out a change in one bounded write. If it is too large for that, it is first worked out on a snapshot, so that
 * no writer waits for it, and the next write finds what was worked out; if others change the workspace in between, that
 * is done anew.
 *
 * @param most records that a write may visit which finds nothing worked out
 * @param work the write, with the most records that it may visit; throws a `tooLarge` for more
 * @param plan works the change out on a snapshot, and keeps it
 */
export async function boundedFirst<T>(
  { yieldToEventLoop }: Context,
  tooLarge: abstract new () => Error,
  most: number,
  work: (most: number) => Promise<T>,
  plan: () => Promise<void>,
): Promise<T> {
  for (let plans = 0; plans < MOST_PLANS; plans += 1) {
    try {
      return await work(most);
    } catch (error) {
      if (!(error instanceof tooLarge)) throw error;
    }
    await plan();
    await yieldToEventLoop?.();
  }
  return work(Infinity);
}
