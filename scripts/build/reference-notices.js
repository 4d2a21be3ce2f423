// Writes reference-notices.txt anew: the licences of what is bundled in the reference page (swagger-ui-dist), which
// brings those of few. For a new release of it: in an empty folder, `npm install --ignore-scripts` the same release of
// swagger-ui and whatever this script then says is missing (what webpack adds: events, process, stream-browserify,
// regenerator-runtime; of styles: normalize.css), and run `node scripts/build/reference-notices.js FOLDER`.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { noticeOf, noticesText } from './licence-notices.js';

const dist = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** Of the bundle, as its own report lists them, and of what that does not list. */
function bundledInReference() {
  const report = readFileSync(join(dist, 'log.bundle-sizes.swagger-ui.txt'), 'utf8');
  const listed = [...report.matchAll(/^([^\s<]+): /gm)].map(([, name]) => name);
  return [...listed, 'normalize.css', 'regenerator-runtime'].sort((a, b) => (a < b ? -1 : 1));
}

const [folder] = process.argv.slice(2);
const folders = bundledInReference().map((name) => join(folder, 'node_modules', name));
const missing = folders.filter((path) => !existsSync(path));
if (missing.length > 0) throw new Error(`missing: ${missing.join(' ')}`);
const notices = folders.map((path) => noticeOf(path, { withVersion: false }));
writeFileSync(fileURLToPath(new URL('reference-notices.txt', import.meta.url)), noticesText(notices));
