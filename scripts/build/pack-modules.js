// Packs the modules that most commands need into one file, so that the code that V8 compiles from it can be cached as
// one (parts-loader.cjs).
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';

/** The modules that a look-up or a list in an embedded store loads in addition to its imports. */
const USED = [
  'dist/cli/program.js',
  'dist/cli/commands/content/task.js',
  'dist/cli/output/table/table.js',
  'dist/adapters/http/response/paging.js',
  'dist/adapters/service/index.js',
  'dist/adapters/store-embedded/index.js',
];
const CHECKS = ['formats', 'boards.get', 'members.list', 'tasks.get', 'tasks.list', 'workspaces.list'];

/**
 * @param files the code of each file, by its path below the folder of the program
 * @param outputs the outputs in the metafile of esbuild, with their inputs
 * @returns the same files, with those used together in one; each packed file becomes a stub that exports its part of
 * that
 */
export function together(files, outputs) {
  // `--version` needs little, and none of the modules that all other commands read.
  const first = namesOf(outputs, ['dist/cli/main.js']);
  const names = namesOf(outputs, USED).filter((name) => !first.includes(name));
  const parts = [...names, ...CHECKS.map((name) => `checks/${name}.js`)];
  const functions = parts.map((name) => {
    const body = files.get(name);
    if (/[^\0-\x7f]/.test(body)) throw new Error(`${name} is not ASCII, as what is read byte by byte must be`);
    return `${JSON.stringify(name)}(exports,module,require,__filename,__dirname){${body}\n}`;
  });
  const result = new Map(files);
  for (const name of parts) {
    const loader = posix.relative(posix.dirname(name), 'parts.js');
    result.set(name, `module.exports=require(${JSON.stringify(`./${loader}`)}).load(${JSON.stringify(name)});\n`);
  }
  const text = `({${functions.join(',\n')}})\n`;
  return result.set('parts.txt', text).set('parts.js', loaderOf(hash('sha256', text).slice(0, 16)));
}

/** The files that these modules load with them. */
function namesOf(outputs, modules) {
  const byEntry = new Map(Object.entries(outputs).map(([path, { entryPoint }]) => [entryPoint, path]));
  const found = new Set();
  const take = (path) => {
    if (found.has(path)) return;
    found.add(path);
    for (const one of outputs[path].imports) if (one.kind === 'import-statement' && !one.external) take(one.path);
  };
  for (const module of modules) take(byEntry.get(module));
  return [...found].map((path) => posix.basename(path));
}

/** @param digest the digest of the text of the parts */
function loaderOf(digest) {
  return readFileSync(new URL('parts-loader.cjs', import.meta.url), 'utf8').replaceAll('@DIGEST@', digest);
}
