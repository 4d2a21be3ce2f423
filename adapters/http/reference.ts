import { readFile } from 'node:fs/promises';
import { packaged } from './packaged.ts';
import { routeAt, type Route } from './request/request-context.ts';
import { staticHandler } from './response/static-file.ts';

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

/** The API reference page. All of it is in the package, so it works offline. */
export function referenceRoutes(): readonly Route[] {
  return [
    page(),
    asset('/api/docs/start.js', 'text/javascript', () => START),
    asset('/api/docs/swagger-ui.css', 'text/css', () => swagger('swagger-ui.css')),
    asset('/api/docs/swagger-ui-bundle.js', 'text/javascript', () => swagger('swagger-ui-bundle.js')),
  ];
}

/** Copied there by `npm run build`. */
function swagger(name: string): Promise<string> {
  return readFile(packaged(`dist/adapters/http/reference/${name}`), 'utf8');
}

function page(): Route {
  const headers = { 'content-security-policy': POLICY };
  const handle = staticHandler(() => PAGE, { type: 'text/html', headers, negotiated: true });
  return routeAt('/api/docs', 'GET', { operationId: 'docs', handle }, true);
}

function asset(path: string, type: string, load: () => string | Promise<string>): Route {
  return routeAt(path, 'GET', { operationId: 'docs', handle: staticHandler(load, { type }) }, true);
}
