import { usage } from '../io/failure.ts';

const DAY = 86_400_000;
const UNITS: Readonly<Record<string, number>> = { min: 60_000, h: 3_600_000, d: DAY, w: 7 * DAY };
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const NEAR: Readonly<Record<string, number>> = { yesterday: -1, today: 0, tomorrow: 1 };

/** `Date.parse` accepts more: it reads a month in 2026-03-31junk, and ignores text in parentheses. */
const TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?( ?(Z|[+-]\d{2}:?\d{2}))?$/i;

/** The forms of a date, for help and messages. */
export const DATE_FORMS = 'YYYY-MM-DD, today, tomorrow, fri, +3d, -2w';
/** The forms of a time in the past. */
export const PAST_FORMS = '2026-03-31T12:00:00Z, YYYY-MM-DD, today, 1h, 7d, 2w';
/** The forms of a time in the future. */
export const FUTURE_FORMS = '2026-03-31T12:00:00Z, YYYY-MM-DD, tomorrow, 12h, 7d, 2w';

/**
 * A date as `YYYY-MM-DD`. Words and offsets are relative to today in the local time zone; the name of a weekday, or its
 * first three letters, is the next one after today.
 *
 * @param flag name of the option, for the error
 * @throws a usage failure for anything else. Whether a date in digits exists is checked by the engine
 */
export function dateOf(text: string, flag: string, now = Date.now()): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return text;
  const distance = daysTo(text.toLowerCase(), now);
  if (distance === undefined) throw usage(`${flag} takes a date, not ${JSON.stringify(text)}: ${DATE_FORMS}.`);
  return dayIn(distance, now);
}

/**
 * A time as ISO 8601. Accepts ISO 8601, a date (its local midnight), or an offset.
 *
 * @param direction the direction of an offset without a sign
 * @throws a usage failure for anything else
 */
export function timeOf(text: string, flag: string, direction: 'ago' | 'ahead', now = Date.now()): string {
  const [, sign, number, unit] = /^([+-]?)(\d{1,5})(min|h|d|w)$/.exec(text.toLowerCase()) ?? [];
  if (unit !== undefined) {
    const forwards = sign === '' ? direction === 'ahead' : sign === '+';
    return new Date(now + (forwards ? 1 : -1) * Number(number) * UNITS[unit]!).toISOString();
  }
  const distance = daysTo(text.toLowerCase(), now);
  const day = distance === undefined ? (/^\d{4}-\d{2}-\d{2}$/.test(text) ? text : undefined) : dayIn(distance, now);
  // Without a time zone it is local time.
  const at = Date.parse(day === undefined ? (TIME.exec(text)?.[0] ?? '') : `${day}T00:00:00`);
  if (!Number.isNaN(at) && beginsWithDay(day ?? text)) return new Date(at).toISOString();
  const forms = direction === 'ago' ? PAST_FORMS : FUTURE_FORMS;
  throw usage(`${flag} takes a time, not ${JSON.stringify(text)}: ${forms}.`);
}

/**
 * Whether the time begins with this day. It does not if the day does not exist: `Date.parse` reads the 31st of a
 * shorter month as the 1st of the next.
 */
function beginsWithDay(text: string): boolean {
  const day = text.slice(0, 10);
  const at = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
}

/** The offset in days from today; undefined for any other word. */
function daysTo(word: string, now: number): number | undefined {
  if (Object.hasOwn(NEAR, word)) return NEAR[word];
  const [, sign, number, unit] = /^([+-])(\d{1,4})([dw])$/.exec(word) ?? [];
  if (unit !== undefined) return (sign === '-' ? -1 : 1) * Number(number) * (unit === 'w' ? 7 : 1);
  const weekday = WEEKDAYS.findIndex((name) => word === name || word === name.slice(0, 3));
  return weekday === -1 ? undefined : ((weekday - new Date(now).getDay() + 6) % 7) + 1;
}

/** The day of a time in the local time zone, as `YYYY-MM-DD`. */
export function localDay(time: string): string {
  return dayIn(0, Date.parse(time));
}

/** Counts calendar days, as some are not 24 hours long. */
function dayIn(days: number, now: number): string {
  const today = new Date(now);
  const day = new Date(Date.UTC(today.getFullYear(), today.getMonth(), today.getDate() + days));
  return day.toISOString().slice(0, 10);
}
