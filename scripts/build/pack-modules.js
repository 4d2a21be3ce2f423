// What most commands need goes into one file, which is compiled once and for all (keep-code.js).
import { hash } from 'node:crypto';
import { posix } from 'node:path';

/** What a lookup in a store of one file loads, beside all that it imports. */
const USED = [
  'dist/cli/program.js',
  'dist/cli/commands/task.js',
  'dist/adapters/service/index.js',
  'dist/adapters/store-embedded/index.js',
];
const CHECKS = ['formats', 'boards.get', 'members.list', 'tasks.get', 'tasks.list', 'workspaces.list'];

/**
 * @param files the code of each, by path below the folder of the program
 * @param outputs as esbuild tells what is in them
 * @returns the same, where those used together are in one, and what they were gives that part of it
 */
export function together(files, outputs) {
  // `--version` needs little, and nothing of what is read for all else.
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
  return result.set('parts.txt', text).set('parts.js', loaderOf(hash('sha256', text).slice(0, 8)));
}

/** The files that are loaded with these modules. */
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

/**
 * Reads the parts, and what V8 made of them when the program was built. Another Node finds none, and V8 takes none that is
 * not its own or was made with other flags: then the parts are compiled as they are used.
 *
 * @param digest so that no other text is taken for the one that was compiled
 */
const loaderOf = (digest) => `"use strict";
const { readFileSync } = require("node:fs");
const { join, dirname } = require("node:path").posix;
const { Script } = require("node:vm");
const filename = __dirname + "/parts.txt";
exports.codeFile = __dirname + "/parts." + ["${digest}", process.version, process.platform, process.arch].join("-") + ".bin";
let cachedData;
try {
  cachedData = readFileSync(exports.codeFile);
} catch {}
exports.script = new Script(readFileSync(filename, "latin1"), { filename, cachedData });
const parts = exports.script.runInThisContext();
const loaded = new Map();
exports.load = function load(name) {
  const known = loaded.get(name);
  if (known !== undefined) return known.exports;
  const module = { exports: {} };
  loaded.set(name, module);
  const requireInside = (id) => {
    if (!id.startsWith(".")) return require(id);
    const path = join(dirname(name), id);
    return Object.hasOwn(parts, path) ? load(path) : require("./" + path);
  };
  requireInside.resolve = require.resolve;
  parts[name](module.exports, module, requireInside, filename, __dirname);
  return module.exports;
};
`;
