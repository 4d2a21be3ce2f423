import { hash } from 'node:crypto';
import { packageVersion } from './packaged.ts';
import { routeAt, type Route } from '../request/request-context.ts';
import { staticHandler } from '../response/static-file.ts';

const STYLE = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{max-width:32rem;margin:12vh auto;padding:0 1.5rem}
h1{display:flex;align-items:center;gap:.6rem;font-size:1.6rem;margin:0}
h1 img{width:2rem;height:2rem}
small{font-weight:normal;font-size:.9rem;opacity:.7}
ul{padding-left:1.2rem}`;

/** Three columns of cards on a trellis. It has no text, and looks the same in light and dark mode. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="7" fill="#2f6f4f"/>
<g fill="#fff"><rect x="6" y="7" width="5" height="18" rx="1.5"/><rect x="13.5" y="7" width="5" height="12" rx="1.5"/>
<rect x="21" y="7" width="5" height="7" rx="1.5"/></g>
</svg>
`;

const page = (basePath: string, board: boolean): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Espalier</title>
<link rel="icon" href="${basePath}/favicon.ico" type="image/svg+xml">
<style>${STYLE}</style>
</head>
<body>
<h1><img src="${basePath}/favicon.ico" alt="">Espalier <small>${packageVersion()}</small></h1>
<p>A work-management service: workspaces, pages with inherited access, boards and tasks. Programs and the command line
use it.</p>
<ul>
${board ? `<li><a href="${basePath}/board">A board</a> in the browser</li>\n` : ''}<li><a href="${basePath}/api/docs">Reference of the interface</a>, from <a href="${basePath}/api/openapi.json">its OpenAPI document</a></li>
<li>Health: <a href="${basePath}/healthz">the process</a>, <a href="${basePath}/readyz">its store</a></li>
</ul>
<p>On the command line: <code>espalier login</code> and the address of this page.</p>
</body>
</html>
`;

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', STYLE, 'base64')}'`,
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * The page at the root of the service, for browsers. It is the same for every caller and store.
 *
 * @param basePath the prefix of the paths of the service
 * @param board whether there is a board at `/board`
 */
export function welcomeRoutes(basePath: string, board: boolean): readonly Route[] {
  const headers = { 'content-security-policy': POLICY };
  const handle = staticHandler(() => page(basePath, board), {
    type: 'text/html',
    headers,
    negotiated: true,
  });
  const icon = staticHandler(() => ICON, { type: 'image/svg+xml' });
  return [
    routeAt('/', 'GET', { operationId: 'welcome', handle }, true),
    routeAt('/favicon.ico', 'GET', { operationId: 'welcome', handle: icon }, true),
  ];
}
