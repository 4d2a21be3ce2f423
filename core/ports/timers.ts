import { type OptionRule, withFunctions } from '../kernel/options.ts';

/** The most milliseconds that a timer takes: one of more would be over at once. */
export const LONGEST_TIMER = 2 ** 31 - 1;

/** Runs something later. */
export interface Timers {
  /** Calls `run` once after so many milliseconds, at most 2^31 - 1. @returns a function that cancels it */
  after(milliseconds: number, run: () => void): () => void;
}

/** What is given as timers. */
export const TIMERS: OptionRule = withFunctions('an object with a function after(milliseconds, run)', 'after');
