/** Runs something later. */
export interface Timers {
  /** Calls `run` once after so many milliseconds. @returns a function that cancels it */
  after(milliseconds: number, run: () => void): () => void;
}
