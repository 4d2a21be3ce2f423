import { cursorIn } from './list-cursor.ts';
import type { Slice } from './record.ts';

/**
 * Makes a slice of a list that was read with `limit + 1`: the first `limit` items, and the cursor of the next slice.
 *
 * @param list key of the list
 */
export function sliceOf<T extends { readonly id: string }>(found: readonly T[], limit: number, list: string): Slice<T> {
  const items = found.slice(0, limit);
  const last = found.length > limit ? items.at(-1) : undefined;
  return { items, next: last === undefined ? null : cursorIn(list, last.id) };
}
