// This file becomes parts.js in the bundle. It reads the parts, and the code that V8 compiled from them in an earlier
// run, from the cache folder of the user, where the first run of each command writes it. Another version of Node or
// another build finds nothing there, and V8 refuses code that was compiled under other flags: the parts are then
// compiled as they are used.
'use strict';
const {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} = require('node:fs');
const { join, dirname } = require('node:path');
const { Script } = require('node:vm');

const { env, platform } = process;
/**
 * Part of the name of the cache, so that cached code is never used for another text than the one it was compiled from.
 */
const KIND = ['@DIGEST@', process.version, platform, process.arch].join('-');
const folder = cacheFolder();
const filename = `${__dirname}/parts.txt`;
const known = readKnown();
const script = new Script(readFileSync(filename, 'latin1'), { filename, cachedData: known.code });
exports.script = script;
const parts = script.runInThisContext();
const loaded = new Map();

exports.load = function load(name) {
  const before = loaded.get(name);
  if (before !== undefined) return before.exports;
  const module = { exports: {} };
  loaded.set(name, module);
  const requireInside = (id) => {
    if (!id.startsWith('.')) return require(id);
    const path = join(dirname(name), id).replaceAll('\\', '/');
    return Object.hasOwn(parts, path) ? load(path) : require(`./${path}`);
  };
  requireInside.resolve = require.resolve;
  parts[name](module.exports, module, requireInside, filename, __dirname);
  return module.exports;
};

if (folder !== null) process.once('exit', keep);

/** The cache folder of this user; null if there is none, or if code caches are switched off. */
function cacheFolder() {
  if (env.NODE_DISABLE_COMPILE_CACHE) return null;
  const home = platform === 'win32' ? env.LOCALAPPDATA : env.XDG_CACHE_HOME || (env.HOME && join(env.HOME, '.cache'));
  return home ? join(home, 'espalier') : null;
}

/** The cached code, with the names of its parts. A file that another user may have written is ignored. */
function readKnown() {
  const nothing = { names: [], code: undefined };
  if (folder === null) return nothing;
  let file;
  try {
    file = openSync(join(folder, `${KIND}.bin`), 'r');
    const { uid, mode } = fstatSync(file);
    if (process.getuid !== undefined && (uid !== process.getuid() || (mode & 0o022) !== 0)) return nothing;
    const bytes = readFileSync(file);
    const end = bytes.indexOf('\n');
    return { names: JSON.parse(bytes.toString('utf8', 0, end)), code: bytes.subarray(end + 1) };
  } catch {
    return nothing;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Caches the code if a part was used that the cache lacks. Failing to write the cache is no error. */
function keep() {
  const names = script.cachedDataRejected === false ? known.names : [];
  const all = new Set([...names, ...loaded.keys()]);
  if (all.size === names.length) return;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const temporary = join(folder, `${KIND}.${process.pid}.tmp`);
    const head = Buffer.from(`${JSON.stringify([...all])}\n`);
    writeFileSync(temporary, Buffer.concat([head, script.createCachedData()]), { mode: 0o600, flag: 'wx' });
    renameSync(temporary, join(folder, `${KIND}.bin`));
    // Caches of earlier builds are removed.
    const same = KIND.slice('@DIGEST@'.length);
    for (const name of readdirSync(folder)) {
      if (name.endsWith(`${same}.bin`) && name !== `${KIND}.bin`) rmSync(join(folder, name));
    }
  } catch {}
}
