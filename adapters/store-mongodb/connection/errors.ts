import {
  MongoBulkWriteError,
  MongoError,
  MongoErrorLabel,
  MongoExpiredSessionError,
  MongoInvalidArgumentError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoOperationTimeoutError,
  MongoServerError,
  MongoServerSelectionError,
  MongoTopologyClosedError,
} from 'mongodb';
import { type ErrorCode, EspalierError } from '../../../core/kernel/errors.ts';
import { uniqueOf } from './collections.ts';

/** Not primary, shutting down, interrupted by a step-down, host unreachable. */
const NO_PRIMARY = new Set([6, 7, 89, 91, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436]);
/** A read that has begun cannot go on: what it reads is too old, or the new primary never had it. */
const SNAPSHOT_GONE = new Set([239, 246]);
const SNAPSHOT_GONE_DETAIL =
  'The database keeps what was being read no longer, as after an election or in a long read: try again.';
const DUPLICATE_KEY = 11000;
const WRITE_CONFLICT = 112;
const NAMESPACE_NOT_FOUND = 26;
const INDEX_NOT_FOUND = 27;
/** The changes of one transaction must fit into a part of the server's cache. */
const TOO_LARGE = 388;
const TOO_LARGE_DETAIL =
  'The write is larger than the cache of the MongoDB server allows: start mongod with a larger --wiredTigerCacheSizeGB.';
/** A command has taken longer than its `maxTimeMS`. */
const TIMED_OUT = 50;
/** A command is larger than a document may be, as the server says, or the driver, whose buffer is little larger. */
const COMMAND_TOO_LARGE: ReadonlySet<unknown> = new Set([10334, 'ERR_OUT_OF_RANGE']);
const COMMAND_TOO_LARGE_DETAIL =
  'This takes a command or document that is larger than MongoDB allows: ask for less, with more filters, or write less.';
const TIMED_OUT_DETAIL =
  'The database has worked on this for as long as it may: ask for less, with more filters or another order.';
/** What the system says of a connection that the other side has closed or that is gone. */
const CONNECTION_LOST: ReadonlySet<unknown> = new Set(['EPIPE', 'ECONNRESET', 'ECONNABORTED', 'ETIMEDOUT']);
/** Another process has ended the session, as of an orphaned transaction. */
const INTERRUPTED = 11601;

/** There is no such user, the password is wrong, or (8000) Atlas says so; 391: the user has changed. */
const NOT_AUTHENTICATED: ReadonlySet<unknown> = new Set([11, 18, 391, 8000]);
const NOT_AUTHENTICATED_DETAIL =
  'MongoDB does not accept the user and password of the URL. If the user is kept in another database than the one that ' +
  'the URL names, as in admin, add authSource=admin.';
const NOT_AUTHORIZED = 13;
const NOT_AUTHORIZED_DETAIL =
  'MongoDB does not allow this: the URL has to name a user who has the role readWrite on the database.';

/** A cached value that a read or write went by was out of date. It runs again; nothing of it has happened. */
export class StaleAssumption extends Error {
  constructor() {
    super('A cached value was out of date.');
  }
}

export const isDuplicate = (error: unknown): boolean => hasCode(error, DUPLICATE_KEY);
export const isTimedOut = (error: unknown): boolean => hasCode(error, TIMED_OUT);
/** There is no such collection or index. */
export const isMissing = (error: unknown): boolean =>
  hasCode(error, NAMESPACE_NOT_FOUND) || hasCode(error, INDEX_NOT_FOUND);
export const isInterrupted = (error: unknown): boolean => hasCode(error, INTERRUPTED);

function hasCode(error: unknown, code: number): boolean {
  return error instanceof MongoError && error.code === code;
}

/**
 * The driver waits for a socket to take the rest of a command, and hands on what the system says when that is closed
 * meanwhile, or was closed before: no error of its own.
 */
export function isConnectionLost(error: unknown): boolean {
  return error instanceof Error && CONNECTION_LOST.has((error as { readonly code?: unknown }).code);
}

