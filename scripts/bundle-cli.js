// Puts the command line into few files, so that it starts fast: read one by one, the hundreds of modules of
// its dependencies take longer than most commands.
import { build } from 'esbuild';
import { chmodSync, rmSync } from 'node:fs';

const out = 'dist/bin';
rmSync(out, { recursive: true, force: true });
await build({
  entryPoints: { espalier: 'dist/cli/main.js' },
  outdir: out,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  logLevel: 'warning',
  legalComments: 'none',
  minifyWhitespace: true,
  // Native, large, or only ever used by the service.
  external: ['lmdb', 'mongodb', 'pino', 'prom-client', 'h3', 'rate-limiter-flexible'],
  // For what CommonJS modules require at run time.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module';\nconst require = requireFrom(import.meta.url);",
  },
});
chmodSync(`${out}/espalier.js`, 0o755);
