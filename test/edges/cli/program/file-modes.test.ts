import { execFile, spawnSync } from 'node:child_process';
import { chmod, copyFile, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { embeddedStore } from '../../../../adapters/store-embedded/index.ts';
import { needs, runs } from '../../../fixtures/available.ts';
import { MAIN } from '../child.ts';
import { cliDirectory, type CliDirectory } from '../in-process.ts';
import { startServe } from '../serve/serve-process.ts';

const run = promisify(execFile);
const MAKE = ['user', 'create', '--name', 'Ada', '--email', 'ada@example.org'];

describe('Files that the program makes', () => {
  let here: CliDirectory;
  beforeEach(async () => {
    here = await cliDirectory();
    here.env['ESPALIER_STORE'] = 'file:here.db';
  });
  afterEach(() => here.close());

  /** In a process of its own with this umask. */
  async function under(umask: string, args: readonly string[], env: Record<string, string> = {}) {
    const command = `umask ${umask}; exec "$0" "$@"`;
    const options = { cwd: here.path, env: { PATH: process.env['PATH'], ...here.env, ...env } };
    return run('sh', ['-c', command, process.execPath, MAIN, ...args], options);
  }

  async function mode(name: string): Promise<string> {
    return ((await stat(join(here.path, name))).mode & 0o777).toString(8);
  }

  for (const umask of ['000', '022', '077']) {
    it(`are for their owner alone with umask ${umask}: store, lock file, folders, export and profile`, async () => {
      const env = { ESPALIER_STORE: 'file:a/b/here.db', XDG_CONFIG_HOME: join(here.path, 'config') };
      await under(umask, ['init', '--name', 'Ada', '--email', 'ada@example.org'], env);
      const as = { ...env, ESPALIER_AS: 'ada@example.org' };
      await under(umask, ['workspace', 'create', '--name', 'Acme'], as);
      await under(umask, ['export', 'acme.jsonl', '--workspace', 'acme'], as);
      for (const folder of ['a', 'a/b', 'config', 'config/espalier'])
        expect(await mode(folder), folder).to.equal('700');
      const files = ['a/b/here.db', 'a/b/here.db-lock', 'acme.jsonl', 'config/espalier/config.json'];
      for (const file of files) expect(await mode(file), file).to.equal('600');
    });

    it(`are for several users where that is asked for, with umask ${umask}, but for the profile`, async () => {
      const env = { ESPALIER_STORE: 'file:a/b/here.db', XDG_CONFIG_HOME: join(here.path, 'config') };
      const shared = ['--file-mode', '0660'];
      await under(umask, ['init', '--name', 'Ada', '--email', 'ada@example.org', ...shared], env);
      const as = { ...env, ESPALIER_AS: 'ada@example.org' };
      await under(umask, ['workspace', 'create', '--name', 'Acme'], as);
      await under(umask, ['export', 'acme.jsonl', '--workspace', 'acme', ...shared], as);
      for (const folder of ['a', 'a/b']) expect(await mode(folder), folder).to.equal('770');
      for (const file of ['a/b/here.db', 'a/b/here.db-lock', 'acme.jsonl'])
        expect(await mode(file), file).to.equal('660');
      expect(await mode('config/espalier/config.json')).to.equal('600');
      // The environment says the same, and an import makes a store as well.
      const set = { ...as, ESPALIER_AS: '', ESPALIER_STORE: 'file:other.db', ESPALIER_FILE_MODE: '0640' };
      await under(umask, ['import', 'acme.jsonl'], set).catch(() => {});
      for (const file of ['other.db', 'other.db-lock']) expect(await mode(file), file).to.equal('640');
    });
  }

  it('never have other permissions, from the first moment', async function () {
    needs(this, 'strace', runs('strace', '-V'));
    this.timeout(60_000);
    const trace = join(here.path, 'trace');
    const env = { PATH: process.env['PATH'], ...here.env, ESPALIER_STORE: 'file:a/here.db' };
    const traced = (...args: readonly string[]): void => {
      const calls = 'open,openat,creat,mkdir,mkdirat';
      const strace = ['-f', '-qq', '-A', '-o', trace, '-e', `trace=${calls}`, process.execPath, MAIN, ...args];
      const ended = spawnSync('strace', strace, { cwd: here.path, env });
      expect(ended.status, String(ended.stderr)).to.equal(0);
    };
    traced('init', '--name', 'Ada', '--email', 'ada@example.org');
    await rm(join(here.path, 'a/here.db-lock'));
    traced('workspace', 'create', '--name', 'Acme', '--as', 'ada@example.org');
    traced('export', 'acme.jsonl', '--workspace', 'acme');
    const made = (await readFile(trace, 'utf8'))
      .split('\n')
      .filter((line) => /O_CREAT|mkdir/.test(line) && /here\.db|acme|config|\/a"/.test(line) && !/ = -1 /.test(line));
    expect(made.join('\n')).to.include('here.db"').and.include('here.db-lock"').and.include('acme.jsonl.part-');
    for (const line of made) {
      // Without O_EXCL the engine opens what is there.
      if (line.includes('O_EXCL') || line.includes('mkdir')) expect(line).to.match(/0[67]00\)/);
      else expect(line).to.match(/here\.db.*0600\)/);
    }
  });

  it('an export has its name only once it is on the disk', async function () {
    needs(this, 'strace', runs('strace', '-V'));
    await here.ok(MAKE);
    await here.ok(['workspace', 'create', '--name', 'Acme', '--as', 'ada@example.org']);
    const trace = join(here.path, 'trace');
    const calls = 'fsync,fdatasync,rename,renameat,renameat2';
    const program = [process.execPath, MAIN, 'export', 'acme.jsonl', '--workspace', 'acme'];
    const strace = ['-f', '-qq', '-y', '-o', trace, '-e', `trace=${calls}`, ...program];
    const ran = spawnSync('strace', strace, { cwd: here.path, env: { PATH: process.env['PATH'], ...here.env } });
    expect(ran.status, String(ran.stderr)).to.equal(0);
    const made = (await readFile(trace, 'utf8')).split('\n').filter((line) => line.includes('acme.jsonl.part'));
    expect(made.map((line) => /\b(?:f(?:data)?sync|rename)/.exec(line)?.[0])).to.deep.equal(['fsync', 'rename']);
  });

  it('keep the permissions that they have, and a new lock file has those of its store', async () => {
    await here.ok(MAKE);
    await chmod(join(here.path, 'here.db'), 0o640);
    await chmod(join(here.path, 'here.db-lock'), 0o644);
    await here.ok(['user', 'list']);
    expect([await mode('here.db'), await mode('here.db-lock')]).to.deep.equal(['640', '644']);
    await rm(join(here.path, 'here.db-lock'));
    await here.ok(['user', 'list']);
    expect([await mode('here.db'), await mode('here.db-lock')]).to.deep.equal(['640', '640']);
    await here.ok(['workspace', 'create', '--name', 'Acme', '--as', 'ada@example.org']);
    await writeFile(join(here.path, 'acme.jsonl'), '');
    await chmod(join(here.path, 'acme.jsonl'), 0o644);
    await here.ok(['export', 'acme.jsonl', '--workspace', 'acme']);
    expect(await mode('acme.jsonl')).to.equal('644');
  });

  it('an export follows nothing that lies in its way', async () => {
    await here.ok(MAKE);
    await here.ok(['workspace', 'create', '--name', 'Acme', '--as', 'ada@example.org']);
    await writeFile(join(here.path, 'precious'), 'mine');
    await symlink(join(here.path, 'precious'), join(here.path, 'acme.jsonl.part'));
    await here.ok(['export', 'acme.jsonl', '--workspace', 'acme']);
    expect(await readFile(join(here.path, 'precious'), 'utf8')).to.equal('mine');
    expect(await mode('acme.jsonl')).to.equal('600');
  });

  it('a store follows nothing that lies in the way of its lock file', async () => {
    const path = join(here.path, 'here.db');
    await writeFile(join(here.path, 'precious'), 'mine');
    await symlink(join(here.path, 'precious'), `${path}-lock.${process.pid}`);
    const store = embeddedStore({ path });
    await store.ready();
    await store.close();
    expect(await readFile(join(here.path, 'precious'), 'utf8')).to.equal('mine');
    expect((await readdir(here.path)).sort()).to.include.members(['here.db', 'here.db-lock', 'precious']);
  });

  it('are the same when several processes start at once, and with workers', async function () {
    this.timeout(60_000);
    const names = ['Ada', 'Ben', 'Cleo', 'Dan'];
    await Promise.all(
      names.map((name) => under('000', ['user', 'create', '--name', name, '--email', `${name}@example.org`])),
    );
    expect((await here.ok(['user', 'list', '--json'])).json()).to.have.length(names.length);
    expect([await mode('here.db'), await mode('here.db-lock')]).to.deep.equal(['600', '600']);
    for (const name of await readdir(here.path)) if (name.startsWith('here')) await rm(join(here.path, name));
    const before = process.umask(0);
    const team = startServe(here, '--port', '0', '--workers', '2', '--file-mode', '0660');
    process.umask(before);
    await team.started;
    expect([await mode('here.db'), await mode('here.db-lock')]).to.deep.equal(['660', '660']);
    team.child.kill('SIGTERM');
    expect((await team.done).code).to.equal(0);
  });

  it('are made by the library in the same way', async () => {
    const before = process.umask(0);
    try {
      for (const [name, options, expected] of [
        ['alone/a.db', {}, '600'],
        ['shared/b.db', { fileMode: 0o660 }, '660'],
      ] as const) {
        const store = embeddedStore({ path: join(here.path, name), ...options });
        await store.ready();
        await store.close();
        expect([await mode(name), await mode(`${name}-lock`)]).to.deep.equal([expected, expected]);
      }
      expect([await mode('alone'), await mode('shared')]).to.deep.equal(['700', '770']);
    } finally {
      process.umask(before);
    }
  });

  it('are named by the doctor where others may use them, unless that is set', async () => {
    await here.ok(MAKE);
    await here.ok(['config', 'set', 'port', '5000']);
    const open = async (...args: string[]) =>
      (await here.ok(['doctor', '--json', ...args])).json<{ openFiles: object[] }>().openFiles;
    expect(await open()).to.deep.equal([]);
    await chmod(join(here.path, 'here.db'), 0o664);
    await chmod(join(here.path, 'here.db-lock'), 0o660);
    await chmod(join(here.path, 'espalier/config.json'), 0o604);
    const store = join(here.path, 'here.db');
    const profile = { path: join(here.path, 'espalier/config.json'), mode: '0604', to: 'everybody' };
    expect(await open()).to.deep.equal([
      { path: store, mode: '0664', to: 'everybody' },
      { path: `${store}-lock`, mode: '0660', to: 'group' },
      profile,
    ]);
    expect((await here.ok(['doctor'])).stderr)
      .to.include(store)
      .and.include('chmod 600');
    here.env['ESPALIER_FILE_MODE'] = '0664';
    expect(await open()).to.deep.equal([profile]);
  });

  it('need permissions that make sense', async () => {
    for (const wrong of ['0060', '0777', '66', 'rw', '0666x']) {
      expect((await here.run([...MAKE], { env: { ESPALIER_FILE_MODE: wrong } })).code, wrong).to.equal(2);
    }
    expect(await readdir(here.path)).to.deep.equal([]);
  });
});

