/** Order keys are integers within +-2^52, this far apart when there is room. */
export const GAP = 1024;
export const KEY_LIMIT = 2 ** 52;

/** A key behind the last one, or the first key of all; null when the range is used up. */
export function keyAfter(last = 0): number | null {
  return last + GAP <= KEY_LIMIT ? last + GAP : null;
}

/** A key before the first one; null when the range is used up. */
export function keyBefore(first: number): number | null {
  return first - GAP >= -KEY_LIMIT ? first - GAP : null;
}

/**
 * A key strictly between two neighbours, undefined standing for the end of the row. Null when there is
 * no room left.
 */
export function keyBetween(lower: number | undefined, upper: number | undefined): number | null {
  if (upper === undefined) return keyAfter(lower);
  if (lower === undefined) return keyBefore(upper);
  const middle = lower + Math.floor((upper - lower) / 2);
  return middle > lower ? middle : null;
}

/** Keys for a whole row, evenly apart and centred, so that there is room at both ends. */
export function spread(count: number): number[] {
  const gap = Math.max(1, Math.min(GAP, Math.floor(KEY_LIMIT / Math.max(1, count))));
  const first = -Math.floor((count - 1) / 2) * gap;
  return Array.from({ length: count }, (_, i) => first + i * gap);
}
