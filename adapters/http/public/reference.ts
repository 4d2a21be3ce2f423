import { readFile } from 'node:fs/promises';
import { packagedFile } from './packaged.ts';
import { routeAt, type Route } from '../request/request-context.ts';
import { staticHandler } from '../response/static-file.ts';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const pageHtml = (basePath: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Espalier: reference</title>
<link rel="icon" href="${basePath}/favicon.ico" type="image/svg+xml">
<style>#reference{overflow-x:clip}</style>
</head>
<body>
<div id="reference"></div>
<script src="${basePath}/api/docs/start.js"></script>
<script src="${basePath}/api/docs/scalar.js"></script>
<script src="${basePath}/api/docs/show.js"></script>
</body>
</html>
`;

/**
 * Replaces `localStorage` by `sessionStorage`, so that the page forgets its token and colours when its tab is closed.
 */
const START = `Object.defineProperty(window, 'localStorage', { value: window.sessionStorage });
`;

/** Scalar's own services are switched off: the page sends requests to this service only. */
const showScript = (basePath: string): string => `Scalar.createApiReference('#reference', {
  url: '${basePath}/api/openapi.json',
  persistAuth: true,
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  orderSchemaPropertiesBy: 'preserve',
  orderRequiredPropertiesFirst: true,
  metaData: { title: 'Espalier: reference' },
});
`;

/** The API reference page. All of it is in the package, so it works offline. */
export function referenceRoutes(basePath: string): readonly Route[] {
  return [
    page(basePath),
    script('start.js', () => START),
    script('show.js', () => showScript(basePath)),
    // Copied there by `npm run build`.
    script('scalar.js', () => readFile(packagedFile('dist/adapters/http/reference/scalar.js'), 'utf8')),
  ];
}

function page(basePath: string): Route {
  const headers = { 'content-security-policy': POLICY };
  const handle = staticHandler(() => pageHtml(basePath), { type: 'text/html', headers, negotiated: true });
  return routeAt('/api/docs', 'GET', { operationId: 'docs', handle }, true);
}

function script(name: string, load: () => string | Promise<string>): Route {
  const handle = staticHandler(load, { type: 'text/javascript' });
  return routeAt(`/api/docs/${name}`, 'GET', { operationId: 'docs', handle }, true);
}
