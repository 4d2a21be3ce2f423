import { randomFillSync } from 'node:crypto';
import { v4, v7 } from 'uuid';
import type { Ids } from '../../core/ports/context.ts';

const BYTES_OF_ONE = 16;

/** Makes UUIDs. Random bytes are fetched for many at once, as the system call dominates the cost. */
export function uuids(): Ids {
  const pool = new Uint8Array(BYTES_OF_ONE * 256);
  let used = pool.length;
  let msecs = -Infinity;
  let seq = 0;
  const random = () => {
    if (used === pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    return pool.subarray(used, (used += BYTES_OF_ONE));
  };
  return {
    next() {
      const now = Date.now();
      const fresh = random();
      if (now > msecs) [msecs, seq] = [now, new DataView(fresh.buffer, fresh.byteOffset).getUint32(0) >>> 1];
      // Within a millisecond, and if the clock is set back, the counter is incremented (RFC 9562, section 6.2).
      else if (++seq > 0xffffffff) [msecs, seq] = [msecs + 1, 0];
      return v7({ msecs, seq, random: fresh });
    },
    secret: () => v4(),
  };
}
