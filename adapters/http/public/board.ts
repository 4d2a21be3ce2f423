import { readFile } from 'node:fs/promises';
import { JSON_LINES } from '../../schemas/http-names.ts';
import { packagedFile } from './packaged.ts';
import { routeAt, type Route } from '../request/request-context.ts';
import { staticHandler, type StaticOptions } from '../response/static-file.ts';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** The board in the browser: static files that `npm run build` makes from examples/board, the same for everybody. */
export function boardRoutes(basePath: string): readonly Route[] {
  const headers = { 'content-security-policy': POLICY };
  return [
    file('/board', 'index.html', { type: 'text/html', headers, negotiated: true }, (page) =>
      page.replaceAll(/(?<= (?:href|src)=")(?=\/\w)/g, basePath),
    ),
    file('/board/board.js', 'board.js', { type: 'text/javascript' }),
    file('/board/board.css', 'board.css', { type: 'text/css' }),
    file('/board/sample.jsonl', 'sample.jsonl', { type: JSON_LINES }),
  ];
}

function file(path: string, name: string, options: StaticOptions, change = (text: string) => text): Route {
  const load = async () => change(await readFile(packagedFile(`dist/adapters/http/board/${name}`), 'utf8'));
  return routeAt(path, 'GET', { operationId: 'board', handle: staticHandler(load, options) }, true);
}
