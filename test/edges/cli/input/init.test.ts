import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { cliDirectory, type CliDirectory } from '../in-process.ts';

describe('init', () => {
  let here: CliDirectory;
  beforeEach(async () => {
    here = await cliDirectory();
  });
  afterEach(() => here.close());

  it('makes store, user and profile, and may be run again', async () => {
    const init = ['init', '--name', 'Ada', '--email', 'ada@example.org', '--json'];
    const first = (await here.ok(init)).json<{ user: string }>();
    expect((await here.ok(init)).json<{ user: string }>().user).to.equal(first.user);
    await here.ok(['workspace', 'create', '--name', 'Acme']);
    expect((await here.ok(['workspace', 'list', '--json'], { cwd: '/' })).json()).to.have.length(1);
    expect((await here.run([...init, '--store', 'memory:'])).code).to.equal(2);
  });

  it('makes no store where it cannot write the profile', async () => {
    const init = ['init', '--name', 'Ada', '--email', 'ada@example.org'];
    await writeFile(join(here.path, 'file'), '');
    const damaged = join(here.path, 'damaged');
    await mkdir(join(damaged, 'espalier'), { recursive: true });
    await writeFile(join(damaged, 'espalier', 'config.json'), '{');
    for (const [code, args, env] of [
      [1, init, { XDG_CONFIG_HOME: join(here.path, 'file') }],
      [2, init, { XDG_CONFIG_HOME: damaged }],
      [2, init, { XDG_CONFIG_HOME: '', HOME: '' }],
      [2, [...init, '--save-as', ''], {}],
    ] as const) {
      expect((await here.run(args, { env })).code).to.equal(code);
      expect((await readdir(here.path)).filter((name) => name.startsWith('espalier.db'))).to.deep.equal([]);
    }
  });

  it('makes the profile one of its store alone, whatever it named before', async () => {
    const init = ['init', '--name', 'Ada', '--email', 'ada@example.org'];
    for (const [name, value] of [
      ['url', 'http://127.0.0.1:9'],
      ['workspace', 'acme'],
      ['logLevel', 'warn'],
    ] as const)
      await here.ok(['config', 'set', name, value]);
    await here.ok(['config', 'set', 'token', '-'], { stdin: 'esp_x' });
    expect((await here.run(init)).code).to.equal(2);
    const made = await here.ok([...init, '--store', 'file:espalier.db']);
    expect(made.stdout).to.include('the user you now act as');
    const file = JSON.parse(await readFile(join(here.path, 'espalier', 'config.json'), 'utf8')) as object;
    const store = `file:${join(here.path, 'espalier.db')}`;
    expect(file).to.deep.equal({
      current: 'default',
      profiles: { default: { logLevel: 'warn', store, as: 'ada@example.org' } },
    });
    await here.ok(['config', 'set', 'workspace', 'acme']);
    await here.ok(init);
    expect((await here.ok(['config', 'get', 'workspace'])).stdout).to.equal('acme\n');
    expect((await here.ok(['whoami', '--json'])).json()).to.include({ email: 'ada@example.org' });
  });

  it('makes the store whomever the settings name, such as the user of a store that was removed', async () => {
    const init = ['init', '--name', 'Ada', '--email', 'ada@example.org'];
    await here.ok(init, { env: { ESPALIER_AS: 'ada@example.org' } });
    await rm(join(here.path, 'espalier.db'));
    await here.ok(init);
    expect((await here.ok(['whoami', '--json'])).json<{ email: string }>().email).to.equal('ada@example.org');
  });

  it('says what of the environment goes before its profile', async () => {
    const init = ['init', '--name', 'Ada', '--email', 'ada@example.org'];
    const env = { ESPALIER_STORE: 'file:here.db' };
    const ran = await here.ok(init, { env });
    expect(ran.stdout).not.to.include('the user you now act as');
    expect(ran.stderr).to.include('unset ESPALIER_STORE');
    expect((await here.run(['whoami'], { env })).code).to.equal(4);
    const acting = { ...env, ESPALIER_AS: 'ada@example.org' };
    expect((await here.ok(init, { env: acting })).stdout).to.include('the user you now act as');
    expect((await here.ok(['whoami', '--json'], { env: acting })).json()).to.include({ email: 'ada@example.org' });
  });
});
