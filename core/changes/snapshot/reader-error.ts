import { EspalierError } from '../../kernel/errors.ts';

/**
 * Carries what a reader throws as it takes an item through the transaction it is read in: a store would take the error of
 * a lost connection for one of its own.
 */
class ReaderError extends Error {
  readonly thrown: unknown;

  constructor(thrown: unknown) {
    super('The reader failed.');
    this.thrown = thrown;
  }
}

/** Waits for a reader to take an item. To be called inside of {@link withReader}. */
export async function taken(give: () => Promise<void> | void): Promise<void> {
  try {
    await give();
  } catch (error) {
    throw error instanceof EspalierError ? error : new ReaderError(error);
  }
}

/** Runs a read that gives items to a reader. @throws what the reader throws, as it is */
export function withReader<T>(read: Promise<T>): Promise<T> {
  return read.catch((error: unknown) => {
    throw error instanceof ReaderError ? error.thrown : error;
  });
}
