/**
 * How many connections each worker is to end after their next answer, so that their clients connect anew: workers accept
 * whatever they are woken for, and a client that keeps its connection would stay with a worker that has too many.
 *
 * @param busy connections of each worker that had a request lately
 * @returns for each worker how many it has above the mean; 0 where that is at most one
 */
export function surplus(busy: readonly number[]): number[] {
  const mean = busy.reduce((sum, own) => sum + own, 0) / busy.length;
  return busy.map((own) => (own - mean > 1 ? Math.floor(own - mean) : 0));
}
