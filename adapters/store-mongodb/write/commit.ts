import { type ClientSession, MongoError, MongoErrorLabel } from 'mongodb';
import { EspalierError } from '../../../core/kernel/errors.ts';
import { isInterrupted, isUnavailable } from '../connection/errors.ts';

const PAUSE = 100;

/**
 * Commits. When the answer is lost, asks again until the outcome is known: the servers keep the outcome of a
 * transaction, also through a change of the primary.
 *
 * @param bound in ms
 * @throws `store-unavailable` when it is still not known
 */
export async function commit(session: ClientSession, bound: number): Promise<void> {
  const end = Date.now() + bound;
  for (;;) {
    try {
      await session.commitTransaction();
      return;
    } catch (error) {
      if (!isUnknown(error)) throw error;
      if (Date.now() > end) {
        const detail = 'The connection was lost during a write, and it is not known whether it happened.';
        throw new EspalierError('store-unavailable', detail, [], { cause: error });
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }
}

/** Also when this request was never sent: an earlier one may have been. */
function isUnknown(error: unknown): boolean {
  if (!(error instanceof MongoError)) return false;
  if (error.hasErrorLabel(MongoErrorLabel.UnknownTransactionCommitResult)) return true;
  return (
    (isUnavailable(error) || isInterrupted(error)) && !error.hasErrorLabel(MongoErrorLabel.TransientTransactionError)
  );
}
