import { MongoError, MongoInvalidArgumentError, MongoServerSelectionError, MongoWriteConcernError } from 'mongodb';
import { type ErrorCode, EspalierError } from '../../../core/kernel/errors.ts';
import { uniqueOf } from './collections.ts';
import {
  isCursorGone,
  isDuplicate,
  isInterrupted,
  isNoSuchTransaction,
  isSnapshotGone,
  isTimedOut,
  isTransient,
  isUnavailable,
} from './errors.ts';

/** The changes of one transaction must fit into a part of the server's cache. */
const TOO_LARGE = 388;
const TOO_LARGE_DETAIL =
  'The write is larger than the cache of the MongoDB server allows: start mongod with a larger --wiredTigerCacheSizeGB.';
/**
 * A command exceeds the size limit of documents: reported by the server, or by the driver, whose buffer is slightly
 * larger.
 */
const COMMAND_TOO_LARGE: ReadonlySet<unknown> = new Set([10334, 'ERR_OUT_OF_RANGE']);
const COMMAND_TOO_LARGE_DETAIL =
  'This needs a command or document that is larger than MongoDB allows: add filters, or write less at once.';
const TIMED_OUT_DETAIL = 'The query has reached the time limit of the database: add filters, or use another order.';
const SNAPSHOT_GONE_DETAIL =
  'The database no longer has the snapshot of this read, as after an election: try again. For long reads, ' +
  'increase minSnapshotHistoryWindowInSeconds on the servers.';
const ENDED_DETAIL =
  'The database server ended this call early, as after an election, transactionLifetimeLimitSeconds or killOp: try ' +
  'again, or ask for less at once.';

/** The user does not exist, the password is wrong, or (8000) Atlas reports either; 391: the user has changed. */
const NOT_AUTHENTICATED: ReadonlySet<unknown> = new Set([11, 18, 391, 8000]);
const NOT_AUTHENTICATED_DETAIL =
  'MongoDB does not accept the user and password of the URL. If another database than the one in the URL has the ' +
  'user, such as admin, add authSource=admin.';
const NOT_AUTHORIZED = 13;
const NOT_AUTHORIZED_DETAIL =
  'MongoDB does not allow this: the URL must name a user with the role readWrite on the database.';

const INVALID_NAME = 73;
const INVALID_NAME_DETAIL =
  'MongoDB does not accept the name of the database in the URL: it has other characters, or too many.';
const OTHER_CASE = 13_297;
const OTHER_CASE_DETAIL =
  'The cluster has another database with the name in the URL, but for upper and lower case: MongoDB does not allow both.';

const UNREACHABLE_DETAIL = 'The database cannot be reached now.';
const NOT_INITIATED_DETAIL =
  'The MongoDB server has no configuration of its replica set yet: if that is new, run rs.initiate() once in mongosh.';

const OTHER_SET_DETAIL = 'None of the MongoDB servers that answer is in the replica set that the URL names.';
const TLS_DETAIL =
  'No TLS connection to the MongoDB server can be made: check tls, tlsCAFile and the host names of the URL.';
/** Codes of errors of certificates and of the TLS protocol in Node.js. */
const OF_TLS = /CERT|^UNABLE_TO_|^ERR_(?:TLS|SSL)_|^EPROTO$/;

/** The answer to a write was lost, or a majority of the members does not have it. */
export const UNCONFIRMED_DETAIL =
  'The database has not confirmed a write in time. It is not known whether the write was saved.';

export function unavailable(cause: unknown): EspalierError {
  return storeError('store-unavailable', detailOf(cause), cause);
}

/** Why no primary was found, if that can be told, and is not only for now. */
function detailOf(error: unknown): string {
  const reason = error instanceof MongoServerSelectionError ? error.reason : undefined;
  const servers = [...(reason?.servers.values() ?? [])];
  // The driver forgets members of other sets.
  if (servers.length === 0) return (reason?.setName ?? null) === null ? UNREACHABLE_DETAIL : OTHER_SET_DETAIL;
  // Every server answers, but the replica set was never initiated.
  if (servers.every(({ type }) => type === 'RSGhost')) return NOT_INITIATED_DETAIL;
  return servers.every(({ error: failure }) => isOfTls(failure?.cause)) ? TLS_DETAIL : UNREACHABLE_DETAIL;
}

function isOfTls(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return OF_TLS.test(String((error as { readonly code?: unknown }).code)) || error.message.includes('secure TLS');
}

export function busy(cause: unknown): EspalierError {
  const isEnded = isNoSuchTransaction(cause) || isInterrupted(cause) || isCursorGone(cause);
  const detail = isEnded ? ENDED_DETAIL : 'Other writes change the same data at the same time: try again.';
  return storeError('store-busy', detail, cause);
}

/** An error of the store port with its cause. */
export function storeError(code: ErrorCode, detail: string, cause: unknown): EspalierError {
  return new EspalierError(code, detail, [], { cause });
}

/** The lookup of a `mongodb+srv` URL failed: the system call is `querySrv` or `queryTxt` of DNS. */
function isLookupFailure(error: unknown): boolean {
  const { syscall } = error as { readonly syscall?: unknown };
  return error instanceof Error && typeof syscall === 'string' && syscall.startsWith('query');
}

/** Whether a command is too large. For a document in a bulk write the driver reports it itself, without a code. */
function isCommandTooLarge(error: unknown): boolean {
  if (error instanceof MongoInvalidArgumentError) return error.message.startsWith('Document is larger than');
  return error instanceof Error && COMMAND_TOO_LARGE.has((error as { readonly code?: unknown }).code);
}

/** The error with a code of the store port; an error that has no such code is returned unchanged. */
export function asStoreError(error: unknown): unknown {
  if (isLookupFailure(error)) return unavailable(error);
  if (isCommandTooLarge(error)) return storeError('store-busy', COMMAND_TOO_LARGE_DETAIL, error);
  if (isUnavailable(error)) return unavailable(error);
  if (!(error instanceof MongoError)) return error;
  if (isDuplicate(error)) return taken(error);
  if (error instanceof MongoWriteConcernError) return storeError('store-unavailable', UNCONFIRMED_DETAIL, error);
  if (error.code === TOO_LARGE) return storeError('store-unavailable', TOO_LARGE_DETAIL, error);
  if (NOT_AUTHENTICATED.has(error.code)) return storeError('store-unavailable', NOT_AUTHENTICATED_DETAIL, error);
  if (error.code === INVALID_NAME) return storeError('store-unavailable', INVALID_NAME_DETAIL, error);
  if (error.code === OTHER_CASE) return storeError('store-unavailable', OTHER_CASE_DETAIL, error);
  if (error.code === NOT_AUTHORIZED) return storeError('store-unavailable', NOT_AUTHORIZED_DETAIL, error);
  if (isTimedOut(error)) return storeError('store-busy', TIMED_OUT_DETAIL, error);
  if (isSnapshotGone(error)) return storeError('store-busy', SNAPSHOT_GONE_DETAIL, error);
  return isTransient(error) ? busy(error) : error;
}

/** The code for a duplicate key, by the collection and the index in the message. */
function taken(error: MongoError): EspalierError {
  const [, from = '', index = ''] = /collection: \S+\.(\w+) index: (\w+)/.exec(error.message) ?? [];
  const unique = uniqueOf(from, index);
  return unique === undefined ? busy(error) : storeError(unique.code, unique.detail, error);
}
