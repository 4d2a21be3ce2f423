import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { embeddedStore } from '../../../../adapters/store-embedded/index.ts';
import { BOARD_FILE } from '../../../unit/trello/fixture.ts';
import { cliDirectory, type CliDirectory } from '../in-process.ts';
import { serving, type Started } from './serving.ts';

describe('what espalier serve is set to', () => {
  let here: CliDirectory;
  beforeEach(async () => {
    here = await cliDirectory();
  });
  afterEach(() => here.close());

  it('refuses settings that make no sense', async () => {
    for (const args of [
      ['--port', '70000'],
      ['--port', 'x'],
      ['--store', 'nothing:here'],
      ['--url', 'http://localhost:1'],
      ['--store', 'memory:', '--url', 'http://localhost:1'],
      ['--log-level', 'loud'],
      ['--nonsense'],
    ]) {
      expect((await here.run(['serve', ...args])).code, args.join(' ')).to.equal(2);
    }
    for (const flag of ['--trusted-proxies', '--admin-email']) {
      const { code, stderr } = await here.run(['serve', '--store', 'memory:', '--port', '0', flag, 'nix']);
      expect(code, flag).to.equal(2);
      expect(stderr).to.include(flag);
    }
  });

  it('names the address that it cannot listen on', async () => {
    // Of a network that no machine is in (RFC 5737).
    const host = '203.0.113.1';
    const { code, stderr } = await here.run(['serve', '--store', 'memory:', '--port', '0', '--host', host]);
    expect(code).to.equal(1);
    expect(stderr).to.include(host).and.include('--host').and.not.include('Unexpected');
  });

  it('lets nothing grow past its quotas, and takes no nonsense for one', async () => {
    const quotas = ['--quotas', 'pages=2, depth=1'];
    await serving(here, ['--store', 'memory:', ...quotas], async ({ url, administrator }) => {
      const headers = { authorization: `Bearer ${administrator!.token}`, 'content-type': 'application/json' };
      const post = (path: string, body: object) =>
        fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
      const { id } = (await (await post('/api/workspace', { name: 'Acme' })).json()) as { id: string };
      const page = { name: 'P', type: 'folder' };
      const seen = [];
      for (let i = 0; i < 3; i += 1) seen.push((await post(`/api/workspace/${id}/page`, page)).status);
      expect(seen).to.deep.equal([201, 201, 409]);
    });
    for (const value of [
      'tasks',
      'tasks=',
      'tasks=0',
      'tasks=-1',
      'tasks=1.5',
      'tsaks=1',
      'tasks=1,tasks=2',
      'x',
      ',',
    ]) {
      const ran = await here.run(['serve', '--store', 'memory:', '--port', '0', '--quotas', value]);
      expect([ran.code, ran.stdout], value).to.deep.equal([2, '']);
      expect(ran.stderr).to.contain('--quotas');
    }
  });

  it('keeps changes as long as it is told, and takes no nonsense for that', async () => {
    const env = { ESPALIER_STORE: 'file:here.db' };
    await serving(here, ['--store', 'file:here.db', '--keep-changes', '7d,500'], async () => undefined);
    const store = embeddedStore({ path: join(here.path, 'here.db') });
    expect((await store.read((tx) => tx.settings.get()))?.keepChanges).to.deep.equal({
      milliseconds: 7 * 86_400_000,
      count: 500,
    });
    await store.close();
    for (const value of ['x', ',', '0d', '7w', '7d,', ',500', '7d,0', '500,7d', '1d,2,3', 'forever,forever,1']) {
      const ran = await here.run(['serve', '--port', '0', '--keep-changes', value], { env });
      expect([ran.code, ran.stdout], value).to.deep.equal([2, '']);
    }
  });

  it('has commands on a store keep to the quotas that are set for it', async () => {
    const env = { ESPALIER_STORE: 'file:here.db', ESPALIER_AS: 'ada@example.org' };
    await here.ok(['user', 'create', '--name', 'Ada', '--email', 'ada@example.org', '--as', 'operator'], { env });
    await here.ok(['workspace', 'create', '--name', 'Acme'], { env });
    const set = (list: string) => here.run(['quota', 'set', list, '--as', 'operator'], { env });
    expect((await set('pages=1,tasks=none')).code).to.equal(0);
    for (const nonsense of ['pages', 'pages=0', 'pages=1.5', 'tsaks=1', 'pages=1,pages=2', 'tokens=10001']) {
      expect((await set(nonsense)).code, nonsense).to.equal(2);
    }
    expect((await here.run(['quota', 'list'], { env })).code).to.equal(4);
    const create = (name: string) =>
      here.run(['page', 'create', '--name', name, '--type', 'folder', '--workspace', 'acme'], { env });
    expect((await create('A')).code).to.equal(0);
    const refused = await create('B');
    expect(refused.code).to.equal(5);
    expect(refused.stderr).to.contain('quota-exceeded');
  });

  it('has limits and quotas of its own where it listens beyond loopback, and tells them', async () => {
    const store = ['--store', 'file:open.db'];
    const limited = async (args: readonly string[]) => {
      let told: { limits: object; quotas: Record<string, number | null> };
      await serving(here, [...store, ...args], async (served) => {
        told = served as unknown as typeof told;
      });
      return told!;
    };
    const inside = await limited([]);
    expect(inside.limits).to.deep.equal({});
    expect([inside.quotas['tasks'], inside.quotas['depth']]).to.deep.equal([null, 100]);
    const outside = await limited([
      '--host',
      '0.0.0.0',
      '--quotas',
      'pages=none,tags=7',
      '--failures-per-minute',
      'none',
    ]);
    expect(outside.limits).to.deep.equal({ requestsPerMinute: 1_200, unknownInvitationsPerMinute: 20 });
    const { quotas } = outside;
    expect([quotas['tasks'], quotas['pages'], quotas['tags']]).to.deep.equal([100_000, null, 7]);
    // From now on they hold for every process, and what was set stays.
    const again = await limited(['--host', '0.0.0.0']);
    expect(again.quotas).to.deep.equal(quotas);
    const listed = JSON.parse(
      (await here.ok(['quota', 'list', '--json', '--as', 'operator', ...store])).stdout,
    ) as object[];
    expect(listed).to.deep.include({ quota: 'tasks', limit: 100_000 });
  });

  it('has the same where others reach it through a proxy on this machine, and serves them no board', async () => {
    const proxy = ['--trusted-proxies', '127.0.0.1'];
    await serving(here, ['--store', 'memory:', ...proxy], async (served) => {
      const { limits, quotas, board } = served as unknown as {
        limits: object;
        quotas: Record<string, number | null>;
        board: string | null;
      };
      expect(limits).to.deep.equal({
        requestsPerMinute: 1_200,
        failuresPerMinute: 60,
        unknownInvitationsPerMinute: 20,
      });
      expect([quotas['tasks'], board]).to.deep.equal([100_000, null]);
    });
  });

  it('limits connections, and compresses nothing, as it is told', async () => {
    const set = ['--stall-timeout', '5', '--unread-limit', '8', '--query-timeout', '3', '--no-compression'];
    const env = { ESPALIER_MAX_CONNECTIONS: '2' };
    await serving(
      here,
      ['--store', 'memory:', '--load', BOARD_FILE, ...set],
      async (started) => {
        const expected = { maxConnections: 2, stallTimeout: 5_000, unreadLimit: 8 * 1_048_576 };
        expect(started).to.have.property('connections').that.deep.equals(expected);
        const headers = { authorization: `Bearer ${started.administrator!.token}`, 'accept-encoding': 'gzip' };
        const answer = await fetch(`${started.url}/api/openapi.json`, { headers: { ...headers, connection: 'close' } });
        expect((await answer.text()).length).to.be.above(100_000);
        const path = `${started.url}/api/workspace/${started.loaded!.workspaceId}/task`;
        const list = await fetch(path, { headers: { ...headers, connection: 'close' } });
        expect((await list.text()).length).to.be.above(4_096);
        expect(list.headers.get('content-encoding')).to.equal(null);
        const port = Number(new URL(started.url).port);
        const held = [connect(port), connect(port)];
        await Promise.all(held.map((socket) => once(socket, 'connect')));
        const refused = connect(port).setEncoding('utf8');
        expect(((await once(refused, 'data')) as [string])[0]).to.match(/^HTTP\/1\.1 503 /);
        for (const socket of [...held, refused]) socket.destroy();
      },
      env,
    );
  });

  it('takes switches as true or 1, and false or 0, and nothing else', async () => {
    const switches = [
      'REQUIRE_IF_MATCH',
      'NO_COMPRESSION',
      'BOARD',
      'NO_BOARD',
      'NO_IMPERSONATION',
      'JWT_LINK_VERIFIED_EMAIL',
    ].map((name) => `ESPALIER_${name}`);
    const issuer = { ESPALIER_JWT_ISSUER: 'https://login.example.org', ESPALIER_JWT_AUDIENCE: 'tasks' };
    const keys = { ...issuer, ESPALIER_JWT_SECRET: 'k'.repeat(32) };
    for (const name of switches) {
      for (const value of ['yes', 'on', 'TRUE', '2', ' 1']) {
        const ran = await here.run(['serve', '--store', 'memory:', '--port', '0'], { env: { ...keys, [name]: value } });
        expect([ran.code, ran.stdout], `${name}=${value}`).to.deep.equal([2, '']);
        expect(ran.stderr).to.contain(name);
      }
    }
    const on = { ESPALIER_NO_IMPERSONATION: '1', ESPALIER_REQUIRE_IF_MATCH: '1' };
    const work = async ({ url, administrator }: Started) => {
      const headers = { authorization: `Bearer ${administrator!.token}`, 'content-type': 'application/json' };
      const put = await fetch(`${url}/api/me`, { method: 'PUT', headers, body: '{"name":"Ada"}' });
      expect(put.status).to.equal(428);
      const env = { ESPALIER_URL: url, ESPALIER_TOKEN: administrator!.token };
      await here.ok(['user', 'create', '--name', 'Bea', '--email', 'bea@example.org'], { env });
      const token = await here.run(['token', 'create', '--user', 'bea@example.org', '--name', 't'], { env });
      expect(token.code).to.equal(4);
    };
    await serving(here, ['--store', 'memory:'], work, on);
    const store = { ESPALIER_STORE: 'file:off.db' };
    const refused = await here.run(['user', 'list'], { env: { ...store, ESPALIER_NO_IMPERSONATION: 'on' } });
    expect(refused.code).to.equal(2);
  });

  it('lets no administrator act as another user where that is switched off', async () => {
    await serving(here, ['--store', 'memory:', '--no-impersonation'], async ({ url, administrator }) => {
      const env = { ESPALIER_URL: url, ESPALIER_TOKEN: administrator!.token };
      await here.ok(['user', 'create', '--name', 'Bea', '--email', 'bea@example.org'], { env });
      const refused = await here.run(['token', 'create', '--user', 'bea@example.org', '--name', 't'], { env });
      expect(refused.code).to.equal(4);
      expect(refused.stderr).to.contain('impersonation-off');
    });
    const env = { ESPALIER_STORE: 'file:off.db', ESPALIER_NO_IMPERSONATION: 'true' };
    for (const [name, more] of [
      ['Ada', ['--administrator']],
      ['Bea', []],
    ] as const) {
      await here.ok(['user', 'create', '--name', name, '--email', `${name}@example.org`, ...more], { env });
    }
    const create = (as: string) =>
      here.run(['token', 'create', '--user', 'bea@example.org', '--name', 't', '--as', as], { env });
    expect((await create('ada@example.org')).code).to.equal(4);
    expect((await create('operator')).code).to.equal(0);
  });

  it('guards what it is told to guard', async () => {
    const guards = ['--require-if-match', '--requests-per-minute', '3', '--cors-origins', 'https://a.example'];
    await serving(here, ['--store', 'memory:', ...guards], async ({ url, administrator }) => {
      const headers = { authorization: `Bearer ${administrator!.token}`, 'content-type': 'application/json' };
      const me = { ...headers, origin: 'https://a.example' };
      const put = await fetch(`${url}/api/me`, { method: 'PUT', headers, body: '{"name":"Ada"}' });
      expect(put.status).to.equal(428);
      expect((await fetch(`${url}/api/me`, { headers: me })).headers.get('access-control-allow-origin')).to.equal(
        'https://a.example',
      );
      await fetch(`${url}/api/me`, { headers });
      expect((await fetch(`${url}/api/me`, { headers })).status).to.equal(429);
    });
    for (const flag of ['--requests-per-minute', '--failures-per-minute']) {
      expect((await here.run(['serve', '--store', 'memory:', flag, '0'])).code).to.equal(2);
    }
    for (const origins of ['https://a.example/', 'https://b.example,a.example']) {
      expect((await here.run(['serve', '--store', 'memory:', '--cors-origins', origins])).code).to.equal(2);
      expect((await here.run(['config', 'set', 'corsOrigins', origins])).code).to.equal(2);
    }
  });
});
