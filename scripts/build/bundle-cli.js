// Bundles the command line into few files, so that it starts fast: finding and reading hundreds of modules of its
// dependencies one by one takes longer than most commands. A command reads only the files that it needs.
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, relative, resolve } from 'node:path';
import { build, transform } from 'esbuild';
import { compileChecks } from './compile-checks.js';
import { thirdPartyNotices } from './licence-notices.js';
import { preparing } from './stub-modules.js';
import { together } from './pack-modules.js';

const outdir = 'dist/bin';
const target = 'node20.19';

const { outputFiles, metafile } = await build({
  entryPoints: { espalier: 'dist/cli/main.js' },
  outdir,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target,
  logLevel: 'warning',
  legalComments: 'inline',
  // The ES module, so that names are exported as the import expects.
  alias: { liquidjs: resolve('node_modules/liquidjs/dist/liquid.node.mjs') },
  plugins: [preparing],
  // Native, large, or only ever used by the service.
  external: ['mongodb', 'pino', 'jq-wasm'],
  metafile: true,
  write: false,
});

rmSync(outdir, { recursive: true, force: true });
mkdirSync(`${outdir}/checks`, { recursive: true });
// CommonJS files are read synchronously; ES modules take a turn of the event loop and a thread for each file.
writeFileSync(`${outdir}/package.json`, '{"type":"commonjs"}\n');
const files = new Map();
for (const { path, text } of outputFiles) {
  const { code } = await transform(text, {
    format: 'cjs',
    platform: 'node',
    target,
    minifyWhitespace: true,
    legalComments: 'inline',
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': 'importMetaUrl' },
    banner: text.includes('import.meta.url')
      ? "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;"
      : '',
  });
  files.set(basename(path), code);
}
const checks = await compileChecks(`${outdir}/checks`);
for (const [path, code] of checks.files) files.set(relative(outdir, path), code);
for (const [name, code] of together(files, metafile.outputs)) writeFileSync(`${outdir}/${name}`, code);
chmodSync(`${outdir}/espalier.js`, 0o755);

const bundled = [...Object.keys(metafile.inputs), ...checks.inputs];
const onBoard = JSON.parse(readFileSync('dist/bundled-board.json', 'utf8'));
writeFileSync('THIRD-PARTY-NOTICES', thirdPartyNotices(bundled, onBoard));
// For the test that compares them.
writeFileSync('dist/bundled.json', JSON.stringify(bundled));
