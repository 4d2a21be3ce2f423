import {
  MongoBulkWriteError,
  MongoError,
  MongoErrorLabel,
  MongoExpiredSessionError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoOperationTimeoutError,
  MongoServerError,
  MongoServerSelectionError,
  MongoTopologyClosedError,
} from 'mongodb';

// What an error of the driver means for what was running. A write that failed runs again if the error is transient; a
// read does if it is retryable; where the database is unavailable, both wait for a primary, and a commit may have
// happened. `store-errors.ts` maps errors to those that callers of the store get.

/** Not primary, shutting down, interrupted by a step-down, host unreachable. */
const NO_PRIMARY = new Set([6, 7, 89, 91, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436]);
/** A read cannot continue: its snapshot is too old, or the new primary never had it. */
const SNAPSHOT_GONE = new Set([239, 246]);
const DUPLICATE_KEY = 11000;
const BAD_VALUE = 2;
const WRITE_CONFLICT = 112;
const NAMESPACE_NOT_FOUND = 26;
const INDEX_NOT_FOUND = 27;
/** Another index has this name, or these fields. */
const INDEX_CONFLICTS: readonly unknown[] = [85, 86];
/** The collection or an index was renamed or dropped while a command was scanning it. */
const QUERY_PLAN_KILLED = 175;
/** The cursor of a query was ended before all documents were read: by itself, with its session, or with an index. */
const CURSOR_GONE: ReadonlySet<unknown> = new Set([43, QUERY_PLAN_KILLED, 237]);
/**
 * For a commit or another command: the server does not know the transaction, because it has ended it or never had it.
 */
const NO_SUCH_TRANSACTION = 251;
/** A command has taken longer than its `maxTimeMS`. */
const TIMED_OUT = 50;
/** System errors of a connection that the other side has closed or that was lost. */
const CONNECTION_LOST: ReadonlySet<unknown> = new Set(['EPIPE', 'ECONNRESET', 'ECONNABORTED', 'ETIMEDOUT']);
/**
 * The server has ended a command: with its session, as that of an orphaned transaction, because an operator has told it
 * to, or because the transaction has exceeded its lifetime.
 */
const INTERRUPTED: ReadonlySet<unknown> = new Set([290, 11601]);

/** A read or write relied on a cached value or an index that is not as it was. It had no effect, and runs again. */
export class StaleAssumption extends Error {
  constructor() {
    super('A cached value or an index is not as it was.');
  }
}

export const isDuplicate = (error: unknown): boolean => hasCode(error, DUPLICATE_KEY);
export const isTimedOut = (error: unknown): boolean => hasCode(error, TIMED_OUT);
/** There is no such collection or index. */
export const isMissing = (error: unknown): boolean =>
  hasCode(error, NAMESPACE_NOT_FOUND) || hasCode(error, INDEX_NOT_FOUND);
export const isIndexConflict = (error: unknown): boolean => INDEX_CONFLICTS.some((code) => hasCode(error, code));
/** The index that is the hint of a query is missing or hidden. The code has many other meanings. */
export const isHintRefused = (error: unknown): boolean =>
  hasCode(error, BAD_VALUE) && (error as Error).message.includes('hint provided does not correspond');
export const isPlanKilled = (error: unknown): boolean => hasCode(error, QUERY_PLAN_KILLED);
export const isNoSuchTransaction = (error: unknown): boolean => hasCode(error, NO_SUCH_TRANSACTION);
export const isInterrupted = (error: unknown): boolean => error instanceof MongoError && INTERRUPTED.has(error.code);
export const isCursorGone = (error: unknown): boolean => error instanceof MongoError && CURSOR_GONE.has(error.code);

function hasCode(error: unknown, code: unknown): boolean {
  return error instanceof MongoError && error.code === code;
}

/**
 * Whether it is a system error of a socket that was closed before or while the driver wrote a command. The driver
 * passes it on without an error class of its own.
 */
export function isConnectionLost(error: unknown): boolean {
  return error instanceof Error && CONNECTION_LOST.has((error as { readonly code?: unknown }).code);
}

/** Whether the transaction had no effect, and may succeed when it runs again. */
export function isTransient(error: unknown): boolean {
  if (error instanceof StaleAssumption || isConnectionLost(error)) return true;
  if (!(error instanceof MongoError)) return false;
  if (error.hasErrorLabel(MongoErrorLabel.UnknownTransactionCommitResult)) return false;
  // The driver does not label every lost connection, such as those of a pool that another command has cleared.
  if (isInterrupted(error) || isCursorGone(error) || error instanceof MongoNetworkError) return true;
  return error.hasErrorLabel(MongoErrorLabel.TransientTransactionError) || error.code === WRITE_CONFLICT;
}

/**
 * The cause of a failed bulk write in a transaction. The driver wraps a lost connection in a server error, without the
 * label `TransientTransactionError` that it gives to other commands; this adds it.
 */
export function unwrapBulkWrite(error: unknown): unknown {
  if (!(error instanceof MongoBulkWriteError)) return error;
  const cause: unknown = error.errorResponse;
  if (!(cause instanceof MongoError) || !isUnavailable(cause)) return error;
  cause.addErrorLabel(MongoErrorLabel.TransientTransactionError);
  return cause;
}

/** Whether the server has aborted the transaction itself. */
export function isAbortedByServer(error: unknown): boolean {
  return error instanceof MongoServerError && error.hasErrorLabel(MongoErrorLabel.TransientTransactionError);
}

/**
 * Whether a new snapshot may be read: the old one or a cursor on it is gone, the primary changes, or the driver has not
 * tried again.
 */
export function isRetryableRead(error: unknown): boolean {
  if (!(error instanceof MongoServerError)) return isConnectionLost(error);
  return isSnapshotGone(error) || isCursorGone(error) || NO_PRIMARY.has(Number(error.code));
}

export function isSnapshotGone(error: MongoError): boolean {
  return SNAPSHOT_GONE.has(Number(error.code));
}

/** Whether there is no primary, or the connection to it was lost. The outcome of a commit is then unknown. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof MongoServerError) return NO_PRIMARY.has(Number(error.code));
  return (
    isConnectionLost(error) ||
    error instanceof MongoServerSelectionError ||
    error instanceof MongoNetworkError ||
    error instanceof MongoNotConnectedError ||
    error instanceof MongoTopologyClosedError ||
    isOutOfTime(error) ||
    error instanceof MongoExpiredSessionError
  );
}

/** Timeouts that only occur if the URL sets `timeoutMS` or `waitQueueTimeoutMS`. */
function isOutOfTime(error: unknown): boolean {
  const isForConnection = error instanceof MongoError && error.name === 'MongoWaitQueueTimeoutError';
  return isForConnection || error instanceof MongoOperationTimeoutError;
}
