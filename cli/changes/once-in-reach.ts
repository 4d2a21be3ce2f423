import { setTimeout } from 'node:timers/promises';
import { EspalierError } from '../../core/kernel/errors.ts';

/** The pause before a read is repeated, in milliseconds. */
const RETRIED_AFTER = 1_000;

/**
 * Runs a read that events of a stream have led to, and repeats it while the store or the service is out of reach, as
 * the stream itself does.
 *
 * @returns whether it was completed; false if it was stopped before
 */
export async function onceInReach(read: () => Promise<void>, stop: AbortSignal): Promise<boolean> {
  while (!stop.aborted) {
    try {
      await read();
      return true;
    } catch (error) {
      if (!isOutOfReach(error)) throw error;
      await setTimeout(RETRIED_AFTER, undefined, { signal: stop }).catch(() => undefined);
    }
  }
  return false;
}

function isOutOfReach(error: unknown): boolean {
  return error instanceof EspalierError && (error.code === 'store-unavailable' || error.code === 'store-busy');
}
