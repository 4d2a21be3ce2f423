import type { KvReader } from '../engine/kv.ts';
import { PREFIX } from '../engine/key-prefixes.ts';

/**
 * A store of an older release has no counters of statuses. Its columns are counted in steps, in key order; this key
 * holds the last counted key meanwhile. Invariant: the counter of a status is the number of keys of its column up to
 * that key.
 */
export const COUNTED_TO = `${PREFIX.about}counted-to`;

/** Undefined if all columns of the store are counted. */
export function countedTo(kv: KvReader): string | undefined {
  return kv.get(COUNTED_TO) as string | undefined;
}
