/** What time it is. Tests give their own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}
