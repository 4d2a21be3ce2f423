import { integerKey, lastInteger } from '../engine/key.ts';
import { type KvRange, type KvReader, prefixRange, scan } from '../engine/kv.ts';
import type { Yielder } from '../../event-loop/yield.ts';

/** Units of work that it takes to read an entry of an index: less than a record. */
export const ENTRY = 0.25;

/** Running numbers whose entries are counted at once: some hundredths of a millisecond. */
const BLOCK = 1_024;
const COUNTED = 4;

/** Counts the entries of a range, which it reads. */
export async function countEntries(kv: KvReader, range: KvRange, yielder: Yielder): Promise<number> {
  let count = 0;
  if (range.from >= range.to) return count;
  for (const _entry of scan(kv, range)) {
    count += 1;
    const pause = yielder.step(ENTRY);
    if (pause !== null) await pause;
  }
  return count;
}

/** Counts the entries whose keys are this prefix and a running number. It reads one of each block that has any. */
export async function countNumbered(kv: KvReader, prefix: string, yielder: Yielder): Promise<number> {
  const { to } = prefixRange(prefix);
  let count = 0;
  let from = prefix;
  for (;;) {
    const [first] = kv.range({ from, to }, 1, false);
    if (first === undefined) return count;
    from = prefix + integerKey(lastInteger(first[0]) + BLOCK);
    count += kv.count({ from: first[0], to: from });
    const pause = yielder.step(COUNTED);
    if (pause !== null) await pause;
  }
}
