import { chmod, cp, mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { ended, MAIN, startAt } from '../child.ts';
import { cliDirectory, type CliDirectory } from '../in-process.ts';

const PACKAGE = fileURLToPath(new URL('../../../../../', import.meta.url));

describe('The bundled program and the code that V8 made of it', () => {
  let here: CliDirectory;
  let elsewhere: string;
  let main: string;
  let cache: string;

  before(async () => {
    here = await cliDirectory();
    elsewhere = await mkdtemp(join(tmpdir(), 'espalier-parts-'));
    main = join(elsewhere, 'dist', 'bin', 'espalier.js');
    cache = join(elsewhere, 'cache');
    await cp(dirname(MAIN), dirname(main), { recursive: true });
    await cp(join(PACKAGE, 'package.json'), join(elsewhere, 'package.json'));
    await symlink(join(PACKAGE, 'node_modules'), join(elsewhere, 'node_modules'));
    const store = `file:${join(elsewhere, 'here.db')}`;
    await here.ok(['user', 'create', '--name', 'Ada', '--email', 'ada@example.org', '--store', store]);
    Object.assign(here.env, { ESPALIER_STORE: store });
  });
  after(async () => {
    await here.close();
    await rm(elsewhere, { recursive: true, force: true });
  });

  /** @param env says where caches go */
  async function works(env: Readonly<Record<string, string>> = { XDG_CACHE_HOME: cache }): Promise<void> {
    const there = { ...here, env: { ...here.env, ...env } };
    const { code, stderr, stdout } = await ended(startAt(main, there, 'user', 'list', '--jsonl', '--fields', 'name'));
    expect([code, stdout], stderr).to.deep.equal([0, '{"name":"Ada"}\n']);
  }

  async function codeFile(): Promise<string> {
    const found = await readdir(join(cache, 'espalier'));
    expect(found).to.have.length(1);
    return join(cache, 'espalier', found[0]!);
  }

  /** Neither size nor time tells what a file holds, a new file is another one. */
  const identity = async () => (await stat(await codeFile())).ino;

  it('is no part of the package', async () => {
    expect((await readdir(dirname(MAIN))).filter((name) => name.endsWith('.bin'))).to.deep.equal([]);
  });

  it('is kept in the cache folder of the user by the first run, for nobody else, and used by the next', async () => {
    await works();
    expect((await stat(await codeFile())).mode & 0o777).to.equal(0o600);
    expect((await stat(dirname(await codeFile()))).mode & 0o777).to.equal(0o700);
    const before = await identity();
    await works();
    expect(await identity()).to.equal(before);
  });

  it('is made anew where it is of no use to V8', async () => {
    const path = await codeFile();
    const bytes = await readFile(path);
    // As if it were another version's.
    bytes.fill(0, bytes.indexOf('\n') + 1, bytes.indexOf('\n') + 17);
    await writeFile(path, bytes);
    await works();
    expect(await readFile(path)).not.to.deep.equal(bytes);
  });

  it('is not taken from a file that others may write', async () => {
    const path = await codeFile();
    await writeFile(path, 'anything');
    await chmod(path, 0o622);
    await works();
    expect((await readFile(path, 'utf8')).startsWith('[')).to.equal(true);
  });

  it('is done without where there is no such folder, none can be made, or it is not wanted', async () => {
    await works({});
    await works({ XDG_CACHE_HOME: '/dev/null' });
    await rm(cache, { recursive: true });
    await works({ XDG_CACHE_HOME: cache, NODE_DISABLE_COMPILE_CACHE: '1' });
    expect(await readdir(elsewhere)).not.to.contain('cache');
  });
});
