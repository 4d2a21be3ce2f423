import type { RequestContext } from '../request/request-context.ts';
import { varyBy, type ResponseHeaders } from './reply.ts';

const EXPOSED = [
  'ETag',
  'Espalier-Cursor',
  'Idempotency-Replayed',
  'Link',
  'Location',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'X-Request-Id',
  'X-Total-Count',
].join(', ');

const PREFLIGHT: ResponseHeaders = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, DELETE',
  'access-control-allow-headers':
    'Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, X-Request-Id',
  'access-control-max-age': '600',
};

/** Sets the CORS headers of a response: none, unless origins are allowed. */
export function crossOrigin(origins: readonly string[] = []): (context: RequestContext) => void {
  if (origins.length === 0) return () => undefined;
  const isForAll = origins.includes('*');
  return ({ request, responseHeaders }) => {
    if (!isForAll) varyBy(responseHeaders, 'Origin');
    const origin = request.headers.get('origin');
    if (origin === null || !(isForAll || origins.includes(origin))) return;
    responseHeaders['access-control-allow-origin'] = isForAll ? '*' : origin;
    responseHeaders['access-control-expose-headers'] = EXPOSED;
    const isPreflight = request.method === 'OPTIONS' && request.headers.has('access-control-request-method');
    if (isPreflight) Object.assign(responseHeaders, PREFLIGHT);
  };
}
