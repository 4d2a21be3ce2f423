import { cursorIn } from './list-cursor.ts';
import type { Slice } from './record.ts';

/**
 * Cuts a list that was read with `limit + 1`: the first `limit` items, and the cursor after which the next page starts.
 *
 * @param list its key
 */
export function sliceOf<T extends { readonly id: string }>(found: readonly T[], limit: number, list: string): Slice<T> {
  const items = found.slice(0, limit);
  const last = found.length > limit ? items.at(-1) : undefined;
  return { items, next: last === undefined ? null : cursorIn(list, last.id) };
}