/** Nothing of the transaction has happened, and it may work when it runs again. */
export function isTransient(error: unknown): boolean {
  if (error instanceof StaleAssumption || isConnectionLost(error)) return true;
  if (!(error instanceof MongoError)) return false;
  if (error.hasErrorLabel(MongoErrorLabel.UnknownTransactionCommitResult)) return false;
  // The driver does not label every connection that is lost, such as those of a pool that another command has cleared.
  if (isInterrupted(error) || error instanceof MongoNetworkError) return true;
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

/** Whether a new snapshot may be read: the old one is gone, the primary changes, or the driver has not tried again. */
export function isRetryableRead(error: unknown): boolean {
  if (!(error instanceof MongoServerError)) return isConnectionLost(error);
  return SNAPSHOT_GONE.has(Number(error.code)) || NO_PRIMARY.has(Number(error.code));
}

/** There is no primary, or the connection to it was lost: of a commit, the outcome is not known. */
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

/** Only where the URL sets `timeoutMS` or `waitQueueTimeoutMS`. */
function isOutOfTime(error: unknown): boolean {
  const isForConnection = error instanceof MongoError && error.name === 'MongoWaitQueueTimeoutError';
  return isForConnection || error instanceof MongoOperationTimeoutError;
}

export function unavailable(cause: unknown): EspalierError {
  return storeError('store-unavailable', 'The database cannot be reached now.', cause);
}

export function busy(cause: unknown): EspalierError {
  return storeError('store-busy', 'Others write the same at the same time: try again.', cause);
}

/** An error of the store port with what caused it. */
export function storeError(code: ErrorCode, detail: string, cause: unknown): EspalierError {
  return new EspalierError(code, detail, [], { cause });
}

/** The lookup of a `mongodb+srv` URL failed: the system call is `querySrv` or `queryTxt` of DNS. */
function isLookupFailure(error: unknown): boolean {
  const { syscall } = error as { readonly syscall?: unknown };
  return error instanceof Error && typeof syscall === 'string' && syscall.startsWith('query');
}

/** Of a document in a bulk write the driver says so by itself, without a code. */
function isCommandTooLarge(error: unknown): boolean {
  if (error instanceof MongoInvalidArgumentError) return error.message.startsWith('Document is larger than');
  return error instanceof Error && COMMAND_TOO_LARGE.has((error as { readonly code?: unknown }).code);
}

/** The error with the code of the store port; one that has no code there is given back as it is. */
export function asStoreError(error: unknown): unknown {
  if (isLookupFailure(error)) return unavailable(error);
  if (isCommandTooLarge(error)) return storeError('store-busy', COMMAND_TOO_LARGE_DETAIL, error);
  if (isUnavailable(error)) return unavailable(error);
  if (!(error instanceof MongoError)) return error;
  if (isDuplicate(error)) return taken(error);
  if (error.code === TOO_LARGE) return storeError('store-unavailable', TOO_LARGE_DETAIL, error);
  if (NOT_AUTHENTICATED.has(error.code)) return storeError('store-unavailable', NOT_AUTHENTICATED_DETAIL, error);
  if (error.code === NOT_AUTHORIZED) return storeError('store-unavailable', NOT_AUTHORIZED_DETAIL, error);
  if (isTimedOut(error)) return storeError('store-busy', TIMED_OUT_DETAIL, error);
  if (SNAPSHOT_GONE.has(Number(error.code))) return storeError('store-busy', SNAPSHOT_GONE_DETAIL, error);
  return isTransient(error) ? busy(error) : error;
}

/** The code for a duplicate key, by the collection and the index in the message. */
function taken(error: MongoError): EspalierError {
  const [, from = '', index = ''] = /collection: \S+\.(\w+) index: (\w+)/.exec(error.message) ?? [];
  const unique = uniqueOf(from, index);
  return unique === undefined ? busy(error) : storeError(unique.code, unique.detail, error);
}
