// Copies the files of the reference page beside the compiled HTTP adapter, so that the package contains them.
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyApiReference from '@scalar/fastify-api-reference';

const source = dirname(dirname(createRequire(import.meta.url).resolve('@scalar/fastify-api-reference')));
const target = fileURLToPath(new URL('../../dist/adapters/http/reference/', import.meta.url));

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
writeFileSync(join(target, 'scalar.js'), scriptOf(fastifyApiReference));
copyFileSync(join(source, 'LICENSE'), join(target, 'LICENSE'));

/**
 * The script of the page, for browsers. The smallest package with the script is the plugin for Fastify, which serves it
 * at one of its routes.
 */
function scriptOf(plugin) {
  const routes = [];
  const log = { warn: () => undefined };
  const fastify = { log, hasPlugin: () => false, initialConfig: {}, route: (route) => routes.push(route) };
  plugin(fastify, { configuration: { url: '/' } }, () => undefined);
  let text = '';
  const reply = { header: () => reply, send: (content) => (text = content) };
  routes.find(({ url }) => url.endsWith('.js')).handler({}, reply);
  // The comment that names a source map is removed, as the package has none.
  return text.replace(/\n\/\/# sourceMappingURL=.*\n?$/, '\n');
}
