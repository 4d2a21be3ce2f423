import { LEVEL_NAMES, LEVELS, type Level } from '../../core/model/access/level.ts';
import { ROLE_NAMES, ROLES, type Role } from '../../core/model/access/role.ts';
import { usage } from '../io/failure.ts';
import { localDay } from './dates.ts';

/** The words for levels and roles, for help and completion. Printed names are accepted too. */
export const LEVEL_WORDS: Readonly<Record<string, Level>> = { full: 400, edit: 300, comment: 200, view: 100, none: 0 };
export const ROLE_WORDS: Readonly<Record<string, Role>> = { owner: 40, admin: 30, member: 20, guest: 10 };
export const PRIORITY_WORDS: Readonly<Record<string, number>> = {
  none: 0,
  low: 100,
  medium: 200,
  high: 300,
  urgent: 400,
};

/** The level of a word, a number or a printed name. @throws a usage failure */
export function levelOf(text: string): Level {
  return oneOf(text, LEVEL_WORDS, LEVELS, LEVEL_NAMES, 'an access level');
}

/** The role of a word, a number or a printed name. @throws a usage failure */
export function roleOf(text: string): Role {
  return oneOf(text, ROLE_WORDS, ROLES, ROLE_NAMES, 'a role');
}

/** A priority by its word, or a number from 0 to 1000. @throws a usage failure */
export function priorityOf(text: string): number {
  const word = text.toLowerCase();
  if (Object.hasOwn(PRIORITY_WORDS, word)) return PRIORITY_WORDS[word]!;
  if (/^\d{1,4}$/.test(text)) return Number(text);
  throw usage(`${JSON.stringify(text)} is not a priority: ${Object.keys(PRIORITY_WORDS).join(', ')}, or 0 to 1000.`);
}

function oneOf<T extends number>(
  text: string,
  words: Readonly<Record<string, T>>,
  all: readonly T[],
  printed: Readonly<Record<T, string>>,
  what: string,
): T {
  const word = text.trim().toLowerCase();
  const named = Object.hasOwn(words, word) ? words[word] : undefined;
  const found = named ?? all.find((value) => String(value) === word || printed[value].toLowerCase() === word);
  if (found !== undefined) return found;
  throw usage(`${JSON.stringify(text)} is not ${what}: ${Object.keys(words).join(', ')} (or ${all.join(', ')}).`);
}

export function levelName(level: number): string {
  return LEVEL_NAMES[level as Level] ?? String(level);
}

export function roleName(role: number): string {
  return ROLE_NAMES[role as Role] ?? String(role);
}

export function priorityName(priority: number): string {
  if (priority === 0) return '';
  return Object.keys(PRIORITY_WORDS).find((word) => PRIORITY_WORDS[word] === priority) ?? String(priority);
}

const STEPS: readonly (readonly [limit: number, unit: number, name: string])[] = [
  [3_600_000, 60_000, 'min'],
  [86_400_000, 3_600_000, 'h'],
  [30 * 86_400_000, 86_400_000, 'd'],
];

/** A time relative to now; its day in the local time zone if it is far away. */
export function relative(time: string | null, now = Date.now()): string {
  if (time === null) return '';
  const distance = Math.abs(now - Date.parse(time));
  if (distance < 60_000) return 'now';
  const step = STEPS.find(([limit]) => distance < limit);
  if (step === undefined) return localDay(time);
  const span = `${Math.round(distance / step[1])} ${step[2]}`;
  return Date.parse(time) > now ? `in ${span}` : `${span} ago`;
}
