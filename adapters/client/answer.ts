import { EspalierError, type ErrorCode, type FieldError } from '../../core/kernel/errors.ts';

interface Problem {
  readonly code?: unknown;
  readonly detail?: unknown;
  readonly errors?: readonly FieldError[];
}

/**
 * The response, when the service gave it and it is no error.
 *
 * @param isWrite whether the request changes something
 * @throws the error of the engine, with its code; `store-busy` when there were too many requests
 * @throws `store-unavailable` when the address belongs to another service or redirects
 */
export async function expectOk(base: string, response: Response, isWrite = false): Promise<Response> {
  if (response.ok) return response;
  const { status } = response;
  if (status >= 300 && status < 400) {
    const elsewhere = response.headers.get('location') ?? 'elsewhere';
    throw new EspalierError('store-unavailable', `${base} redirects to ${elsewhere}: use that address.`);
  }
  const { code, detail, errors } = await readProblem(response);
  if (typeof code !== 'string') {
    if (status < 500 && status !== 408) throw notEspalier(base, `status ${status}`);
    // A proxy may have lost the answer of a service that did what was asked.
    throw unavailable(base, status, isWrite && status >= 500);
  }
  const said = typeof detail === 'string' ? detail : `The service answered with status ${status}.`;
  if (code === 'internal') throw new Error(said);
  throw new EspalierError(status === 429 ? 'store-busy' : (code as ErrorCode), said, errors ?? []);
}

/** The JSON body of a response: a record or a list. @throws `store-unavailable` for any other body, and one that breaks off */
export async function jsonOf(base: string, response: Response): Promise<object> {
  const type = response.headers.get('content-type') ?? 'no type';
  if (!/\bjson\b/.test(type)) throw notEspalier(base, type);
  const body: unknown = await response.json().catch((cause: unknown) => {
    const detail = `The answer of the service at ${base} was cut off, or is not well-formed JSON.`;
    throw new EspalierError('store-unavailable', detail, [], { cause });
  });
  if (typeof body !== 'object' || body === null) throw notEspalier(base, OTHER_JSON);
  return body;
}

/** The name, in an error, for an answer in JSON that does not come from Espalier. */
export const OTHER_JSON = 'JSON of another kind';

/** The problem document of an error response (RFC 9457); without a code when another program made it. */
export async function readProblem(response: Response): Promise<Problem> {
  if (!(response.headers.get('content-type') ?? '').includes('json')) return {};
  const body: unknown = await response.json().catch(() => null);
  return typeof body === 'object' && body !== null ? body : {};
}

export function notEspalier(base: string, what: string): EspalierError {
  return new EspalierError(
    'store-unavailable',
    `The service at ${base} is not Espalier (it answered with ${what}). The address is that of the service, without /api.`,
  );
}

/** Appended to the message of an error if a write may have happened. */
export const UNKNOWN_OUTCOME = ' It is not known whether the write was saved.';

function unavailable(base: string, status: number, isUnknown: boolean): EspalierError {
  const outcome = isUnknown ? UNKNOWN_OUTCOME : '';
  const detail = `The service at ${base} is not available now: it answered with status ${status}.${outcome}`;
  return new EspalierError('store-unavailable', detail);
}
