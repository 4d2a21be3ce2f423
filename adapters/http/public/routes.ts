import { EspalierError } from '../../../core/kernel/errors.ts';
import { boardRoutes } from './board.ts';
import { routeAt, type Handler, type Route } from '../request/request-context.ts';
import type { HttpOptions } from '../options.ts';
import { referenceRoutes } from './reference.ts';
import { jsonReply } from '../response/reply.ts';
import { staticHandler } from '../response/static-file.ts';
import { welcomeRoutes } from './welcome.ts';

/** Routes that need no token. */
export function publicRoutes(options: HttpOptions, isDraining: () => boolean): readonly Route[] {
  const { board = false, basePath = '' } = options;
  return [
    get('/healthz', 'healthz', () => Promise.resolve(jsonReply(200, '{"status":"ok"}'))),
    get('/readyz', 'readyz', async () => {
      if (isDraining()) throw new EspalierError('store-unavailable', 'The service is stopping.');
      await options.ready();
      return jsonReply(200, '{"status":"ready"}');
    }),
    get(
      '/api/openapi.json',
      'openapi',
      staticHandler(async () => JSON.stringify((await import('../openapi/document.ts')).openApi(basePath)), {
        type: 'application/json',
        negotiated: true,
      }),
    ),
    ...referenceRoutes(basePath),
    ...welcomeRoutes(basePath, board),
    ...(board ? boardRoutes(basePath) : []),
  ];
}

function get(path: string, operationId: string, handle: Handler): Route {
  return routeAt(path, 'GET', { operationId, handle }, true);
}
