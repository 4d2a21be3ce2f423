import { readFile } from 'node:fs/promises';
import { entityTag, isKnown } from './response/conditional.ts';
import { routeAt, type Handler, type Route } from './request/request-context.ts';
import { requireAcceptable } from './response/negotiation.ts';
import { packaged } from './packaged.ts';
import type { Headers } from './response/reply.ts';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Espalier</title>
<link rel="stylesheet" href="/api/docs/swagger-ui.css">
<link rel="icon" href="data:,">
</head>
<body>
<div id="reference"></div>
<script src="/api/docs/swagger-ui-bundle.js"></script>
<script src="/api/docs/start.js"></script>
</body>
</html>
`;

const START = `SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  validatorUrl: null,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
});
`;

/** The reference page. Everything on it comes from the package, so that it works without a network. */
export function referenceRoutes(): readonly Route[] {
  return [
    page(),
    asset('/api/docs/start.js', 'text/javascript', () => Promise.resolve(START)),
    asset('/api/docs/swagger-ui.css', 'text/css', () => swagger('swagger-ui.css')),
    asset('/api/docs/swagger-ui-bundle.js', 'text/javascript', () => swagger('swagger-ui-bundle.js')),
  ];
}

/** `npm run build` puts these files there. */
function swagger(name: string): Promise<string> {
  return readFile(packaged(`dist/adapters/http/reference/${name}`), 'utf8');
}

function page(): Route {
  const handler: Handler = ({ request }) => {
    requireAcceptable(request, 'text/html');
    const headers: Headers = {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
      'cache-control': 'public, no-cache',
    };
    return Promise.resolve({ status: 200, headers, body: PAGE });
  };
  return routeAt('/api/docs', 'GET', { operationId: 'docs', handle: handler }, true);
}

function asset(path: string, type: string, load: () => Promise<string>): Route {
  let loaded: Promise<{ readonly body: string; readonly etag: string }> | undefined;
  const handler: Handler = async ({ request }) => {
    loaded ??= load().then((body) => ({ body, etag: entityTag({}, body) }));
    const { body, etag } = await loaded;
    const headers = { 'content-type': `${type}; charset=utf-8`, etag, 'cache-control': 'public, no-cache' };
    if (isKnown(request.headers.get('if-none-match'), etag)) return { status: 304, headers };
    return { status: 200, headers, body };
  };
  return routeAt(path, 'GET', { operationId: 'docs', handle: handler }, true);
}
