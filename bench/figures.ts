/** The arithmetic of the bench. */

/** The middle value, or the mean of the two in the middle. @throws when there is none */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value below which a share of the values lies, between two of them in proportion. @throws when there is none */
export function quantile(values: readonly number[], share: number): number {
  if (values.length === 0) throw new RangeError('There are no values to take a quantile of.');
  if (values.some((value) => !Number.isFinite(value))) throw new RangeError('A measured value is not a number.');
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)]!;
  const above = sorted[Math.ceil(at)]!;
  return below + (above - below) * (at - Math.floor(at));
}

/** The median of each field. @throws when there are no measures */
export function medians<K extends string>(measures: readonly Readonly<Record<K, number>>[]): Record<K, number> {
  const [first] = measures;
  if (first === undefined) throw new RangeError('There are no measures to take medians of.');
  const names = Object.keys(first) as K[];
  return Object.fromEntries(names.map((name) => [name, median(measures.map((each) => each[name]))])) as Record<
    K,
    number
  >;
}

/** What a figure has to keep to. */
export interface Target {
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** Whether a value keeps to it. What is not a number never does. */
export function meets(value: number, { atLeast = -Infinity, atMost = Infinity }: Target): boolean {
  return value >= atLeast && value <= atMost;
}

/**
 * By how much the lowest value grew from the middle third of a series to its last third, relative to the middle: 0 when
 * it stayed. What fills up and is emptied again, as caches are, does not count. The first third is warm-up.
 */
export function growthOfLows(series: readonly number[]): number {
  const third = Math.floor(series.length / 3);
  if (third === 0) throw new RangeError('A series of fewer than three values has no thirds.');
  return Math.min(...series.slice(-third)) / Math.min(...series.slice(third, 2 * third)) - 1;
}
