import { EspalierError } from '../../core/kernel/errors.ts';
import { routeAt, type Handler, type Route } from './request/request-context.ts';
import { requireAcceptable } from './response/negotiation.ts';
import { openApi } from './openapi/document.ts';
import type { HttpOptions } from './options.ts';
import { referenceRoutes } from './reference.ts';
import { entityTag, isKnown } from './response/conditional.ts';
import { jsonReply } from './response/reply.ts';

/** What needs no token. */
export function openRoutes(options: HttpOptions, isDraining: () => boolean): readonly Route[] {
  return [
    get('/healthz', 'healthz', () => Promise.resolve(jsonReply(200, '{"status":"ok"}'))),
    get('/readyz', 'readyz', async () => {
      if (isDraining()) throw new EspalierError('store-unavailable', 'The service is about to stop.');
      await options.ready();
      return jsonReply(200, '{"status":"ready"}');
    }),
    get('/api/openapi.json', 'openapi', documentHandler()),
    ...referenceRoutes(),
  ];
}

function get(path: string, operationId: string, handle: Handler): Route {
  return routeAt(path, 'GET', { operationId, handle }, true);
}

function documentHandler(): Handler {
  let document: string | undefined;
  return ({ request }) => {
    requireAcceptable(request);
    document ??= JSON.stringify(openApi());
    const headers = { etag: entityTag({}, document), 'cache-control': 'public, no-cache' };
    if (isKnown(request.headers.get('if-none-match'), headers.etag)) return Promise.resolve({ status: 304, headers });
    return Promise.resolve(jsonReply(200, document, headers));
  };
}
