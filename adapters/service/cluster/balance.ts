import type { ConnectionCounts } from '../../http/index.ts';

/**
 * The most writing connections that are gathered at the writer: with more of them, writes are faster if other workers
 * read the requests. Also how many of them a worker may end in one period, as the kernel gives a new connection to
 * whichever worker takes it first, and so one may have to be ended several times.
 */
export const MOST_GATHERED = 64;

/**
 * The number of connections that each worker should close after their next response, so that their clients reconnect:
 * the kernel spreads new connections unevenly over workers, and clients keep them alive. Writing connections go to the
 * writer, as a write costs more when it is forwarded; of all others, each worker closes its surplus over the mean.
 *
 * @param busy numbers of connections of each worker with a recent request
 * @param writer the index of the worker that writes for all; null: each writes its own
 */
export function connectionsToEnd(busy: readonly ConnectionCounts[], writer: number | null): ConnectionCounts[] {
  const writing = busy.reduce((sum, own) => sum + own.writing, 0);
  if (writer === null || writing > MOST_GATHERED) {
    const over = surplus(busy.map((own) => own.reading + own.writing));
    return busy.map((own, i) => {
      const reading = Math.min(own.reading, over[i]!);
      return { reading, writing: over[i]! - reading };
    });
  }
  const over = surplus(busy.map(({ reading }, i) => reading + (i === writer ? writing : 0)));
  return busy.map((own, i) => ({
    reading: Math.min(own.reading, over[i]!),
    writing: i === writer ? 0 : MOST_GATHERED,
  }));
}

/** By how much each count exceeds the mean; 0 if that is at most one. */
function surplus(counts: readonly number[]): number[] {
  const mean = counts.reduce((sum, own) => sum + own, 0) / counts.length;
  return counts.map((own) => (own - mean > 1 ? Math.floor(own - mean) : 0));
}
