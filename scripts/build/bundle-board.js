// Builds the static files of the board from examples/board, and puts them beside the compiled HTTP adapter.
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

const source = 'examples/board';
const outdir = 'dist/adapters/http/board';

rmSync(outdir, { recursive: true, force: true });
mkdirSync(outdir, { recursive: true });
const { metafile } = await build({
  entryPoints: { board: `${source}/main.tsx` },
  outdir,
  bundle: true,
  format: 'esm',
  platform: 'browser',
  // Older browsers lack popover or light-dark().
  target: ['chrome123', 'firefox125', 'safari17.5'],
  tsconfig: `${source}/tsconfig.json`,
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
});
for (const name of ['index.html', 'board.css']) copyFileSync(`${source}/${name}`, `${outdir}/${name}`);
copyFileSync('examples/acme.jsonl', `${outdir}/sample.jsonl`);
// For the notices, and for the test that compares them.
writeFileSync('dist/bundled-board.json', JSON.stringify(Object.keys(metafile.inputs)));
