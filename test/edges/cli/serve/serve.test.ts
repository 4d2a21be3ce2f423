import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { Agent, request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { SignJWT } from 'jose';
import { createEspalier, openStore } from '../../../../adapters/service/index.ts';
import { withoutPassword } from '../../../../adapters/service/store-url.ts';
import { newWorld } from '../../../fixtures/world/world.ts';
import { acme, died, exportedRecords, textOf } from '../../../unit/transfer/exported.ts';
import { BOARD_FILE } from '../../../unit/trello/fixture.ts';
import { AUDIENCE, localIssuer } from '../../identity/issuer.ts';
import { cli, cliDirectory, type CliDirectory } from '../in-process.ts';
import { get, serving, type Started } from './serving.ts';

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

  it('tells at a later start how to make another token, as the first may be lost', async () => {
    const start = ['serve', '--store', 'file:here.db', '--port', '0'];
    const stop = AbortSignal.abort();
    expect((await here.run(start, { stop })).stdout).not.to.include('token create');
    const [, command] = /espalier (token create .*)/.exec((await here.run(start, { stop })).stdout)!;
    const { token } = (await here.ok([...command!.split(' '), '--json'])).json<{ token: string }>();
    await serving(here, ['--store', 'file:here.db'], async (started) => {
      expect(await get(started, '/api/me', token)).to.include({ administrator: true });
    });
  });

  it('shows the token of a new administrator where it does not start, as no later start makes another', async () => {
    const store = ['--store', 'file:here.db'];
    await writeFile(join(here.path, 'cut.jsonl'), '{"kind":"head","format":"espalier-workspace","version":1}\n');
    const ran = await here.run(['serve', '--json', ...store, '--load', 'cut.jsonl']);
    expect([ran.code, ran.stdout]).to.deep.equal([2, '']);
    const [token] = /\besp_\w+/.exec(ran.stderr)!;
    await serving(here, store, async (started) => {
      expect(started.administrator).to.equal(null);
      expect(await get(started, '/api/me', token)).to.include({ administrator: true });
    });
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
    await writeFile(join(here.path, 'bytes'), new Uint8Array(32).fill(0xff));
    const wrong: readonly (readonly [args: readonly string[], env?: Record<string, string>])[] = [
      [['--jwt-issuer', 'https://login.example.org']],
      [['--jwt-audience', 'tasks']],
      [['--jwt-link-verified-email']],
      [[...named, '--jwt-jwks-url', 'http://login.example.org/keys']],
      [[...named, '--jwt-jwks-url', 'https://login.example.org/keys', '--jwt-jwks-file', 'x']],
      [[...named, '--jwt-jwks-file', 'no-keys.json']],
      [[...named, '--jwt-secret-file', 'short.txt']],
      [[...named, '--jwt-secret-file', 'bytes']],
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

  it('serves the board on the loopback address, elsewhere where it is asked for, and by the setting that takes precedence', async () => {
    const rows: readonly [args: readonly string[], env: Record<string, string>, isThere: boolean][] = [
      [[], {}, true],
      [['--no-board'], {}, false],
      [['--host', '0.0.0.0'], {}, false],
      [['--host', '0.0.0.0', '--board'], {}, true],
      [['--board', '--no-board'], {}, false],
      [['--board'], { ESPALIER_NO_BOARD: 'true' }, true],
      [['--no-board'], { ESPALIER_BOARD: 'true' }, false],
      [[], { ESPALIER_NO_BOARD: '1' }, false],
      [[], { ESPALIER_NO_BOARD: '0' }, true],
      [[], { ESPALIER_BOARD: 'true', ESPALIER_NO_BOARD: 'true' }, false],
      [['--host', '0.0.0.0'], { ESPALIER_BOARD: '1', ESPALIER_NO_BOARD: 'false' }, true],
    ];
    for (const [args, env, isThere] of rows) {
      const work = async ({ url, board }: Started) => {
        expect(board, `${args.join(' ')} ${JSON.stringify(env)}`).to.equal(isThere ? `${url}/board` : null);
        const { port } = new URL(url);
        expect((await fetch(`http://127.0.0.1:${port}/board`)).status).to.equal(isThere ? 200 : 401);
      };
      await serving(here, ['--store', 'memory:', ...args], work, env);
    }
  });

  it('loads a Trello board, which can be read with its tasks and comments', async () => {
    const ran = await serving(here, ['--store', 'memory:', '--load', BOARD_FILE], async (started) => {
      const base = `/api/workspace/${started.loaded!.workspaceId}`;
      const [board] = await get<{ id: string; name: string }[]>(started, `${base}/board`);
      expect(board!.name).to.equal('Release train');
      expect(started.loaded!.notes.map(({ what }) => what)).to.include('attachment');
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
    const stop = AbortSignal.abort();
    const told = await here.ok(['serve', '--store', 'memory:', '--port', '0', '--load', BOARD_FILE], { stop });
    expect(told.stdout).to.include('espalier import trello');
  });

  it('does not start on a file that is missing or none of its own, and makes no store', async () => {
    await writeFile(join(here.path, 'package.json'), '{"name": "espalier"}');
    for (const [file, code] of [
      ['package.json', 2],
      ['nowhere.json', 3],
    ] as const) {
      const ran = await here.run(['serve', '--store', 'file:none.db', '--load', file, '--port', '0']);
      expect(ran.code).to.equal(code);
      expect(ran.stderr).not.to.match(/\besp_/);
    }
    expect(existsSync(join(here.path, 'none.db'))).to.equal(false);
  });

  it('loads an export, after a byte order mark too, and takes it as it is when it is there', async () => {
    const file = join(here.path, 'ours.jsonl');
    await serving(here, ['--store', 'memory:', '--load', BOARD_FILE], async (started) => {
      const path = `/api/workspace/${started.loaded!.workspaceId}/export`;
      const response = await fetch(started.url + path, {
        headers: { authorization: `Bearer ${started.administrator!.token}` },
      });
      await writeFile(file, `\uFEFF${await response.text()}`);
    });
    for (let start = 0; start < 2; start++) {
      await serving(here, ['--store', 'file:loaded.db', '--load', file], async ({ loaded }) => {
        expect(loaded?.workspaceId).to.be.a('string');
      });
    }
  });

  it('does not start where what an import that died has left is in the place of what it loads', async () => {
    const world = newWorld();
    const records = await exportedRecords(world, (await acme(world, 150)).workspaceId);
    await writeFile(join(here.path, 'acme.jsonl'), await textOf(records));
    const dying = createEspalier({ store: await openStore(`file:${join(here.path, 'here.db')}`) });
    await died(dying.operator, records);
    await dying.close();
    const args = ['serve', '--store', 'file:here.db', '--port', '0', '--load', 'acme.jsonl'];
    expect((await here.run(args, { stop: AbortSignal.abort() })).code).to.equal(5);
  });

  it('shows no password of a store', () => {
    for (const password of ['secret', 'se@cret', 'se/cret', 'se:cret', 'se?cret', 'se%2Fcret']) {
      expect(withoutPassword(`mongodb://ada:${password}@db.example/espalier`), password).to.equal(
        'mongodb://ada:***@db.example/espalier',
      );
    }
    for (const option of ['tlsCertificateKeyFilePassword', 'proxyPassword', 'authMechanismProperties']) {
      expect(withoutPassword(`mongodb://db.example/x?${option}=secret&w=1`)).to.equal(
        `mongodb://db.example/x?${option}=***&w=1`,
      );
    }
    for (const url of ['memory:', 'file:a:b@c.db', 'mongodb://a.example:27017,b.example:27017/x?appName=a@b'])
      expect(withoutPassword(url)).to.equal(url);
  });

  it('shows no password of what is no store', async () => {
    for (const start of ['postgres://', 'MongoDB://', 'https://', 'mongodb:']) {
      const env = { ESPALIER_STORE: `${start}ada:secret@db.example/x` };
      for (const args of [['serve'], ['user', 'list'], ['config', 'get', 'store']]) {
        const { stdout, stderr } = await here.run(args, { env });
        expect(stdout + stderr, `${start} ${args[0]}`)
          .to.include('ada:***@')
          .and.not.include('secret');
      }
    }
  });

  it('answers a request that arrives on an idle connection after it was told to stop', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const connectionOf = async ({ url }: Started): Promise<string | undefined> => {
      const [response] = (await once(request(`${url}/healthz`, { agent }).end(), 'response')) as [IncomingMessage];
      await once(response.resume(), 'end');
      return response.headers.connection;
    };
    let late: Promise<string | undefined> | undefined;
    await serving(here, ['--store', 'memory:'], async (started) => {
      expect(await connectionOf(started)).to.equal('keep-alive');
      // The service is told to stop before these turns of the event loop.
      late = (async () => {
        for (let turns = 0; turns < 10; turns += 1) await setImmediate();
        return connectionOf(started);
      })();
    });
    expect(await late).to.equal('close');
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
