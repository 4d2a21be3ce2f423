import { isId } from '../../core/kernel/id.ts';
import { END_OF_TIME } from '../../core/kernel/record.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Ids } from '../../core/ports/context.ts';

/**
 * A clock of the host, which may be written in JavaScript. Calls fail with a `TypeError` for an invalid time: if it
 * were stored, leases and expiries would be compared wrongly.
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

/** Ids of the host. Calls fail with a `TypeError` for a text that is not an id: a record with it could not be found. */
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
