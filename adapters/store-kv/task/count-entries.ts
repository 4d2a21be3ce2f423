import { ENTRY_COST } from '../engine/costs.ts';
import { integerKey, lastInteger } from '../engine/key.ts';
import { type KvRange, type KvReader, prefixRange, scan } from '../engine/kv.ts';
import type { Yielder } from '../../../core/ports/yielder.ts';

/** The width of a block of running numbers that is counted at once: some hundredths of a millisecond. */
const BLOCK = 1_024;
const STEPS_PER_BLOCK = 4;

/** Counts the entries of a range by reading them, up to `most`. */
export async function countEntries(kv: KvReader, range: KvRange, yielder: Yielder, most = Infinity): Promise<number> {
  let count = 0;
  if (range.from >= range.to) return count;
  for (const _entry of scan(kv, range)) {
    count += 1;
    if (count >= most) return count;
    const pause = yielder.step(ENTRY_COST);
    if (pause !== null) await pause;
  }
  return count;
}

/**
 * Counts the entries whose keys are this prefix and a running number, up to about `most`. It reads only one entry of each
 * non-empty block.
 */
export async function countNumbered(kv: KvReader, prefix: string, yielder: Yielder, most = Infinity): Promise<number> {
  const { to } = prefixRange(prefix);
  let count = 0;
  let from = prefix;
  for (;;) {
    const [first] = kv.range({ from, to }, 1, false);
    if (first === undefined || count >= most) return count;
    from = prefix + integerKey(lastInteger(first[0]) + BLOCK);
    count += kv.count({ from: first[0], to: from });
    const pause = yielder.step(STEPS_PER_BLOCK);
    if (pause !== null) await pause;
  }
}
