import { EspalierError } from '../../core/kernel/errors.ts';

/** What the engine threw, said in the engine's words to people and by code to programs. */
export function unavailable(error: unknown, doing: string): EspalierError {
  if (error instanceof EspalierError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new EspalierError('store-unavailable', `The store failed ${doing}: ${reason}`, [], { cause: error });
}

export function closed(): EspalierError {
  return new EspalierError('store-unavailable', 'The store is closed.');
}

export function scarce(): EspalierError {
  return new EspalierError('store-unavailable', 'There is hardly any room left where the store is kept.');
}
