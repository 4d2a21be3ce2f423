// Puts the command line into few files, so that it starts fast: found and read one by one, the hundreds of
// modules of its dependencies take longer than most commands. A command reads what it needs and no more.
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { build, transform } from 'esbuild';
import { operations } from '../dist/adapters/schemas/operations.js';
import { compileChecks } from './compile-checks.js';

const outdir = 'dist/bin';
const target = 'node20.19';

/** What is done now and not at each start, by the module in whose place it goes. */
const prepared = {
  // The operations without their schemas, which are told apart by identity. The service shows them, and takes the real ones.
  operations: `export const operations = ${JSON.stringify(
    operations.map(({ useCase, method, path, paged }) => ({ useCase, method, path, paged, input: {} })),
  )};`,
  compile: `import { createRequire } from 'node:module';
    import { operations } from 'prepared:operations';
    const load = createRequire(import.meta.url);
    const names = new Map(operations.map(({ input, useCase }) => [input, useCase]));
    export const compiled = (schema, all) => load('./checks/' + names.get(schema) + (all ? '.all' : '') + '.js');`,
  // Its CommonJS build is one file.
  lmdb: `module.exports = require('lmdb/dist/index.cjs');`,
};

const preparing = {
  name: 'prepared',
  setup({ onResolve, onLoad }) {
    const inPlaceOf = (filter, name, by = /./) =>
      onResolve({ filter }, ({ importer }) =>
        by.test(importer) ? { path: name, namespace: 'prepared', sideEffects: false } : undefined,
      );
    inPlaceOf(/^prepared:operations$/, 'operations');
    inPlaceOf(/\/operations\.js$/, 'operations', /\/(?:client\/client|schemas\/validated|task\/bulk)\.js$/);
    inPlaceOf(/^\.\/compile\.js$/, 'compile', /\/schemas\/check\.js$/);
    inPlaceOf(/^lmdb$/, 'lmdb');
    onResolve({ filter: /^lmdb\/dist/ }, () => ({ path: 'lmdb', external: true }));
    onLoad({ filter: /./, namespace: 'prepared' }, ({ path }) => ({ contents: prepared[path], resolveDir: '.' }));
  },
};

const { outputFiles } = await build({
  entryPoints: { espalier: 'dist/cli/main.js' },
  outdir,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target,
  logLevel: 'warning',
  legalComments: 'none',
  plugins: [preparing],
  // Native, large, or only ever used by the service.
  external: ['mongodb', 'pino', 'prom-client', 'h3', 'rate-limiter-flexible', 'jose'],
  write: false,
});

rmSync(outdir, { recursive: true, force: true });
mkdirSync(outdir, { recursive: true });
// CommonJS is read at once, where modules take a turn of the event loop and a thread for each file.
writeFileSync(`${outdir}/package.json`, '{"type":"commonjs"}\n');
for (const { path, text } of outputFiles) {
  const { code } = await transform(text, {
    format: 'cjs',
    platform: 'node',
    target,
    minifyWhitespace: true,
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': 'importMetaUrl' },
    banner: text.includes('import.meta.url')
      ? "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;"
      : '',
  });
  writeFileSync(path, code);
}
await compileChecks(`${outdir}/checks`);
chmodSync(`${outdir}/espalier.js`, 0o755);
