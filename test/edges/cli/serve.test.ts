import { writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { SignJWT } from 'jose';
import { embeddedStore } from '../../../adapters/store-embedded/index.ts';
import { withoutPassword } from '../../../cli/service/store-url.ts';
import { BOARD_FILE } from '../../unit/trello/fixture.ts';
import { AUDIENCE, localIssuer } from '../identity/issuer.ts';
import { cli, cliDirectory, type CliDirectory, type Ran } from './in-process.ts';

interface Started {
  readonly url: string;
  readonly reference: string;
  readonly board: string | null;
  readonly store: string;
  readonly administrator: { readonly email: string; readonly token: string } | null;
  readonly loaded: { readonly workspaceId: string } | null;
}

function deferred<T>() {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** Serves until `work` is done, then asks the service to stop. */
async function serving(
  here: CliDirectory,
  args: readonly string[],
  work: (started: Started) => Promise<void>,
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const stop = new AbortController();
  const started = deferred<Started>();
  let text = '';
  const onStdout = (part: string) => {
    text += part;
    started.resolve(JSON.parse(text) as Started);
  };
  const running = here.run(['serve', '--json', '--port', '0', ...args], { stop: stop.signal, onStdout, env });
  const first = await Promise.race([started.promise, running]);
  if ('code' in first) throw new Error(first.stderr);
  await work(first).finally(() => stop.abort());
  return running;
}

async function get<T>(started: Started, path: string, token = started.administrator!.token): Promise<T> {
  const response = await fetch(started.url + path, { headers: { authorization: `Bearer ${token}` } });
  expect(response.status, path).to.equal(200);
  return (await response.json()) as T;
}

describe('espalier serve', () => {
  let here: CliDirectory;
  beforeEach(async () => {
    here = await cliDirectory();
  });
  afterEach(() => here.close());

  it('makes an administrator on an empty store, once, and keeps what it is told', async () => {
    const store = ['--store', 'file:here.db'];
    let token = '';
    const ran = await serving(here, [...store, '--admin-email', 'Ada@Example.org'], async (started) => {
      token = started.administrator!.token;
      expect(started.administrator!.email).to.equal('ada@example.org');
      expect(await get(started, '/api/me')).to.include({ email: 'ada@example.org', administrator: true });
      const page = await fetch(started.reference);
      expect(page.status).to.equal(200);
    });
    expect(ran.code).to.equal(0);
    expect(ran.stderr).not.to.include(token);
    const again = await serving(here, store, async (started) => {
      expect(started.administrator).to.equal(null);
      expect(await get(started, '/api/me', token)).to.include({ email: 'ada@example.org' });
    });
    expect(again.code).to.equal(0);
  });

  it('signs in by JSON Web Tokens of the issuer that it is told of', async () => {
    const issuer = await localIssuer();
    const file = (name: string, content: string) => writeFile(join(here.path, name), content);
    await file('jwks.json', JSON.stringify({ keys: issuer.keys }));
    await file('secret.txt', `${'s'.repeat(32)}\n`);
    const bob = await issuer.sign({ sub: 'bob', email: 'bob@example.org', email_verified: true });
    const named = ['--store', 'memory:', '--jwt-issuer', issuer.url, '--jwt-audience', `other, ${AUDIENCE}`];
    const shared = await new SignJWT({})
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer(issuer.url)
      .setAudience(AUDIENCE)
      .setSubject('bob')
      .setExpirationTime('5m')
      .sign(Buffer.from('s'.repeat(32)));
    const ways = [
      [[], bob],
      [['--jwt-jwks-url', issuer.jwksUrl, '--jwt-algorithms', 'RS256, ES256', '--jwt-clock-tolerance', '0'], bob],
      [['--jwt-jwks-file', 'jwks.json'], bob],
      [['--jwt-secret-file', 'secret.txt'], shared],
    ] as const;
    for (const [how, token] of ways) {
      const ran = await serving(here, [...named, ...how], async (started) => {
        expect(await get(started, '/api/me', token)).to.include({ administrator: false });
        expect(await get(started, '/api/me')).to.include({ administrator: true });
      });
      expect(ran.code).to.equal(0);
    }
    const admin = ['--admin-email', 'bob@example.org', '--jwt-link-verified-email'];
    await serving(here, [...named, ...admin], async (started) => {
      expect(await get(started, '/api/me', bob)).to.include({ administrator: true });
    });
    await issuer.close();
  });

  it('says what is wrong with the settings of an issuer, before it starts', async () => {
    const named = ['--jwt-issuer', 'https://login.example.org', '--jwt-audience', 'tasks'];
    await writeFile(join(here.path, 'short.txt'), 'short');
    await writeFile(join(here.path, 'no-keys.json'), '[]');
    const wrong: readonly (readonly [args: readonly string[], env?: Record<string, string>])[] = [
      [['--jwt-issuer', 'https://login.example.org']],
      [['--jwt-audience', 'tasks']],
      [['--jwt-link-verified-email']],
      [[...named, '--jwt-jwks-url', 'http://login.example.org/keys']],
      [[...named, '--jwt-jwks-url', 'https://login.example.org/keys', '--jwt-jwks-file', 'x']],
      [[...named, '--jwt-jwks-file', 'no-keys.json']],
      [[...named, '--jwt-secret-file', 'short.txt']],
      [named, { ESPALIER_JWT_SECRET: 'short' }],
      [[...named, '--jwt-algorithms', 'none']],
      [[...named, '--jwt-algorithms', 'HS256']],
      [[...named, '--jwt-clock-tolerance', 'much']],
      [[...named, '--jwt-secret', 's'.repeat(32)]],
    ];
    for (const [args, env = {}] of wrong) {
      const ran = await here.run(['serve', '--store', 'memory:', '--port', '0', ...args], { env });
      expect([ran.code, ran.stdout], args.join(' ')).to.deep.equal([2, '']);
    }
    expect((await here.run(['serve', '--store', 'memory:', ...named, '--jwt-jwks-file', 'none.json'])).code).to.equal(
      1,
    );
  });

  it('tells people where it listens, and that memory keeps nothing', async () => {
    const stop = new AbortController();
    const onStdout = () => stop.abort();
    const ran = await here.run(['serve', '--store', 'memory:', '--port', '0'], { stop: stop.signal, onStdout });
    expect(ran.code).to.equal(0);
    expect(ran.stdout).to.match(/listens on http:\/\/127\.0\.0\.1:\d+\n/);
    expect(ran.stdout)
      .to.include('/api/docs')
      .and.include('nothing is kept')
      .and.match(/esp_\w+/);
  });

  it('serves the board on the loopback address, elsewhere where it is asked for, and never against --no-board', async () => {
    for (const [args, isThere] of [
      [[], true],
      [['--no-board'], false],
      [['--host', '0.0.0.0'], false],
      [['--host', '0.0.0.0', '--board'], true],
      [['--board', '--no-board'], false],
    ] as const) {
      await serving(here, ['--store', 'memory:', ...args], async ({ url, board }) => {
        expect(board, args.join(' ')).to.equal(isThere ? `${url}/board` : null);
        const { port } = new URL(url);
        expect((await fetch(`http://127.0.0.1:${port}/board`)).status).to.equal(isThere ? 200 : 401);
      });
    }
  });

  it('loads a Trello board, which can be read with its tasks and comments', async () => {
    const ran = await serving(here, ['--store', 'memory:', '--load', BOARD_FILE], async (started) => {
      const base = `/api/workspace/${started.loaded!.workspaceId}`;
      const [board] = await get<{ id: string; name: string }[]>(started, `${base}/board`);
      expect(board!.name).to.equal('Release train');
      const tasks = await get<{ id: string; title: string }[]>(started, `${base}/task?sort=position`);
      expect(tasks.map((task) => task.title)).to.include.members(['First in Todo', 'Rich card']);
      const rich = tasks.find((task) => task.title === 'Rich card')!;
      const { comments } = await get<{ comments: { createdAt: string }[] }>(started, `${base}/task/${rich.id}`);
      expect(comments.map((comment) => comment.createdAt)).to.deep.equal([
        '2025-02-02T09:00:00.000Z',
        '2025-02-03T09:00:00.000Z',
      ]);
    });
    expect(ran.code).to.equal(0);
  });

  it('does not start on a file that is none of its own', async () => {
    await writeFile(join(here.path, 'package.json'), '{"name": "espalier"}');
    const args = ['serve', '--store', 'memory:', '--load', 'package.json', '--port', '0'];
    expect((await here.run(args)).code).to.equal(2);
    expect((await here.run(['serve', '--store', 'memory:', '--load', 'nowhere.json'])).code).to.equal(3);
  });

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
  });

  it('loads an export, and takes it as it is when it is there', async () => {
    const file = join(here.path, 'ours.jsonl');
    await serving(here, ['--store', 'memory:', '--load', BOARD_FILE], async (started) => {
      const path = `/api/workspace/${started.loaded!.workspaceId}/export`;
      const response = await fetch(started.url + path, {
        headers: { authorization: `Bearer ${started.administrator!.token}` },
      });
      await writeFile(file, await response.text());
    });
    for (let start = 0; start < 2; start++) {
      await serving(here, ['--store', 'file:loaded.db', '--load', file], async ({ loaded }) => {
        expect(loaded?.workspaceId).to.be.a('string');
      });
    }
  });

  it('shows no password of a store', () => {
    expect(withoutPassword('mongodb://ada:secret@db.example/espalier')).to.equal(
      'mongodb://ada:***@db.example/espalier',
    );
    for (const url of ['memory:', 'file:a:b@c.db', 'mongodb://db.example:27017/x'])
      expect(withoutPassword(url)).to.equal(url);
  });

  it('says so when the port is taken', async () => {
    await serving(here, ['--store', 'memory:'], async ({ url }) => {
      const ran = await here.run(['serve', '--store', 'memory:', '--port', new URL(url).port]);
      expect(ran.code).to.equal(1);
      expect(ran.stderr).to.include('EADDRINUSE');
    });
  });
});

describe('The command line', () => {
  it('ends with 0 for help and version, with 2 for what it does not know', async () => {
    expect((await cli(['--version'])).stdout).to.match(/^\d+\.\d+\.\d+\n$/);
    expect((await cli(['--help'])).stdout).to.include('Exit codes');
    expect((await cli(['help', 'serve'])).stdout).to.include('--admin-email');
    expect((await cli([])).code).to.equal(2);
    const unknown = await cli(['srve']);
    expect(unknown.code).to.equal(2);
    expect(unknown.stdout).to.equal('');
    expect(unknown.stderr).to.include('Did you mean serve?').and.include('espalier --help');
    expect((await cli(['task', 'lst'])).stderr)
      .to.include('Did you mean one of list, ls?')
      .and.include('espalier task --help');
  });
});
