/** The codes of all expected errors. Codes are stable. Details are for people, and may change. */
export type ErrorCode =
  // input and identity
  | 'invalid-input'
  | 'unauthenticated'
  | 'issuer-unavailable'
  | 'forbidden'
  | 'impersonation-off'
  | 'own-email'
  | 'not-found'
  | 'version-mismatch'
  | 'count-mismatch'
  | 'unusable-reference'
  | 'too-many'
  | 'invitation-unusable'
  | 'cursor-expired'
  | 'snapshot-incomplete'
  | 'key-reused'
  // conflicts with the state of things
  | 'alias-taken'
  | 'already-member'
  | 'being-removed'
  | 'board-in-trash'
  | 'board-without-status'
  | 'column-crowded'
  | 'copy-failed'
  | 'email-taken'
  | 'external-id-taken'
  | 'guard-refused'
  | 'has-parent'
  | 'hidden-content'
  | 'identity-taken'
  | 'last-administrator'
  | 'last-owner'
  | 'limit-reached'
  | 'link-cycle'
  | 'owner-access'
  | 'page-cycle'
  | 'page-has-content'
  | 'quota-exceeded'
  | 'replay-hidden'
  | 'secret-not-kept'
  | 'status-not-empty'
  | 'tag-name-taken'
  | 'workspace-exists'
  | 'task-has-page'
  // the store
  | 'store-busy'
  | 'store-unavailable';

/** One invalid part of an input. `pointer` is a JSON Pointer (RFC 6901) into it. */
export interface FieldError {
  /** A JSON Pointer (RFC 6901) into the input; empty: the input as a whole. */
  readonly pointer: string;
  /** What is wrong with it, for people. */
  readonly detail: string;
}

/** A property of the errors of every copy of the package. */
const IS_ESPALIER_ERROR = Symbol.for('espalier.EspalierError');

/**
 * The one error class of the engine: a stable `code`, a `detail` that says what to change, and the fields at fault,
 * which its message names too. `instanceof` also holds for the errors of other copies of the package: a bundler may put
 * several into one program.
 */
export class EspalierError extends Error {
  /** As in `error.name`. */
  override readonly name = 'EspalierError';
  /** The stable code, for programs. */
  readonly code: ErrorCode;
  /** What is wrong and what to change, for people. */
  readonly detail: string;
  /** The fields at fault, for `invalid-input`; else empty. */
  readonly errors: readonly FieldError[];

  constructor(code: ErrorCode, detail: string, errors: readonly FieldError[] = [], options?: ErrorOptions) {
    super(`${code}: ${detail}${inFields(errors)}`, options);
    this.code = code;
    this.detail = detail;
    this.errors = errors;
    // Not enumerable: a copy of the fields is no error.
    Object.defineProperty(this, IS_ESPALIER_ERROR, { value: true });
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    if (this !== EspalierError) return Function.prototype[Symbol.hasInstance].call(this, value);
    return typeof value === 'object' && value !== null && IS_ESPALIER_ERROR in value;
  }
}

const SHOWN_FIELDS = 3;

function inFields(errors: readonly FieldError[]): string {
  if (errors.length === 0) return '';
  const shown = errors.slice(0, SHOWN_FIELDS).map(({ pointer, detail }) => `${pointer || '/'} ${detail}`);
  const more = errors.length - shown.length;
  return ` (${[...shown, ...(more > 0 ? [`${more} more`] : [])].join('; ')})`;
}

export function invalid(pointer: string, detail: string): EspalierError {
  return new EspalierError('invalid-input', 'The input is not valid.', [{ pointer, detail }]);
}

/** The record for which a quota or a guard refused a write, by the error. */
const refused = new WeakMap<EspalierError, string>();

/**
 * Notes the record for which a write is refused. So a call on many records can say which one it was, if the caller
 * named it.
 */
export function refusedFor(recordId: string, error: EspalierError): EspalierError {
  refused.set(error, recordId);
  return error;
}

/** The record that an error was noted for. */
export function recordRefused(error: unknown): string | undefined {
  return error instanceof EspalierError ? refused.get(error) : undefined;
}

/** The message is fixed, so that a hidden record cannot be distinguished from a missing one. */
export function notFound(): EspalierError {
  return new EspalierError('not-found', 'There is nothing here.');
}

/** @throws `not-found` for null and undefined */
export function found<T>(record: T | null | undefined): T {
  if (record === null || record === undefined) throw notFound();
  return record;
}

/** The caller is not signed in, or no longer. */
export function unauthenticated(): EspalierError {
  return new EspalierError('unauthenticated', 'This needs a valid token.');
}

export function emailTaken(): EspalierError {
  return conflict('email-taken', 'Another user has this e-mail address.');
}

/**
 * @param kind kind of the record that has the id
 * @param where `trash`: the record is in the trash
 */
export function externalIdTaken(
  kind: 'board' | 'task' | 'comment',
  where: 'workspace' | 'trash' = 'workspace',
): EspalierError {
  const other = where === 'trash' ? `A ${kind} in the trash` : `Another ${kind} of the workspace`;
  return conflict('external-id-taken', `${other} has this externalId.`);
}

export function forbidden(detail: string): EspalierError {
  return new EspalierError('forbidden', detail);
}

/** An id in the input that cannot be used. A hidden record and a missing one give the same error. */
export function unusable(field: string): EspalierError {
  const pointer = `/${field}`;
  return new EspalierError(
    'unusable-reference',
    'The input names something that does not exist or cannot be used here.',
    [{ pointer, detail: 'names something that does not exist or cannot be used here' }],
  );
}

/** A snapshot that ends before its last record. */
export function snapshotIncomplete(detail: string): EspalierError {
  return new EspalierError('snapshot-incomplete', detail);
}

export function conflict(code: ErrorCode, detail: string): EspalierError {
  return new EspalierError(code, detail);
}
