import { lstat, mkdir, readdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { cliDirectory, type CliDirectory } from '../in-process.ts';

interface Row {
  readonly name: string;
  readonly value: string | null;
  readonly source: string | null;
}

describe('Settings', () => {
  let here: CliDirectory;
  beforeEach(async () => {
    here = await cliDirectory();
  });
  afterEach(() => here.close());

  async function setting(
    name: string,
    args: readonly string[] = [],
    env: Record<string, string> = {},
  ): Promise<string> {
    const rows = (await here.ok(['config', 'show', '--json', ...args], { env })).json<Row[]>();
    const row = rows.find((one) => one.name === name)!;
    return `${row.value} ${row.source}`;
  }

  it('come from a flag, the environment, a profile, or the default, in this order', async () => {
    expect(await setting('store')).to.equal('file:espalier.db default');
    await here.ok(['config', 'set', 'store', 'file:profile.db']);
    const whole = `file:${join(here.path, 'profile.db')}`;
    expect(await setting('store')).to.equal(`${whole} profile`);
    expect((await here.ok(['config', 'get', 'store'], { cwd: '/' })).stdout).to.equal(`${whole}\n`);
    expect(await setting('store', [], { ESPALIER_STORE: 'file:env.db' })).to.equal('file:env.db environment');
    expect(await setting('store', ['--store', 'file:flag.db'], { ESPALIER_STORE: 'file:env.db' })).to.equal(
      'file:flag.db flag',
    );
    await here.ok(['config', 'unset', 'store']);
    expect(await setting('store', [], { ESPALIER_STORE: '' })).to.equal('file:espalier.db default');
  });

  it("the process's own environment stands in for no flag", async () => {
    const before = process.env['ESPALIER_STORE'];
    process.env['ESPALIER_STORE'] = 'file:process.db';
    try {
      expect(await setting('store')).to.equal('file:espalier.db default');
    } finally {
      if (before === undefined) delete process.env['ESPALIER_STORE'];
      else process.env['ESPALIER_STORE'] = before;
    }
  });

  it('refuses a level of the log that there is not, wherever it comes from', async () => {
    const serve = ['serve', '--store', 'memory:', '--port', '0'];
    expect((await here.run([...serve, '--log-level', 'loud'])).code).to.equal(2);
    expect((await here.run(serve, { env: { ESPALIER_LOG_LEVEL: 'loud' } })).code).to.equal(2);
  });

  it('refuses a service where a store goes', async () => {
    for (const command of [
      ['task', 'list'],
      ['serve', '--port', '0'],
    ]) {
      const { code, stderr } = await here.run(command, { env: { ESPALIER_STORE: 'http://127.0.0.1:4800' } });
      expect(code).to.equal(2);
      expect(stderr).to.include('ESPALIER_URL');
    }
  });

  it('of a profile stay with the store that it names', async () => {
    await here.ok(['config', 'set', 'as', 'ada@example.org']);
    expect(await setting('as')).to.equal('ada@example.org profile');
    expect(await setting('as', ['--store', 'file:other.db'])).to.equal('null null');
    expect(await setting('as', ['--store', 'file:other.db'], { ESPALIER_AS: 'b@example.org' })).to.equal(
      'b@example.org environment',
    );
  });

  it('of a store that is not there make none when there is nobody to act as', async () => {
    const typo = await here.run(['--store', 'file:typo.db', '--as', 'ada@example.org', 'workspace', 'list']);
    expect([typo.code, typo.stdout]).to.deep.equal([3, '']);
    expect(await readdir(here.path)).to.not.include('typo.db');
    expect((await here.run(['--store', 'memory:', '--as', 'ada@example.org', 'workspace', 'list'])).code).to.equal(3);
  });

  it('a token is never taken from the command line, never shown, and kept from others', async () => {
    expect((await here.run(['config', 'set', 'token', 'esp_secret'])).code).to.equal(2);
    await here.ok(['config', 'set', 'token', '-', '--in', 'work'], { stdin: 'esp_secret\n' });
    await here.ok(['config', 'use', 'work']);
    expect(await setting('token')).to.equal('(set) profile');
    expect((await here.ok(['config', 'show'])).stdout).not.to.include('esp_secret');
    const mongodb = { ESPALIER_STORE: 'mongodb://ada:hush@db.example/espalier' };
    expect(await setting('store', [], mongodb)).to.equal('mongodb://ada:***@db.example/espalier environment');
    const file = join(here.path, 'espalier', 'config.json');
    expect((await stat(file)).mode & 0o777).to.equal(0o600);
    expect(await readFile(file, 'utf8')).to.include('esp_secret');
    expect(await setting('token', ['--url', 'http://elsewhere.example'])).to.equal('null null');
  });

  it('that several commands keep at once are all kept', async () => {
    const kept = Array.from({ length: 12 }, (_, i) => `work${i}`);
    await Promise.all(kept.map((name) => here.ok(['config', 'set', 'port', '5000', '--in', name])));
    const profiles = (await here.ok(['config', 'profiles', '--json'])).json<readonly { readonly name: string }[]>();
    expect(profiles.map(({ name }) => name)).to.have.members(kept);
    const { code } = await here.run(['config', 'use', 'nosuch']);
    expect(code).to.equal(3);
    expect(await readdir(join(here.path, 'espalier'))).to.deep.equal(['config.json']);
  });

  it('are kept where a symbolic link leads, for their owner alone', async () => {
    await here.ok(['config', 'set', 'port', '5000']);
    const [file, elsewhere] = [join(here.path, 'espalier', 'config.json'), join(here.path, 'dotfiles')];
    await mkdir(elsewhere);
    await rename(file, join(elsewhere, 'espalier.json'));
    await symlink('../dotfiles/espalier.json', file);
    await here.ok(['config', 'set', 'port', '5001']);
    expect((await lstat(file)).isSymbolicLink()).to.equal(true);
    expect(await setting('port')).to.equal('5001 profile');
    expect((await stat(file)).mode & 0o777).to.equal(0o600);
  });

  it('that cannot be kept are refused with what to do', async () => {
    await mkdir(join(here.path, 'espalier'));
    await symlink(join(here.path, 'nowhere', 'config.json'), join(here.path, 'espalier', 'config.json'));
    const { code, stderr } = await here.run(['config', 'set', 'port', '5000']);
    expect(code).to.equal(1);
    expect(stderr).to.include('XDG_CONFIG_HOME');
  });

  it('are told on lines that fit the terminal', async () => {
    await here.ok(['config', 'set', 'store', `file:/srv/${'long/'.repeat(30)}team.db`]);
    for (const terminal of [80, 200]) {
      const { stdout } = await here.ok(['config', 'show'], { terminal });
      for (const line of stdout.split('\n')) expect(line.length, line).to.be.at.most(terminal);
    }
  });

  it('profiles are told by name, and unknown ones refused', async () => {
    await here.ok(['config', 'set', 'port', '5000', '--in', 'work']);
    expect(await setting('port', ['--profile', 'work'])).to.equal('5000 profile');
    expect(await setting('port', [], { ESPALIER_PROFILE: 'work' })).to.equal('5000 profile');
    expect((await here.run(['config', 'show', '--profile', 'nosuch'])).code).to.equal(2);
    expect((await here.run(['config', 'use', 'nosuch'])).code).to.equal(3);
    expect((await here.run(['config', 'set', 'nosuch', '1'])).code).to.equal(2);
    expect((await here.run(['config', 'set', 'port', '5000', '--in', ''])).code).to.equal(2);
    expect((await here.ok(['config', 'profiles', '--json'])).json()).to.deep.equal([{ name: 'work', current: false }]);
  });

  it('are checked when they are kept', async () => {
    const wrong = [
      ['store', 'typo.db'],
      ['store', 'file:'],
      ['url', 'localhost:4800'],
      ['port', '99999'],
      ['workers', '0'],
      ['basePath', 'tracker/'],
      ['adminEmail', 'nix'],
      ['trustedProxies', 'nix'],
      ['fileMode', '0777'],
      ['quotas', 'tasks=many'],
      ['requestsPerMinute', 'many'],
      ['requireIfMatch', 'yes'],
      ['maxConnections', '0'],
      ['stallTimeout', '1.5'],
      ['unreadLimit', '64MiB'],
      ['queryTimeout', '3601'],
      ['noCompression', 'no'],
      ['board', 'yes'],
      ['noBoard', 'no'],
      ['logLevel', 'loud'],
    ] as const;
    for (const [name, value] of wrong) {
      expect((await here.run(['config', 'set', name, value])).code, `${name} ${value}`).to.equal(2);
    }
    for (const [name, value] of [
      ['store', 'memory:'],
      ['url', 'https://tasks.example.org'],
      ['port', '0'],
      ['workers', '4'],
      ['basePath', '/tracker'],
      ['fileMode', '0660'],
      ['quotas', 'tasks=10'],
      ['requireIfMatch', 'true'],
      ['noImpersonation', '1'],
      ['noBoard', '0'],
      ['maxConnections', '10000'],
      ['stallTimeout', '60'],
      ['unreadLimit', '64'],
      ['queryTimeout', '30'],
      ['noCompression', 'true'],
      ['logLevel', 'debug'],
    ] as const) {
      await here.ok(['config', 'set', name, value, '--in', 'other']);
    }
  });

  it('are told one by one, but for secrets, with the place where they are kept', async () => {
    expect((await here.ok(['config', 'get', 'port'])).stdout).to.equal('4800\n');
    expect((await here.run(['config', 'get', 'workspace'])).code).to.equal(3);
    expect((await here.run(['config', 'get', 'token'])).code).to.equal(2);
    expect((await here.run(['config', 'get', 'nosuch'])).code).to.equal(2);
    expect((await here.ok(['config', 'path'])).stdout).to.equal(`${join(here.path, 'espalier', 'config.json')}\n`);
    expect((await here.ok(['config', 'list', '--json'])).stdout).to.equal(
      (await here.ok(['config', 'show', '--json'])).stdout,
    );
  });

  it('are read without a profile where the home directory is no folder', async () => {
    const home = { XDG_CONFIG_HOME: '', HOME: '/dev/null' };
    expect(await setting('port', [], home)).to.equal('4800 default');
    expect((await here.run(['config', 'set', 'port', '5000'], { env: home })).code).to.equal(1);
  });

  it('a damaged profile file is named', async () => {
    await here.ok(['config', 'set', 'port', '5000']);
    for (const text of ['{', '', 'null', '[]']) {
      await writeFile(join(here.path, 'espalier', 'config.json'), text);
      const ran = await here.run(['config', 'show']);
      expect(ran.code).to.equal(2);
      expect(ran.stderr).to.include('config.json').and.not.include('destructure');
    }
  });

  it('a profile file may begin with a byte order mark, as some editors write it', async () => {
    await here.ok(['config', 'set', 'port', '5000']);
    const path = join(here.path, 'espalier', 'config.json');
    await writeFile(path, `\uFEFF${await readFile(path, 'utf8')}`);
    expect((await here.ok(['config', 'get', 'port'])).stdout).to.equal('5000\n');
  });

  it('a profile with a store and a service names the setting to take away', async () => {
    await here.ok(['config', 'set', 'store', 'file:here.db']);
    await here.ok(['config', 'set', 'url', 'http://127.0.0.1:9']);
    const both = await here.run(['whoami']);
    expect(both.code).to.equal(2);
    expect(both.stderr).to.include('espalier config unset url');
    await here.ok(['config', 'unset', 'url']);
    expect((await here.run(['whoami'])).code).to.equal(3);
  });

  it('without a user, the operator is told what is missing; a service needs a token and must answer', async () => {
    await here.ok(['user', 'create', '--name', 'Ada', '--email', 'ada@example.org']);
    expect((await here.run(['workspace', 'list'])).code).to.equal(4);
    expect((await here.run(['workspace', 'list', '--as', 'nobody@example.org'])).code).to.equal(3);
    const url = { ESPALIER_URL: 'http://127.0.0.1:9' };
    expect((await here.run(['workspace', 'list'], { env: url })).code).to.equal(4);
    const gone = await here.run(['workspace', 'list'], { env: { ...url, ESPALIER_TOKEN: 'esp_x' } });
    expect(gone.code).to.equal(1);
    expect((await here.run(['workspace', 'list', '--url', 'ftp://x'])).code).to.equal(2);
  });
});
