import { createHash } from 'node:crypto';
import { isIdempotencyKey } from '../../../core/ports/call-options.ts';
import type { IdempotencyKey } from '../../../core/ports/context.ts';
import type { RequestContext } from './request-context.ts';
import { badRequest } from '../response/problem.ts';

/**
 * The `Idempotency-Key` of a POST, undefined when there is none. Keys are scoped to the caller and the path, not to the
 * query, which shapes only the answer; the core stores them with the results.
 *
 * @param digest of the body, called after it has been read
 * @throws `invalid-input` for a malformed header
 */
export function idempotencyKeyOf(
  { request, path, responseHeaders }: RequestContext,
  digest: () => string,
): IdempotencyKey | undefined {
  const given = request.method === 'POST' ? request.headers.get('idempotency-key') : null;
  if (given === null) return undefined;
  if (!isIdempotencyKey(given)) {
    throw badRequest('The Idempotency-Key header must be 1 to 255 visible ASCII characters.');
  }
  return {
    key: sha256(`POST ${path} ${given}`),
    get digest() {
      return digest();
    },
    onReplay() {
      responseHeaders['idempotency-replayed'] = 'true';
    },
  };
}

export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('base64url');
}
