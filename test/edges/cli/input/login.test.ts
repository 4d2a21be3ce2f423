import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { startService, type Service } from '../../../../adapters/http/index.ts';
import { createEspalier, openStore, type Espalier } from '../../../../adapters/service/index.ts';
import { openInBrowser } from '../../../../cli/io/browser.ts';
import { acmeDirectory, cliDirectory, type CliDirectory, devDirectory } from '../in-process.ts';

const REFUSED = `esp_${'A'.repeat(33)}`;

describe('espalier login', () => {
  let here: CliDirectory;
  let espalier: Espalier;
  let service: Service;
  let token: string;
  before(async () => {
    here = await cliDirectory();
    espalier = createEspalier({ store: await openStore('memory:') });
    const { id: userId } = await espalier.users.create({ name: 'Ada', email: 'ada@example.org' });
    ({ token } = await espalier.tokens.createFor({ userId, name: 'test' }));
    const { engine, identity } = espalier;
    service = await startService({ engine, identity, ready: () => espalier.store.ready(), port: 0 });
  });
  after(async () => {
    await service.close();
    await espalier.close();
    await here.close();
  });

  const config = () => join(here.path, 'espalier', 'config.json');

  it('asks for a token, shows nothing of it, and keeps it for its owner alone', async () => {
    const ran = await here.ok(['login', `${service.url}/`], { terminal: 80, typed: [['Token for', token]] });
    expect(ran.stdout).to.include('Ada <ada@example.org>');
    expect(ran.stdout + ran.stderr).not.to.include(token);
    expect((await stat(config())).mode & 0o777).to.equal(0o600);
    expect((await here.ok(['whoami', '--json'])).json()).to.include({ email: 'ada@example.org' });
  });

  it('tells of what a service does not have that the service may be older', async () => {
    const env = { ESPALIER_URL: service.url, ESPALIER_TOKEN: token };
    const ran = await here.run(['invitation', 'read', randomUUID()], { env });
    expect(ran.code).to.equal(3);
    expect(ran.stderr).to.include('older');
    expect((await here.run(['workspace', 'show', 'acme'], { env })).stderr).to.not.include('older');
  });

  it('takes one from the standard input, into a profile of any name that is used from then on', async () => {
    await here.ok(['config', 'set', 'store', 'file:x.db', '--in', 'work']);
    await here.ok(['config', 'set', 'logLevel', 'warn', '--in', 'work']);
    const nameless = await here.run(['login', service.url, '--save-as', ''], { stdin: `${token}\n` });
    expect(nameless.code).to.equal(2);
    await here.ok(['login', service.url, '--save-as', 'work'], { stdin: `${token}\n` });
    const file = JSON.parse(await readFile(config(), 'utf8')) as { current: string; profiles: Record<string, object> };
    expect(file.current).to.equal('work');
    expect(file.profiles['work']).to.deep.equal({ logLevel: 'warn', url: service.url, token });
  });

  it('keeps services below different paths of a host apart', async () => {
    const { engine, identity } = espalier;
    const options = { engine, identity, ready: () => espalier.store.ready(), port: 0, basePath: '/tracker' };
    const below = await startService(options);
    try {
      const { host } = new URL(below.url);
      await here.ok(['login', `${below.url}/`], { stdin: token });
      const { current, profiles } = JSON.parse(await readFile(config(), 'utf8')) as {
        current: string;
        profiles: Record<string, object>;
      };
      expect(current).to.equal(`${host}/tracker`);
      expect(profiles[current]).to.deep.equal({ url: below.url, token });
      await here.ok(['config', 'use', 'work']);
    } finally {
      await below.close();
    }
  });

  it('says that a token is refused, and keeps nothing then', async () => {
    const before = await readFile(config(), 'utf8');
    const ran = await here.run(['login', service.url], { stdin: REFUSED });
    expect(ran.code).to.equal(4);
    expect(ran.stderr).to.include('refuses the token').and.not.include(REFUSED);
    expect(await readFile(config(), 'utf8')).to.equal(before);
    expect((await here.run(['login', service.url], { stdin: '\n' })).code).to.equal(2);
    expect((await here.run(['login', 'tasks.example.org'], { stdin: token })).code).to.equal(2);
  });

  it('keeps no token for a service of another kind that answers with JSON', async () => {
    const before = await readFile(config(), 'utf8');
    const other = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json').end('{"name":"Ada"}');
    }).listen(0, '127.0.0.1');
    try {
      await once(other, 'listening');
      const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
      const { code, stdout } = await here.run(['login', url], { stdin: token });
      expect([code, stdout]).to.deep.equal([2, '']);
      expect(await readFile(config(), 'utf8')).to.equal(before);
    } finally {
      other.close();
    }
  });

  it('tells an address without its scheme with one, as every command does', async () => {
    for (const [address, meant] of [
      ['localhost:4800', 'http://localhost:4800'],
      ['[::1]:4800', 'http://[::1]:4800'],
      ['tasks.example.org', 'https://tasks.example.org'],
    ] as const) {
      for (const args of [
        ['login', address],
        ['whoami', '--url', address],
        ['config', 'set', 'url', address],
      ]) {
        const ran = await here.run(args, { stdin: token });
        expect(ran.code, args.join(' ')).to.equal(2);
        expect(ran.stderr, args.join(' ')).to.include(`Did you mean ${meant}?`);
      }
    }
  });

  it('refuses a URL that cannot be that of a service, as every command does, and repeats nothing of it', async () => {
    const below = await here.run(['login', `${service.url}/api`], { stdin: token });
    expect(below.code).to.equal(2);
    const urls = [`${service.url}?hunter2`, service.url.replace('//', '//ada:hunter2@')];
    for (const url of [...urls, 'ada:hunter2@example.org', 'example.org?hunter2']) {
      for (const args of [
        ['login', url],
        ['whoami', '--url', url],
        ['config', 'set', 'url', url],
      ]) {
        const ran = await here.run(args, { stdin: token, env: { ESPALIER_TOKEN: token } });
        expect(ran.code, args.join(' ')).to.equal(2);
        expect(ran.stdout + ran.stderr).not.to.include('hunter2');
      }
    }
  });

  it('takes a token of spaces for none', async () => {
    const ran = await here.run(['whoami'], { env: { ESPALIER_URL: service.url, ESPALIER_TOKEN: ' ' } });
    expect(ran.code).to.equal(4);
    expect(ran.stderr).to.include('ESPALIER_TOKEN').and.include('espalier login');
  });

  it('every command says where a refused token comes from', async () => {
    const ran = await here.run(['whoami'], { env: { ESPALIER_TOKEN: REFUSED } });
    expect(ran.code).to.equal(4);
    expect(ran.stderr).to.include('ESPALIER_TOKEN').and.include('espalier login').and.not.include(REFUSED);
  });

  it('names the variables that keep a new profile from being used', async () => {
    const args = ['login', service.url, '--save-as', 'overridden'];
    const inUse = await here.ok(args, { stdin: token });
    expect(inUse.stderr).not.to.include('unset');
    const env = { ESPALIER_TOKEN: REFUSED };
    const overridden = await here.ok(args, { stdin: token, env });
    expect(overridden.stderr.trim().endsWith('unset ESPALIER_TOKEN')).to.equal(true);
    const refused = await here.run(['whoami'], { env });
    expect(refused.stderr).to.include('unset ESPALIER_TOKEN');
    await here.ok(['whoami']);
    expect((await here.ok(['complete', '--', '--profile', 'over'])).stdout.trim()).to.equal('overridden');
  });

  it('docs prints the address of the reference, and opens it where there is a browser', async () => {
    const url = `${service.url}/api/docs`;
    expect((await here.ok(['docs', '--json'])).json()).to.deep.equal({ url, isOpen: false });
    const browser = join(here.path, 'browser');
    await writeFile(browser, `#!/bin/sh\nexit 0\n`);
    await chmod(browser, 0o755);
    expect((await here.ok(['docs', '--json'], { env: { BROWSER: browser } })).json()).to.deep.equal({
      url,
      isOpen: true,
    });
    const only = ['docs', '--no-browser', '--json'];
    expect((await here.ok(only, { env: { BROWSER: browser } })).json()).to.include({ isOpen: false });
    const env = { ESPALIER_PORT: '1', ESPALIER_BASE_PATH: '/tracker' };
    const elsewhere = await here.ok(['docs', '--store', 'memory:', '--json'], { env });
    expect(elsewhere.json()).to.include({ url: 'http://127.0.0.1:1/tracker/api/docs' });
    expect(elsewhere.stderr).to.include('espalier serve');
    expect(await openInBrowser(url, { BROWSER: join(here.path, 'no-such-program') })).to.equal(false);
  });
});

