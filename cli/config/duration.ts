import { usage } from '../io/failure.ts';

/** Seconds of each unit. */
const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** The seconds that a whole number with a unit of s, m, h or d stands for; NaN for any other text. */
export function secondsIn(text: string): number {
  const [, number, unit] = /^(\d{1,12})([smhd])$/.exec(text) ?? [];
  return Number(number) * (UNITS[unit ?? ''] ?? NaN);
}

/**
 * Reads a duration like `30d`: a whole number with a unit of s, m, h or d; or 0.
 *
 * @param from the source of the value, for the message
 * @param most the longest duration, in seconds
 * @returns seconds
 * @throws a usage failure
 */
export function parseDuration(value: string, from: string, most: number): number {
  const seconds = value === '0' ? 0 : secondsIn(value);
  if (Number.isNaN(seconds) || seconds > most) {
    throw usage(
      `${from} must be 0 or a time such as 30d, 12h, 90m or 45s, up to ${most / UNITS['d']!}d, not ${value}.`,
    );
  }
  return seconds;
}
