import { EspalierError, type ErrorCode, type FieldError } from '../../core/errors.ts';
import type { Operation } from '../schemas/operation.ts';

/** What the call gives, or the error it ends with. */
export async function resultOf(operation: Operation, response: Response): Promise<unknown> {
  if (!response.ok) throw await errorOf(response);
  if (response.status === 204) return undefined;
  const body: unknown = await response.json();
  if (!operation.paged) return body;
  const total = response.headers.get('x-total-count');
  return { items: body, next: nextCursor(response), ...(total === null ? {} : { total: Number(total) }) };
}

/** Of the link to the next part (RFC 8288). In process a cursor is not encoded. */
function nextCursor(response: Response): string | null {
  const link = /<([^>]*)>; *rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
  const cursor = link === undefined ? null : new URLSearchParams(link.split('?')[1]).get('cursor');
  return cursor;
}

interface Problem {
  readonly code?: unknown;
  readonly detail?: unknown;
  readonly errors?: readonly FieldError[];
}

/** A problem (RFC 9457) with the code that the engine gave it; an `Error` for an answer that is none. */
export async function errorOf(response: Response): Promise<Error> {
  const type = response.headers.get('content-type') ?? '';
  const problem = type.includes('json') ? ((await response.json().catch(() => ({}))) as Problem) : {};
  const { code, detail, errors } = problem;
  const said = typeof detail === 'string' ? detail : `The service answered with status ${response.status}.`;
  if (response.status === 429) return new EspalierError('store-busy', said);
  if (typeof code !== 'string' || code === 'internal') return new Error(said);
  return new EspalierError(code as ErrorCode, said, errors ?? []);
}
