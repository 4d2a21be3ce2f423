// Compiles the checks of all operations to modules, so that a command neither loads ajv nor compiles schemas.
import { _ } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import { build } from 'esbuild';
import { ajvFor } from '../../dist/adapters/schemas/compile.js';
import { operations, watchOperation } from '../../dist/adapters/schemas/operations.js';

/**
 * CommonJS modules by path: for each operation one that stops at the first error, and an `.all` that does not; and the
 * source files that they contain.
 */
export async function compileChecks(outdir) {
  const sources = new Map();
  for (const allErrors of [false, true]) {
    const formats = _`require("./formats.js").formats`;
    for (const { useCase, input } of [...operations, watchOperation]) {
      const ajv = ajvFor({ allErrors, code: { source: true, formats } });
      sources.set(`${useCase}${allErrors ? '.all' : ''}`, standalone.default(ajv, ajv.compile(input)));
    }
  }
  const inMemory = {
    name: 'in-memory',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^check:/ }, ({ path }) => ({ path: path.slice('check:'.length), namespace: 'check' }));
      onResolve({ filter: /^\.\/formats\.js$/ }, ({ path }) => ({ path, external: true }));
      onLoad({ filter: /.*/, namespace: 'check' }, ({ path }) => ({ contents: sources.get(path), resolveDir: '.' }));
    },
  };
  const common = {
    outdir,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    minify: true,
    logLevel: 'warning',
    write: false,
    legalComments: 'inline',
    metafile: true,
  };
  const shared = await build({ ...common, entryPoints: { formats: 'dist/adapters/schemas/formats.js' } });
  const entryPoints = Object.fromEntries([...sources.keys()].map((name) => [name, `check:${name}`]));
  const checks = await build({ ...common, entryPoints, plugins: [inMemory] });
  return {
    files: [...shared.outputFiles, ...checks.outputFiles].map(({ path, text }) => [path, text]),
    inputs: [shared, checks].flatMap(({ metafile }) => Object.keys(metafile.inputs)),
  };
}
