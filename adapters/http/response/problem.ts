import { STATUS_CODES } from 'node:http';
import { EspalierError, type ErrorCode, type FieldError } from '../../../core/kernel/errors.ts';
import type { ResponseHeaders, Reply } from './reply.ts';

/** Errors of a request that does not reach a use case. */
export type HttpErrorCode =
  | 'precondition-required'
  | 'too-many-requests'
  | 'method-not-allowed'
  | 'not-acceptable'
  | 'content-too-large'
  | 'unsupported-media-type'
  | 'internal';

export type ProblemCode = ErrorCode | HttpErrorCode;

/** The HTTP status of every error code. The only such table. */
export const STATUS: Readonly<Record<ProblemCode, number>> = {
  'invalid-input': 400,
  unauthenticated: 401,
  forbidden: 403,
  'impersonation-off': 403,
  'own-email': 403,
  'not-found': 404,
  'method-not-allowed': 405,
  'not-acceptable': 406,
  'alias-taken': 409,
  'already-member': 409,
  'board-without-status': 409,
  'column-crowded': 409,
  'copy-failed': 409,
  'email-taken': 409,
  'external-id-taken': 409,
  'guard-refused': 409,
  'has-parent': 409,
  'hidden-content': 409,
  'identity-taken': 409,
  'last-administrator': 409,
  'last-owner': 409,
  'limit-reached': 409,
  'link-cycle': 409,
  'owner-access': 409,
  'page-cycle': 409,
  'page-has-content': 409,
  'quota-exceeded': 409,
  'replay-hidden': 409,
  'secret-not-kept': 409,
  'being-removed': 409,
  'board-in-trash': 409,
  'status-not-empty': 409,
  'tag-name-taken': 409,
  'task-has-page': 409,
  'workspace-exists': 409,
  'invitation-unusable': 410,
  'cursor-expired': 410,
  'count-mismatch': 412,
  'version-mismatch': 412,
  'content-too-large': 413,
  'unsupported-media-type': 415,
  'key-reused': 422,
  'too-many': 422,
  'unusable-reference': 422,
  'precondition-required': 428,
  'too-many-requests': 429,
  internal: 500,
  'issuer-unavailable': 503,
  'snapshot-incomplete': 503,
  'store-busy': 503,
  'store-unavailable': 503,
};

/** Thrown for a request that is refused before it reaches a use case. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly code: HttpErrorCode;
  readonly headers: ResponseHeaders;

  constructor(code: HttpErrorCode, detail: string, headers: ResponseHeaders = {}) {
    super(detail);
    this.code = code;
    this.headers = headers;
  }
}

export function badRequest(detail: string, errors: readonly FieldError[] = []): EspalierError {
  return new EspalierError('invalid-input', detail, errors);
}

const HEADERS_OF: Readonly<Partial<Record<ProblemCode, ResponseHeaders>>> = {
  'column-crowded': { 'retry-after': '1' },
  'issuer-unavailable': { 'retry-after': '5' },
  'snapshot-incomplete': { 'retry-after': '1' },
  'store-busy': { 'retry-after': '1' },
  'store-unavailable': { 'retry-after': '5' },
};

/** RFC 6750, section 3: `error="invalid_token"` only when the request carried a token. */
const challenge = (hasToken: boolean): ResponseHeaders => ({
  'www-authenticate': hasToken ? 'Bearer realm="espalier", error="invalid_token"' : 'Bearer realm="espalier"',
});

/**
 * The problem response of an error. Unexpected errors reveal nothing.
 *
 * @param hasToken whether the request has an Authorization header
 */
export function problemOf(error: unknown, hasToken = false): Reply & { readonly code: ProblemCode } {
  if (error instanceof EspalierError) {
    const headers = error.code === 'unauthenticated' ? challenge(hasToken) : {};
    return problem(error.code, error.detail, error.errors, headers);
  }
  if (error instanceof HttpError) return problem(error.code, error.message, [], error.headers);
  return problem('internal', 'The service failed unexpectedly. The error is in its log.');
}

function problem(
  code: ProblemCode,
  detail: string,
  errors: readonly FieldError[] = [],
  headers: ResponseHeaders = {},
): Reply & { readonly code: ProblemCode } {
  const status = STATUS[code];
  const fields = errors.length === 0 ? {} : { errors };
  return {
    code,
    status,
    headers: { 'content-type': 'application/problem+json', ...HEADERS_OF[code], ...headers },
    body: JSON.stringify({ title: STATUS_CODES[status], status, code, detail, ...fields }),
  };
}
