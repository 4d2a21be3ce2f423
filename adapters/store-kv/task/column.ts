import type { ColumnRange } from '../../../core/ports/tasks.ts';
import { integerKey } from '../engine/key.ts';
import { type Kv, type KvEntry, prefixRange, successor } from '../engine/kv.ts';
import { taskKey } from './index-keys.ts';

/** Entries of the index of a column, by order key. */
export function columnEntries(kv: Kv, workspaceKey: string, statusId: string, range: ColumnRange): readonly KvEntry[] {
  const prefix = taskKey.column(workspaceKey, statusId);
  let { from, to } = prefixRange(prefix);
  if (range.from !== undefined) {
    if (range.descending === true) to = successor(prefix + integerKey(range.from));
    else from = prefix + integerKey(range.from);
  }
  return kv.range({ from, to }, range.limit, range.descending === true);
}

/**
 * The order keys from `from` to `to` that a column has. Looks up each key: a range takes as long as several look-ups,
 * and the look-up of a free key is cached for the write to it.
 *
 * @param column the prefix of the keys of the column
 */
export function orderKeysTaken(kv: Kv, column: string, from: number, to: number): readonly number[] {
  const taken: number[] = [];
  for (let key = from; key <= to; key += 1) {
    if (kv.get(column + integerKey(key)) !== undefined) taken.push(key);
  }
  return taken;
}
