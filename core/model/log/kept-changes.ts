import { type OptionRule, requireOptions } from '../../kernel/options.ts';

/**
 * How much of the change log of each workspace to keep. Changes beyond either bound are removed, oldest first. Null: no
 * bound.
 */
export interface KeepChanges {
  /** From 1,000 to a hundred years. Default: 30 days. */
  readonly milliseconds?: number | null;
  /** From 1. Default: 1,000,000; of a store in memory 100,000. */
  readonly count?: number | null;
}

/** The bounds in force. Infinity: none. */
export interface KeptChanges {
  readonly milliseconds: number;
  readonly count: number;
}

const DEFAULTS = { milliseconds: 30 * 86_400_000, count: 1_000_000 };
const MAX_MILLISECONDS = 100 * 366 * 86_400_000;

const RULES: Readonly<Record<keyof KeepChanges, OptionRule>> = {
  milliseconds: [
    (value) => isWhole(value, 1_000, MAX_MILLISECONDS),
    `must be a whole number from 1000 to ${MAX_MILLISECONDS}, or null`,
  ],
  count: [(value) => isWhole(value, 1, Number.MAX_SAFE_INTEGER), 'must be a whole number from 1, or null'],
};

/** @param given by precedence: the first that sets a bound decides it */
export function keptChanges(...given: readonly (KeepChanges | undefined)[]): KeptChanges {
  const bound = (name: keyof KeepChanges): number => {
    const set = given.find((one) => one?.[name] !== undefined)?.[name];
    return set === undefined ? DEFAULTS[name] : (set ?? Infinity);
  };
  return { milliseconds: bound('milliseconds'), count: bound('count') };
}

/** @throws `invalid-input` for anything but whole numbers within bounds, and null, and for other names */
export function requireKeepChanges(given: KeepChanges): void {
  requireOptions(given, RULES, [], '/keepChanges');
}

function isWhole(value: unknown, least: number, most: number): boolean {
  if (value === null) return true;
  return Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most;
}
