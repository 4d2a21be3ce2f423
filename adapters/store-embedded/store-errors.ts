import { EspalierError } from '../../core/kernel/errors.ts';

/** Wraps an error of lmdb, with its message as the detail. */
export function lmdbError(error: unknown, doing: string): EspalierError {
  if (error instanceof EspalierError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new EspalierError('store-unavailable', `The store failed ${doing}: ${reason}`, [], { cause: error });
}

export function closed(): EspalierError {
  return new EspalierError('store-unavailable', 'The store is closed.');
}

export function diskFull(): EspalierError {
  return new EspalierError('store-unavailable', 'There is hardly any space left on the disk of the store.');
}

export function notDurable(path: string): EspalierError {
  return new EspalierError('store-unavailable', `${path} is open in this process with "durable: false".`);
}

export function sameProcessId(): EspalierError {
  const detail =
    `Another process with the id ${process.pid} has the store open, as in another container: ` +
    'let the containers share process ids, or run this in the same one.';
  return new EspalierError('store-unavailable', detail);
}
