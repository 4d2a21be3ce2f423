import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { createClient } from '../../../../adapters/client/index.ts';
import type { ChangeEvent } from '../../../../core/index.ts';
import { cliDirectory, type CliDirectory } from '../in-process.ts';
import {
  CLIENTS,
  expectKept,
  killWriters,
  pagesOfNewWorkspace,
  ROUNDS,
  statusOf,
  USUAL,
  WRITES,
} from './killed-writers.ts';
import { startServe, startServeUnder, type ServeProcess } from './serve-process.ts';

const HALF_OPEN = 475;
const FEW_DESCRIPTORS = ['sh', '-c', 'ulimit -n 256; exec "$0" "$@"'];
const STORE = ['--workers', '2', '--store', 'file:serving.db', '--port', '0'] as const;

describe('a service of workers under faults', function () {
  this.timeout(ROUNDS > USUAL ? 0 : 120_000);
  let here: CliDirectory;
  let serving: ServeProcess | undefined;

  beforeEach(async () => {
    here = await cliDirectory();
  });
  afterEach(async () => {
    if (serving !== undefined && serving.child.exitCode === null) serving.child.kill('SIGKILL');
    await serving?.done;
    serving = undefined;
    await here.close();
  });

  it(`answers again after more half-open connections than it has descriptors, ${ROUNDS} times`, async () => {
    serving = startServeUnder(FEW_DESCRIPTORS, here, ...STORE, '--log-level', 'error');
    const { url } = await serving.started;
    for (let round = 0; round < ROUNDS; round += 1) {
      const sockets = await Promise.all(Array.from({ length: HALF_OPEN }, () => connected(Number(new URL(url).port))));
      // Some are turned away meanwhile; nobody waits.
      await Promise.all(Array.from({ length: 4 }, () => statusOf(`${url}/healthz`)));
      for (const socket of sockets) socket.destroy();
      let answers: readonly (number | null)[] = [];
      while (!answers.includes(200)) {
        answers = await Promise.all(Array.from({ length: 16 }, () => statusOf(`${url}/healthz`)));
      }
    }
    serving.child.kill('SIGTERM');
    const { code, stderr } = await serving.done;
    expect(code, stderr).to.equal(0);
    // No worker had to be replaced.
    expect(stderr).to.equal('');
  });

  it(`leaves no worker, no waiting client and no locked store when it is killed as it writes, ${ROUNDS} times`, async () => {
    const acknowledged: string[] = [];
    let token: string | undefined;
    let pages: string | undefined;
    for (let round = 0; round < ROUNDS; round += 1) {
      serving = startServe(here, ...STORE);
      const { url, administrator } = await serving.started;
      token ??= administrator!.token;
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      pages ??= await pagesOfNewWorkspace(url, headers);
      let left = WRITES;
      const client = async (name: string): Promise<void> => {
        for (let i = 0; ; i += 1) {
          const page = { name: `${round} ${name} ${i}`, type: 'folder' };
          const status = await statusOf(url + pages!, { method: 'POST', headers, body: JSON.stringify(page) });
          if (status === null) return;
          // The worker that writes for others may be gone a moment earlier than the one that answers.
          expect(status).to.be.oneOf([201, 503]);
          if (status === 503) continue;
          acknowledged.push(page.name);
          left -= 1;
          if (left === 0) serving!.child.kill('SIGKILL');
        }
      };
      await Promise.all(Array.from({ length: CLIENTS }, (_, i) => client(String(i))));
      // Resolves when no process is left that has the log open: the workers are gone.
      await serving.done;
    }
    expect(acknowledged.length).to.be.at.least(ROUNDS * WRITES);
    await expectKept(here, acknowledged, 'file:serving.db');
  });

  it(`has another worker write for others when one that does is killed under load, ${ROUNDS} times`, () =>
    killWriters((serving = startServe(here, ...STORE)), here, 'file:serving.db'));

  it(`lets those who watch miss nothing when the workers are killed, ${ROUNDS} times`, async () => {
    const service = startServe(here, ...STORE);
    serving = service;
    const { url, administrator } = await service.started;
    const { token } = administrator!;
    const session = createClient({ url, token });
    const { id: workspaceId } = await session.workspaces.create({ name: 'Acme' });
    let since = '';
    await session.workspaces.get({ workspaceId }, { onCursor: (cursor) => void (since = cursor) });
    const watchers = [new Watcher(url, token, workspaceId, since), new Watcher(url, token, workspaceId, since)];
    const acknowledged: string[] = [];
    const write = async () => {
      const made = await session.pages.create({ workspaceId, name: 'Page', type: 'folder' }).catch(() => null);
      if (made !== null) acknowledged.push(made.id);
    };
    let pids = await service.workers(2);
    for (let round = 0; round < ROUNDS; round += 1) {
      for (let n = 0; n < WRITES / 4; n += 1) await write();
      for (const { heard } of watchers) await heard(acknowledged);
      for (const pid of pids) process.kill(pid, 'SIGKILL');
      await write();
      pids = (await service.workers(2 * (round + 2))).slice(-2);
    }
    await write();
    for (const { heard } of watchers) await heard(acknowledged);
    for (const watcher of watchers) await watcher.end();
    service.child.kill('SIGTERM');
    expect((await service.done).code).to.equal(0);
  });

  // Only in the long run: a silent worker has 20 seconds. `../../service/cluster.test.ts` has it in short.
  if (ROUNDS > USUAL) it('replaces a worker that does not answer any more', replacesSilentWorker);

  async function replacesSilentWorker(): Promise<void> {
    serving = startServe(here, ...STORE);
    const [victim] = await serving.workers(2);
    await serving.started;
    process.kill(victim!, 'SIGSTOP');
    await serving.line(({ msg, worker }) => msg === 'worker is killed' && worker === victim);
    await serving.line(({ msg, worker }) => msg === 'worker ended' && worker === victim);
    await serving.workers(3);
    serving.child.kill('SIGTERM');
    expect((await serving.done).code).to.equal(0);
  }
});

/** Follows a workspace through the client, and keeps the ids of the pages that it hears of. */
class Watcher {
  readonly #ids = new Set<string>();
  readonly #stop = new AbortController();
  readonly #ended: Promise<void>;
  #look: () => void = () => undefined;

  constructor(url: string, token: string, workspaceId: string, since: string) {
    const { signal } = this.#stop;
    const events = createClient({ url, token }).changes.watch({ workspaceId, since, kind: ['page'], signal });
    this.#ended = this.#take(events);
  }

  async #take(events: AsyncIterable<ChangeEvent>): Promise<void> {
    for await (const { id, pageIds } of events) {
      for (const each of [id, ...(pageIds ?? [])]) if (each !== null) this.#ids.add(each);
      this.#look();
    }
  }

  /** Resolves when it has heard of all of them. */
  readonly heard = async (ids: readonly string[]): Promise<void> => {
    const next = () => new Promise<void>((resolve) => (this.#look = resolve));
    while (!ids.every((id) => this.#ids.has(id))) await Promise.race([next(), this.#ended]);
  };

  end(): Promise<void> {
    this.#stop.abort();
    return this.#ended;
  }
}

/** A connection on which nothing is sent. */
async function connected(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
  return socket;
}
