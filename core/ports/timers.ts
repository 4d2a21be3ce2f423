/** The most milliseconds that a timer takes: one of more would be over at once. */
export const LONGEST_TIMER = 2 ** 31 - 1;

/** Runs something later. */
export interface Timers {
  /** Calls `run` once after so many milliseconds, at most 2^31 - 1. @returns a function that cancels it */
  after(milliseconds: number, run: () => void): () => void;
}
