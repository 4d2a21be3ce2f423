/** The clock. Tests supply their own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}
