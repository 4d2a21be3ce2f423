import { isId } from '../../core/kernel/id.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Ids } from '../../core/ports/context.ts';

/** The year 10000, in milliseconds: times of before sort as texts. */
const END_OF_TIME = 253_402_300_800_000;

/**
 * A clock of the host, which may be written in JavaScript. Calls fail with a `TypeError` for what is no time: stored, it
 * would let leases and expiries be compared wrongly.
 */
export function hostClock(clock: Clock): Clock {
  return {
    now() {
      const now: unknown = clock.now();
      if (typeof now === 'number' && now >= 0 && now < END_OF_TIME) return now;
      throw new TypeError('clock.now() must return milliseconds since the epoch, before the year 10000.');
    },
  };
}

/** Ids of the host. Calls fail with a `TypeError` for any other text than an id: nobody would find a record with it. */
export function hostIds(ids: Ids): Ids {
  return {
    next: () => requireId('next', ids.next()),
    secret: () => requireId('secret', ids.secret()),
  };
}

function requireId(name: keyof Ids, id: unknown): string {
  if (typeof id === 'string' && isId(id) && id === id.toLowerCase()) return id;
  throw new TypeError(`ids.${name}() must return a UUID in lower case.`);
}
