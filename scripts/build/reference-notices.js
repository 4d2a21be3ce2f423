// Writes reference-notices.txt anew: the licences of the packages that are bundled in the script of the reference page.
// For a new release of @scalar/fastify-api-reference: in an empty folder, `npm install --ignore-scripts` the same
// release of
// @scalar/api-reference, whose source map lists the bundled packages, and the packages that this script then reports as
// missing, and run `node scripts/build/reference-notices.js FOLDER`.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { noticeOf, noticesText } from './licence-notices.js';

/** Packages that packages of Scalar bundle themselves, so that the map does not list them. */
const BUNDLED_BEFORE = ['highlight.js', 'lowlight', 'tailwindcss'];

const PACKAGE = /node_modules\/((?!\.pnpm)(?:@[^/]+\/)?[^/]+)\/(?!node_modules\/)/g;

const [folder] = process.argv.slice(2);
const packages = join(folder, 'node_modules');
const scalar = join(packages, '@scalar/api-reference');
const { sources } = JSON.parse(readFileSync(join(scalar, 'dist/browser/standalone.js.map'), 'utf8'));
const listed = sources.flatMap((source) => [...source.matchAll(PACKAGE)].at(-1)?.[1] ?? []);
const names = [...new Set([...listed, ...BUNDLED_BEFORE])].sort((a, b) => (a < b ? -1 : 1));
const folders = names.map((name) => join(packages, name));
const missing = folders.filter((path) => !existsSync(path));
if (missing.length > 0) throw new Error(`missing: ${missing.join(' ')}`);
const notices = [
  noticeOf(scalar),
  ...folders.filter((path) => path !== scalar).map((path) => noticeOf(path, { withVersion: false })),
];
writeFileSync(fileURLToPath(new URL('reference-notices.txt', import.meta.url)), noticesText(notices));