describe('A store that is not there', () => {
  let here: CliDirectory;
  beforeEach(async () => {
    here = await cliDirectory();
    here.env['ESPALIER_STORE'] = 'file:folder/typo.db';
  });
  afterEach(() => here.close());

  const COMMANDS = [['doctor'], ['user', 'list'], ['audit', 'service'], ['export', 'x.jsonl', '--workspace', 'acme']];
  for (const words of [...COMMANDS, ['workspace', 'list', '--as', 'ada@example.org']]) {
    it(`is told of by ${words.slice(0, 2).join(' ')}, which makes none`, async () => {
      const ran = await here.run(words);
      expect(ran.code, ran.stderr).to.equal(3);
      expect(ran.stderr).to.include(join(here.path, 'folder/typo.db'));
      expect(await readdir(here.path)).to.deep.equal([]);
      // An empty file would become one.
      await mkdir(join(here.path, 'folder'));
      await writeFile(join(here.path, 'folder/typo.db'), '');
      expect((await here.run(words)).code).to.equal(3);
      expect((await stat(join(here.path, 'folder/typo.db'))).size).to.equal(0);
    });
  }

  it('is made by init, user create and import, which say so, once', async () => {
    const made = `Created a new store: ${join(here.path, 'folder/typo.db')}`;
    expect((await here.ok(MAKE)).stderr).to.include(made);
    expect((await here.ok(['user', 'list'])).stderr).not.to.include('Made');
    await here.ok(['workspace', 'create', '--name', 'Acme', '--as', 'ada@example.org']);
    await here.ok(['export', 'acme.jsonl', '--workspace', 'acme']);
    await copyFile(join(here.path, 'folder/typo.db'), join(here.path, 'copy.db'));
    await rm(join(here.path, 'folder'), { recursive: true });
    expect((await here.ok(['init', '--name', 'Ada', '--email', 'ada@example.org'])).stderr).to.include(made);
    await rm(join(here.path, 'folder'), { recursive: true });
    const imported = await here.run(['import', 'acme.jsonl']);
    expect(imported.stderr).to.include(made);
  });
});
