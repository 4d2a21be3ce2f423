/** Milliseconds since 1970, finer than `Date.now()` gives them: the same in all processes of a machine. */
export function epoch(): number {
  return performance.timeOrigin + performance.now();
}
