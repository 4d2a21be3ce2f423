/** A number for people: three significant digits, or all digits of its integer part. */
export function shown(value: number): string {
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 100) return Math.round(value).toLocaleString('en-US');
  const digits = size >= 10 ? 1 : size >= 1 ? 2 : 3;
  return String(Number(value.toFixed(digits)));
}

/** A number as it is stored: four significant digits. */
export function kept(value: number): number {
  return Number(value.toPrecision(4));
}