const NIL = '00000000-0000-0000-0000-000000000000';

describe('A message of the engine', () => {
  let here: CliDirectory;
  before(async () => {
    here = await devDirectory();
  });
  after(() => here.close());

  for (const [line, told] of [
    [['task', 'edit', '1', '--end', '2026-02-30'], /^espalier: --end must be a day/],
    [
      ['task', 'edit', '1', '--start', '2026-03-02', '--end', '2026-03-01'],
      /^espalier: --end must not be before --start/,
    ],
    [['task', 'create', '-b', 'Dev', '-t', ''], /^espalier: --title must/],
    [['task', 'edit', '1', '--tag', NIL, '--add-tag', NIL], /^espalier: --add-tag must not be combined with --tag /],
    [['task', 'list', '--end-from', '2026-02-30'], /^espalier: --end-from must be/],
    [
      ['task', 'edit', '1', '--assignee', '018f6a3e-0000-7000-8000-000000000000'],
      /^espalier: --assignee names something/,
    ],
    [['workspace', 'create', '--name', 'X', '--alias', 'a_b'], /^espalier: --alias /],
    [['comment', 'create', '1', ''], /^espalier: <text> must/],
    [['page', 'edit', 'Dev', '--name', ''], /^espalier: --name must/],
    [['board', 'create', '--name', 'X', '--columns', 'x'.repeat(101)], /^espalier: --columns must/],
  ] as const) {
    it(`speaks of what was typed: ${line.join(' ').slice(0, 60)}`, async () => {
      const ran = await here.run(line);
      expect(ran.code).to.equal(2);
      expect(ran.stderr).to.match(told);
    });
  }

  it('speaks of what was typed where no field is wrong by itself', async () => {
    const full = await here.run(['status', 'delete', 'Todo', '-b', 'Dev', '--yes']);
    expect(full.code).to.equal(5);
    expect(full.stderr).to.include('with --move-to').and.include('status-not-empty');
  });
});

