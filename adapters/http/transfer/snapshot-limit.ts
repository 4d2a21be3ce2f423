import type { Caller } from '../../../core/ports/context.ts';
import type { CountedAs } from '../request/user-of-caller.ts';
import { HttpError } from '../response/problem.ts';

/** How many snapshots one user may take at once, in one process. */
const MOST_AT_ONCE = 2;

/**
 * Counts a snapshot that begins. Returns what ends it.
 *
 * @throws `too-many-requests` while the user takes two, `unauthenticated` for an unknown caller
 */
export type BeginSnapshot = (caller: Caller) => Promise<() => void>;

export function snapshotLimit(countedAs: (caller: Caller) => Promise<CountedAs>): BeginSnapshot {
  const running = new Map<string, number>();
  return async (caller) => {
    const { key, refusal } = await countedAs(caller);
    if (refusal !== undefined) throw refusal;
    const others = running.get(key) ?? 0;
    if (others >= MOST_AT_ONCE) throw tooMany();
    running.set(key, others + 1);
    return () => {
      const left = running.get(key)! - 1;
      if (left === 0) running.delete(key);
      else running.set(key, left);
    };
  };
}

function tooMany(): HttpError {
  const detail = `One user takes at most ${MOST_AT_ONCE} snapshots at once: wait until one of them has ended.`;
  return new HttpError('too-many-requests', detail, { 'retry-after': '5' });
}
