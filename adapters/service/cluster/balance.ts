/**
 * The number of connections that each worker should close after their next response, so that their clients reconnect:
 * the kernel spreads new connections unevenly over workers, and clients keep them alive.
 *
 * @param busy number of connections of each worker with a recent request
 * @returns for each worker its surplus over the mean; 0 if that is at most one
 */
export function surplus(busy: readonly number[]): number[] {
  const mean = busy.reduce((sum, own) => sum + own, 0) / busy.length;
  return busy.map((own) => (own - mean > 1 ? Math.floor(own - mean) : 0));
}
