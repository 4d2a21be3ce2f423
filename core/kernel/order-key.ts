/** The usual distance between neighbouring order keys, which are integers within +-2^52. */
export const GAP = 1024;
export const KEY_LIMIT = 2 ** 52;

/** A key after the last one, or the first key of all; null at the end of the range. */
export function keyAfter(last = 0): number | null {
  return last + GAP <= KEY_LIMIT ? last + GAP : null;
}

/** A key before the first one; null at the start of the range. */
export function keyBefore(first: number): number | null {
  return first - GAP >= -KEY_LIMIT ? first - GAP : null;
}

/** A key strictly between two neighbours; undefined stands for an end of the list. Null if there is no room. */
export function keyBetween(lower: number | undefined, upper: number | undefined): number | null {
  if (upper === undefined) return keyAfter(lower);
  if (lower === undefined) return keyBefore(upper);
  const middle = lower + Math.floor((upper - lower) / 2);
  return middle > lower ? middle : null;
}

/**
 * The key for the first, or the last, of `slots` items that are inserted in order between two neighbours; undefined
 * stands for an end of the list. Keys are at least 2 apart. Null if there is no room.
 */
export function keyForSlot(
  lower: number | undefined,
  upper: number | undefined,
  slots: number,
  slot: 'first' | 'last',
): number | null {
  const nth = slot === 'first' ? 1 : slots;
  if (lower !== undefined && upper !== undefined) {
    const gap = Math.floor((upper - lower) / (slots + 1));
    if (gap < 2) return null;
    return slot === 'first' ? lower + gap : upper - Math.ceil((upper - lower) / (slots + 1));
  }
  if (upper !== undefined) {
    const gap = Math.min(GAP, Math.floor((upper + KEY_LIMIT) / slots));
    return gap < 2 ? null : upper - gap * (slots + 1 - nth);
  }
  const gap = Math.min(GAP, Math.floor((KEY_LIMIT - (lower ?? 0)) / slots));
  return gap < 2 ? null : (lower ?? 0) + gap * nth;
}

/** The keys of `count` items between two neighbours, in order, as {@link keyForSlot} gives them one by one. */
export function keysBetween(lower: number | undefined, upper: number | undefined, count: number): number[] | null {
  const first = keyForSlot(lower, upper, count, 'first');
  if (first === null) return null;
  const gap = lower === undefined && upper !== undefined ? Math.floor((upper - first) / count) : first - (lower ?? 0);
  return Array.from({ length: count }, (_, n) => first + gap * n);
}

/** Keys for a whole list, evenly spaced and centred on 0, with room at both ends. */
export function spread(count: number): number[] {
  const gap = Math.max(1, Math.min(GAP, Math.floor(KEY_LIMIT / Math.max(1, count))));
  const first = -Math.floor((count - 1) / 2) * gap;
  return Array.from({ length: count }, (_, i) => first + i * gap);
}

/**
 * Distinct keys in the order of these, which are sorted. A key that is not above the one before is raised; where that
 * would pass the limit, the list is spread anew.
 */
export function distinctKeys(sorted: readonly number[]): readonly number[] {
  const keys: number[] = [];
  for (const key of sorted) keys.push(Math.max(key, (keys.at(-1) ?? -Infinity) + 1));
  return (keys.at(-1) ?? 0) > KEY_LIMIT ? spread(keys.length) : keys;
}
