import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { ended, MAIN, startAt } from './child.ts';
import { cliDirectory, type CliDirectory } from './in-process.ts';

const PACKAGE = fileURLToPath(new URL('../../../../', import.meta.url));

const USER = ['user', 'create', '--name', 'Ada', '--email', 'ada@example.org'];
const storeIn = (folder: string) => `file:${join(folder, 'here.db')}`;

describe('The bundled program and the code that was compiled for it', () => {
  let here: CliDirectory;
  let elsewhere: string;
  let main: string;

  before(async () => {
    here = await cliDirectory();
    elsewhere = await mkdtemp(join(tmpdir(), 'espalier-parts-'));
    main = join(elsewhere, 'dist', 'bin', 'espalier.js');
    await cp(dirname(MAIN), dirname(main), { recursive: true });
    await cp(join(PACKAGE, 'package.json'), join(elsewhere, 'package.json'));
    await here.ok([...USER, '--store', storeIn(elsewhere)]);
    await symlink(join(PACKAGE, 'node_modules'), join(elsewhere, 'node_modules'));
  });
  after(async () => {
    await here.close();
    await rm(elsewhere, { recursive: true, force: true });
  });

  async function codeFile(): Promise<string> {
    const found = (await readdir(dirname(main))).filter((name) => name.endsWith('.bin'));
    expect(found).to.have.length(1);
    return join(dirname(main), found[0]!);
  }

  async function works(): Promise<void> {
    const { code, stderr } = await ended(startAt(main, here, 'user', 'list', '--json', '--store', storeIn(elsewhere)));
    expect(code, stderr).to.equal(0);
  }

  it('fits: V8 takes it', () => {
    // In a process of its own: V8 refuses what was compiled under other flags, and some test may set one.
    const parts = JSON.stringify(join(dirname(MAIN), 'parts.js'));
    const { stdout, stderr } = spawnSync(process.execPath, ['-p', `require(${parts}).script.cachedDataRejected`]);
    expect(String(stdout), String(stderr)).to.equal('false\n');
  });

  it('is done without where it is of no use to V8', async () => {
    const path = await codeFile();
    const code = await readFile(path);
    // As if it were another version's.
    code.fill(0, 0, 16);
    await writeFile(path, code);
    await works();
  });

  it('is done without where there is none', async () => {
    await rm(await codeFile());
    await works();
  });
});
