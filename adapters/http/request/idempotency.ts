import { createHash } from 'node:crypto';
import type { IdempotencyKey } from '../../../core/ports/context.ts';
import type { RequestContext } from './request-context.ts';
import { badRequest } from '../response/problem.ts';

const KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * The key by which a POST happens once, undefined when the client gave none. It counts for the caller at this
 * address; the core keeps it, and what it came to.
 *
 * @param digest of the body, asked for when it has been read
 * @throws `invalid-input` for a header that is no key
 */
export function onceOf(
  { request, path, search, marks }: RequestContext,
  digest: () => string,
): IdempotencyKey | undefined {
  const given = request.method === 'POST' ? request.headers.get('idempotency-key') : null;
  if (given === null) return undefined;
  if (!KEY.test(given)) throw badRequest('The Idempotency-Key header must be 1 to 255 visible ASCII characters.');
  return {
    key: sha256(`POST ${path}${search} ${given}`),
    get digest() {
      return digest();
    },
    onReplay() {
      marks['idempotency-replayed'] = 'true';
    },
  };
}

export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('base64url');
}