describe('A person at a terminal', () => {
  let here: CliDirectory;
  before(async () => {
    here = await acmeDirectory();
  });
  after(() => here.close());

  it('is asked for what is missing, and nobody else is', async () => {
    expect((await here.run(['board', 'create'])).code).to.equal(2);
    await here.ok(['board', 'create'], { terminal: 80, typed: [['name', 'Dev']] });
    await here.ok(['task', 'create'], { terminal: 80, typed: [['title', 'One']] });
    await here.ok(['page', 'create', '--name', 'Ops'], { terminal: 80, typed: [['type', '2']] });
    await here.ok(['status', 'create', '-b', 'Ops', '--name', 'Todo'], { terminal: 80, typed: [] });
    const typed = [
      ['board', 'Ops'],
      ['title', 'Two'],
    ] as const;
    await here.ok(['task', 'create'], { terminal: 80, typed });
    expect((await here.run(['task', 'create', '-t', 'Three'])).code).to.equal(2);
    expect((await here.run(['board', 'create'], { terminal: 80, typed: [['name', '']] })).code).to.equal(2);
    const tasks = (await here.ok(['task', 'list', '--json'])).json<{ title: string }[]>();
    expect(tasks.map(({ title }) => title)).to.deep.equal(['One', 'Two']);
  });
});
