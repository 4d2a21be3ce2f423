import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { createEspalier } from '../../../../adapters/service/index.ts';
import { startService, type Identity, type Service, type ServiceOptions } from '../../../../adapters/http/index.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { heard } from '../heard.ts';

const OPERATOR = { kind: 'operator' } as const;

/** Waits until the test lets it go on, and counts who waits. */
class Gate {
  waiting = 0;
  most = 0;
  arrived = 0;
  #open = false;
  #opened: (() => void)[] = [];
  #listeners: (() => void)[] = [];

  readonly identity: Identity = {
    authenticate: async () => {
      this.arrived += 1;
      this.waiting += 1;
      this.most = Math.max(this.most, this.waiting);
      for (const listener of this.#listeners.splice(0)) listener();
      if (!this.#open) await new Promise<void>((go) => this.#opened.push(go));
      this.waiting -= 1;
      return OPERATOR;
    },
  };

  open(): void {
    this.#open = true;
    for (const go of this.#opened.splice(0)) go();
  }

  async until(arrived: number): Promise<void> {
    while (this.arrived < arrived) await new Promise<void>((go) => this.#listeners.push(go));
  }
}

describe('a connection', () => {
  const services: Service[] = [];
  const sockets: Socket[] = [];
  let lines: { readonly reason?: string; readonly route?: string }[];
  let heardOf: (() => void)[];

  beforeEach(() => {
    lines = [];
    heardOf = [];
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    for (const service of services.splice(0)) await service.close();
  });

  async function start(given: Partial<ServiceOptions>) {
    const espalier = createEspalier({ store: memoryStore() });
    const log = (line: object) => {
      lines.push(line);
      for (const hear of heardOf.splice(0)) hear();
    };
    const service = await startService({
      engine: espalier.engine,
      identity: { authenticate: () => Promise.resolve(OPERATOR) },
      ready: () => espalier.store.ready(),
      port: 0,
      drainTimeout: 60_000,
      logger: { info: log, error: log },
      ...given,
    });
    services.push(service);
    return { espalier, service, port: Number(new URL(service.url).port) };
  }

  function open(port: number): Socket {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    sockets.push(socket);
    return socket;
  }

  async function logged(count: number, isSo: (line: (typeof lines)[number]) => boolean): Promise<void> {
    while (lines.filter(isSo).length < count) await new Promise<void>((go) => heardOf.push(go));
  }

  /** A user whose list of tasks is larger than what the operating system takes for a client that reads nothing. */
  async function withLargeList(given: Partial<ServiceOptions>) {
    const espalier = createEspalier({ store: memoryStore() });
    const user = await espalier.users.create({ name: 'Ada', email: 'ada@example.org' });
    const ada = espalier.as(user);
    const workspace = await ada.workspaces.create({ name: 'Acme' });
    const board = await ada.boards.create({ workspaceId: workspace.id, name: 'Dev' });
    await ada.statuses.create({ workspaceId: workspace.id, boardId: board.id, name: 'Todo' });
    const description = 'x'.repeat(50_000);
    const tasks = Array.from({ length: 400 }, (_, i) => ({ title: `Task ${i}`, boardId: board.id, description }));
    await ada.tasks.createMany({ workspaceId: workspace.id, tasks });
    const caller = { kind: 'user', userId: user.id } as const;
    const started = await start({
      engine: espalier.engine,
      identity: { authenticate: () => Promise.resolve(caller) },
      ...given,
    });
    return { ...started, request: `GET /api/workspace/${workspace.id}/task?limit=500 HTTP/1.1\r\nHost: x\r\n\r\n` };
  }

  it('has one request running at a time, and gets its answers in order', async () => {
    const gate = new Gate();
    const { port } = await start({ identity: gate.identity });
    const socket = open(port);
    const ids = Array.from({ length: 30 }, (_, i) => `r${i}`);
    const body = '{"name":"Ada"}';
    const requests = ids.map((id, i) =>
      i % 3 === 0
        ? `PUT /api/me HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${id}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
        : `GET /api/user HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${id}\r\n${i === 29 ? 'Connection: close\r\n' : ''}\r\n`,
    );
    socket.write(requests.join(''));
    await gate.until(1);
    // The service has read all of them by the time that it answers another.
    const other = open(port);
    other.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    await heard(other);
    expect(gate.arrived).to.equal(1);
    gate.open();
    const text = await heard(socket);
    expect([...text.matchAll(/x-request-id: (\w+)/g)].map(([, id]) => id)).to.deep.equal(ids);
    expect(gate.most).to.equal(1);
  });

  it('is closed when its client takes nothing of an answer, and no other request of it is answered', async () => {
    const { port, service, request } = await withLargeList({ stallTimeout: 100 });
    const socket = open(port);
    socket.pause();
    socket.write(request.repeat(20));
    await logged(1, ({ reason }) => reason === 'stalled');
    expect(lines.filter(({ route }) => route !== undefined)).to.have.length(1);
    // Which waits for connections with an answer that has not been taken.
    await service.close();
  });

  it('is closed with the service when its client has taken the whole answer', async () => {
    const { port, service, request } = await withLargeList({});
    const socket = open(port);
    socket.pause();
    socket.write(request);
    await logged(1, ({ route }) => route !== undefined);
    // All of it is written by the time that another is answered.
    const other = open(port);
    other.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    await heard(other);
    const closed = service.close();
    socket.resume();
    const [head, body] = (await heard(socket)).split('\r\n\r\n') as [string, string];
    expect(body).to.have.length(Number(/content-length: (\d+)/.exec(head)![1]));
    await closed;
  });

  it('is left open while a request takes longer than clients may', async () => {
    const gate = new Gate();
    const { port } = await start({ identity: gate.identity, stallTimeout: 20 });
    const socket = open(port);
    socket.write('GET /api/user HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    await gate.until(1);
    // Idle from later on, and closed before.
    const idle = open(port);
    await heard(idle);
    gate.open();
    expect(await heard(socket)).to.match(/^HTTP\/1\.1 200 /);
  });

  it('is closed, the one that has waited for longest first, when too much is not taken', async () => {
    const { port, request } = await withLargeList({ unreadLimit: 50_000_000 });
    const clients = [open(port), open(port), open(port)];
    for (const [i, socket] of clients.entries()) {
      socket.pause();
      socket.write(request);
      await logged(i + 1, ({ route }) => route !== undefined);
    }
    await logged(1, ({ reason }) => reason === 'too-much-unread');
    const texts = await Promise.all(
      clients.map((socket, i) => {
        socket.resume();
        if (i > 0) socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
        return heard(socket);
      }),
    );
    expect(texts.map((text) => text.endsWith('{"status":"ok"}'))).to.deep.equal([false, true, true]);
  });

  it('is refused at once beyond the limit, and taken again when another has ended', async () => {
    const { port } = await start({ maxConnections: 2 });
    const taken = [open(port), open(port)];
    const health = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
    for (const socket of taken) {
      socket.write(health);
      await once(socket, 'data');
    }
    const refused = open(port);
    refused.write(health);
    const text = await heard(refused);
    expect(text).to.match(/^HTTP\/1\.1 503 [\s\S]*retry-after: \d/i);
    expect(text.match(/HTTP\/1\.1 /g)).to.have.length(1);
    expect(lines).to.deep.include({ reason: 'too-many-connections' });
    taken[0]!.destroy();
    for (;;) {
      const again = open(port);
      again.write(health.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
      if ((await heard(again)).startsWith('HTTP/1.1 200 ')) break;
    }
  });

  it('is closed when it would have too many requests wait', async () => {
    const gate = new Gate();
    const { port } = await start({ identity: gate.identity });
    const many = 'GET /x HTTP/1.1\r\nHost:x\r\n\r\n'.repeat(2_500);
    const clients = Array.from({ length: 6 }, () => open(port));
    for (const [i, socket] of clients.entries()) {
      socket.write(many);
      await gate.until(i + 1);
    }
    await logged(1, ({ reason }) => reason === 'too-many-pipelined');
    gate.open();
    const other = open(port);
    other.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(await heard(other)).to.match(/^HTTP\/1\.1 200 /);
    for (const socket of clients) socket.destroy();
  });
});
