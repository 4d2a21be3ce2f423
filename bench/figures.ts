/** The arithmetic of the bench. */

/** The median: the middle value, or the mean of the two in the middle. @throws without values */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/**
 * The quantile: the value below which a share of the values lies, interpolated linearly.
 *
 * @throws without values, or if one is not finite
 */
export function quantile(values: readonly number[], share: number): number {
  if (values.length === 0) throw new RangeError('There are no values to take a quantile of.');
  if (values.some((value) => !Number.isFinite(value))) throw new RangeError('A measured value is not a number.');
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)]!;
  const above = sorted[Math.ceil(at)]!;
  return below + (above - below) * (at - Math.floor(at));
}

/** The median of each field. @throws without measures */
export function medians<K extends string>(measures: readonly Readonly<Record<K, number>>[]): Record<K, number> {
  const [first] = measures;
  if (first === undefined) throw new RangeError('There are no measures to take medians of.');
  const names = Object.keys(first) as K[];
  return Object.fromEntries(names.map((name) => [name, median(measures.map((each) => each[name]))])) as Record<
    K,
    number
  >;
}

/** The bounds of a figure. */
export interface Target {
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** Whether a value is within the bounds. NaN never is. */
export function meets(value: number, { atLeast = -Infinity, atMost = Infinity }: Target): boolean {
  return value >= atLeast && value <= atMost;
}

/**
 * The relative growth of the lowest value from the middle third of a series to its last third; 0 without growth. Memory
 * that fills up and is freed again, such as caches, does not count. The first third is warm-up.
 */
export function growthOfLows(series: readonly number[]): number {
  const third = Math.floor(series.length / 3);
  if (third === 0) throw new RangeError('A series of fewer than three values has no thirds.');
  return Math.min(...series.slice(-third)) / Math.min(...series.slice(third, 2 * third)) - 1;
}
