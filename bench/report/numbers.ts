/** A number as people read it: three digits that count, or all of a whole number. */
export function shown(value: number): string {
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 100) return Math.round(value).toLocaleString('en-US');
  const digits = size >= 10 ? 1 : size >= 1 ? 2 : 3;
  return String(Number(value.toFixed(digits)));
}

/** As it is kept: four digits that count. */
export function kept(value: number): number {
  return Number(value.toPrecision(4));
}
