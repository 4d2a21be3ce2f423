import { connect } from 'node:net';
import { once } from 'node:events';
import { request } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { createEspalier } from '../../../../adapters/service/index.ts';
import { startService, type Identity, type Service, type ServiceOptions } from '../../../../adapters/http/index.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import type { Caller } from '../../../../core/ports/context.ts';
import { heard } from '../heard.ts';

/** Lets requests in one by one: each waits for `open`. */
function gate(): { readonly identity: Identity; readonly waiting: Promise<void>; readonly open: () => void } {
  let open = () => {};
  let arrived = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  const waiting = new Promise<void>((resolve) => (arrived = resolve));
  const caller: Caller = { kind: 'operator' };
  const authenticate = async () => {
    arrived();
    await opened;
    return caller;
  };
  return { identity: { authenticate }, waiting, open: () => open() };
}

describe('the service', () => {
  const services: Service[] = [];
  afterEach(async () => {
    for (const service of services.splice(0)) await service.close();
  });

  async function start(
    identity?: Identity,
    given: Pick<ServiceOptions, 'drainTimeout' | 'requestTimeout' | 'logger'> = {},
  ) {
    const espalier = createEspalier({ store: memoryStore() });
    const service = await startService({
      engine: espalier.engine,
      identity: identity ?? espalier.identity,
      ready: () => espalier.store.ready(),
      port: 0,
      ...given,
    });
    services.push(service);
    return { espalier, service, port: Number(new URL(service.url).port) };
  }

  it('listens on the loopback address only, on a free port', async () => {
    const { service } = await start();
    expect(service.url).to.match(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await fetch(`${service.url}/healthz`)).status).to.equal(200);
  });

  it('fails to start where something listens already', async () => {
    const { espalier, port } = await start();
    const again = startService({
      engine: espalier.engine,
      identity: espalier.identity,
      ready: () => Promise.resolve(),
      port,
    });
    const error = await again.then(
      () => null,
      (reason: NodeJS.ErrnoException) => reason,
    );
    expect(error?.code).to.equal('EADDRINUSE');
  });

  it('answers what is running before it closes, and takes nothing new', async () => {
    const { identity, waiting, open } = gate();
    const { service, port } = await start(identity);
    const running = fetch(`${service.url}/api/user`);
    await waiting;
    const closed = service.close();
    const refused = await new Promise<string>((resolve) => {
      connect(port, '127.0.0.1').on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
    });
    expect(refused).to.equal('ECONNREFUSED');
    open();
    const answer = await running;
    expect([answer.status, answer.headers.get('connection')]).to.deep.equal([200, 'close']);
    await closed;
    await service.close();
  });

  it('closes idle connections at once, fresh ones too', async () => {
    const { service, port } = await start();
    const fresh = connect(port, '127.0.0.1');
    const used = connect(port, '127.0.0.1');
    await Promise.all([once(fresh, 'connect'), once(used, 'connect')]);
    used.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(used, 'data');
    const gone = Promise.all([heard(fresh), heard(used)]);
    let isClosed = false;
    const closed = service.close().then(() => (isClosed = true));
    // No time has to pass for that.
    for (let turns = 0; turns < 100; turns += 1) await setImmediate();
    expect(isClosed).to.equal(true);
    await Promise.all([closed, gone]);
  });

  it('answers requests that arrive as it closes, also the first of a connection', async () => {
    const { service, port } = await start();
    const fresh = connect(port, '127.0.0.1');
    const used = connect(port, '127.0.0.1');
    await Promise.all([once(fresh, 'connect'), once(used, 'connect')]);
    const ask = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
    used.write(ask);
    await once(used, 'data');
    // The other one has been accepted by then.
    for (let turns = 0; turns < 10; turns += 1) await setImmediate();
    const answers = [fresh, used].map(heard);
    fresh.write(ask);
    used.write(ask);
    await service.close();
    for (const answer of await Promise.all(answers)) {
      expect(answer).to.match(/^HTTP\/1\.1 200 /);
      expect(answer).to.match(/^connection: close\r$/im);
    }
  });

  it('cuts off what does not end in time', async () => {
    const { identity, waiting, open } = gate();
    const { service } = await start(identity, { drainTimeout: 50 });
    const running = fetch(`${service.url}/api/user`).then(
      () => 'answered',
      () => 'cut off',
    );
    await waiting;
    await service.close();
    expect(await running).to.equal('cut off');
    open();
  });

  it('answers a client that closes its side of the connection after its requests', async () => {
    const { port } = await start({ authenticate: () => Promise.resolve({ kind: 'operator' }) });
    const body = '{"name":"Ada","email":"ada@example.org"}';
    const post =
      'POST /api/user HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n' +
      `Content-Length: ${body.length}\r\n\r\n${body}`;
    const get = 'GET /api/user HTTP/1.1\r\nHost: x\r\n\r\n';
    for (const [requests, statuses] of [
      [[post], ['201']],
      [[get], ['200']],
      [
        [get, get, get],
        ['200', '200', '200'],
      ],
    ]) {
      const socket = connect(port, '127.0.0.1');
      socket.end(requests!.join(''));
      const answers = await heard(socket);
      expect(Array.from(answers.matchAll(/HTTP\/1\.1 (\d+) /g), ([, status]) => status)).to.deep.equal(statuses);
    }
  });

  it('answers it too where the answer is large, or waits for others', async () => {
    const { engine, store } = createEspalier({ store: memoryStore() });
    const { id: userId } = await engine.users.create(
      { caller: { kind: 'operator' } },
      { name: 'Ada', email: 'ada@example.org' },
    );
    const call = { caller: { kind: 'user', userId } } as const;
    const { id: workspaceId } = await engine.workspaces.create(call, { name: 'Acme' });
    const { id: boardId } = await engine.boards.create(call, { workspaceId, name: 'Kanban' });
    await engine.statuses.create(call, { workspaceId, boardId, name: 'Open' });
    const { id: taskId } = await engine.tasks.create(call, { workspaceId, boardId, title: 'T' });
    for (let n = 0; n < 20; n += 1) await engine.comments.create(call, { workspaceId, taskId, content: 'C' });
    const begun: unknown[] = [];
    let open = () => {};
    const opened = new Promise<void>((resolve) => (open = resolve));
    const list: typeof engine.tasks.list = async (...given) => {
      begun.push(given);
      await opened;
      return engine.tasks.list(...given);
    };
    const service = await startService({
      engine: { ...engine, tasks: { ...engine.tasks, list } },
      identity: { authenticate: () => Promise.resolve(call.caller) },
      ready: () => store.ready(),
      port: 0,
    });
    services.push(service);
    const { port } = new URL(service.url);
    const ask = (path: string) => {
      const socket = connect(Number(port), '127.0.0.1');
      socket.end(`GET /api/workspace/${workspaceId}${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
      return heard(socket);
    };
    expect(await ask(`/task/${taskId}`)).to.match(/^HTTP\/1\.1 200 /);
    const answers = Array.from({ length: 6 }, () => ask('/task'));
    while (begun.length < 4) await setImmediate();
    expect(await ask(`/task/${taskId}`)).to.match(/^HTTP\/1\.1 200 /);
    open();
    for (const answer of await Promise.all(answers)) expect(answer).to.match(/^HTTP\/1\.1 200 /);
  });

  it('waits for a body no longer than it may take, and lets what has come in take as long as it takes', async () => {
    // No operation reads the body of a GET.
    for (const rest of [
      '\r\n',
      'Content-Length: 0\r\n\r\n',
      'Content-Length: 2\r\n\r\n{}',
      'Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ]) {
      const { identity, waiting, open } = gate();
      const { port } = await start(identity, { requestTimeout: 50 });
      const slow = connect(port, '127.0.0.1');
      const answer = heard(slow);
      slow.write(`GET /api/user HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${rest}`);
      await waiting;
      // Sent later, and cut off: by then the time is over for both.
      const socket = connect(port, '127.0.0.1');
      socket.write('PUT /api/me HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n');
      expect(await heard(socket)).to.match(/^HTTP\/1\.1 408 /);
      open();
      expect(await answer, rest).to.match(/^HTTP\/1\.1 200 /);
    }
  });

  it('ends a request whose client goes away with its body half sent, read already or not', async () => {
    for (const isRead of [true, false]) {
      const { identity, waiting, open } = gate();
      let done = (_: object) => {};
      const logged = new Promise<object>((resolve) => (done = resolve));
      const log = (line: object) => ('route' in line && line.route === '/api/me' ? done(line) : undefined);
      const { service, port } = await start(identity, { logger: { info: log, error: log } });
      if (isRead) open();
      const socket = connect(port, '127.0.0.1');
      socket.write('PUT /api/me HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{');
      await waiting;
      socket.destroy();
      await once(socket, 'close');
      // Answered when the service has heard of that.
      await fetch(`${service.url}/healthz`);
      open();
      expect(await logged, String(isRead)).to.deep.include({ route: '/api/me', status: 400, code: 'invalid-input' });
    }
  });

  it('refuses a body without a length when it grows too large, and lives on', async () => {
    const { service, espalier, port } = await start();
    const user = await espalier.users.create({ name: 'Ada', email: 'ada@example.org' });
    const { token } = await espalier.tokens.createFor({ userId: user.id, name: 'test' });
    const status = await new Promise<number>((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const sending = request({ port, method: 'PUT', path: '/api/me', headers }, (response) => {
        response.resume();
        resolve(response.statusCode!);
      });
      sending.on('error', reject);
      for (let i = 0; i < 40; i++) sending.write('x'.repeat(64 * 1024));
      sending.end();
    });
    expect(status).to.equal(413);
    expect((await fetch(`${service.url}/healthz`)).status).to.equal(200);
  });
});
