import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { compose, createEspalier, type Espalier } from '../../../adapters/service/espalier.ts';
import { TOKENS } from '../../../adapters/service/tokens.ts';
import { WriteForwarder } from '../../../adapters/service/cluster/write-forwarder.ts';
import { startWriteServer } from '../../../adapters/service/cluster/write-server.ts';
import { memoryStore } from '../../../adapters/store-memory/index.ts';
import { WakeUps } from '../../../core/changes/wake-ups.ts';
import type { Engine } from '../../../core/engine.ts';
import { EspalierError } from '../../../core/kernel/errors.ts';
import { wrapEngine, type RunUseCase } from '../../../core/wrap-engine.ts';
import type { Call, Caller } from '../../../core/ports/context.ts';
import type { Store } from '../../../core/ports/store.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const OPERATOR: Caller = { kind: 'operator' };
const ADA = { name: 'Ada', email: 'ada@example.org' };

/** More comments than a write reads for its answer. */
const MANY = 101;

/** The engine, the names of the use cases that were run on it, and what they answered. */
function watched(engine: Engine) {
  const ran: string[] = [];
  const answers: unknown[] = [];
  const watch =
    (run: RunUseCase, name: string): RunUseCase =>
    async (call, input) => {
      ran.push(name);
      const answer = await run(call, input);
      answers.push(answer);
      return answer;
    };
  return { engine: wrapEngine(engine, watch), ran, answers };
}

/** An engine, with a `WakeUps` that observes none of its commits. */
function writing(engine: Engine) {
  return { engine, wakeUps: new WakeUps(memoryStore()) };
}

/** As of a process that does not look for changes of others by itself: the time between two looks never passes. */
function processOn(store: Store) {
  const container = compose({ store, timers: { after: () => () => {} } });
  return { engine: container.get(TOKENS.engine), wakeUps: container.get(TOKENS.wakeUps) };
}

async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => 'ok',
    (error: unknown) => (error instanceof EspalierError ? error.code : error),
  );
}

describe('the forwarding of writes between processes of a service', () => {
  const folder = temporaryFolder();
  let paths = 0;
  let espalier: Espalier;
  let forwarder: WriteForwarder;
  const ends: (() => unknown)[] = [];

  const newPath = () => join(folder, `${(paths += 1)}.sock`);

  /** Resolves when writes are forwarded: the connection is made. */
  async function forwarding(paths: readonly (string | null)[], engine: Engine): Promise<void> {
    forwarder.forwardTo(paths);
    for (const path of paths) {
      if (path === null) continue;
      const probe = connect(path);
      await once(probe, 'connect');
      probe.destroy();
    }
    // A writer has accepted an earlier connection by then, and this process hears of it in the same turn or the next.
    await new Promise((resolve) => setImmediate(resolve));
    await engine.users.list({ caller: OPERATOR }, {});
  }

  beforeEach(() => {
    espalier = createEspalier({ store: memoryStore() });
    forwarder = new WriteForwarder();
  });
  afterEach(async () => {
    forwarder.forwardTo([]);
    for (const end of ends.splice(0).toReversed()) await end();
    await espalier.close();
  });

  async function writerAndForwarder() {
    const path = newPath();
    const there = watched(espalier.engine);
    const here = watched(espalier.engine);
    const server = await startWriteServer(writing(there.engine), path);
    const engine = forwarder.engine(here.engine);
    await forwarding([path], engine);
    here.ran.length = 0;
    return { server, there, here, engine };
  }

  it('has the writer run what writes, and reads itself', async () => {
    const { server, there, here, engine } = await writerAndForwarder();
    const user = await engine.users.create({ caller: OPERATOR }, ADA);
    expect(user).to.include(ADA);
    const listed = await engine.users.list({ caller: OPERATOR }, {});
    expect(listed.items).to.deep.equal([user]);
    expect([there.ran, here.ran]).to.deep.equal([['users.create'], ['users.list']]);
    const call: Call = { caller: { kind: 'user', userId: user.id }, ifVersion: [7] };
    expect(await codeOf(engine.me.update(call, { name: 'Ada Lovelace' }))).to.equal('version-mismatch');
    ends.push(() => server.close());
  });

  it('gives what the use case throws as it is, with the fields at fault', async () => {
    const { server, engine } = await writerAndForwarder();
    const { id: userId } = await engine.users.create({ caller: OPERATOR }, ADA);
    const call: Call = { caller: { kind: 'user', userId } };
    const { id: workspaceId } = await engine.workspaces.create(call, { name: 'Acme' });
    const page = { workspaceId, name: 'x', type: 'folder', parentId: userId } as const;
    const here = espalier.engine.pages.create(call, page).catch((error: unknown) => error);
    const there = engine.pages.create(call, page).catch((error: unknown) => error);
    const [own, forwarded] = [(await here) as EspalierError, (await there) as EspalierError];
    expect(own.code).to.equal('unusable-reference');
    const parts = ({ name, code, detail, errors, message }: EspalierError) => ({ name, code, detail, errors, message });
    expect(parts(forwarded)).to.deep.equal(parts(own));
    // What nobody foresaw is no refusal.
    const wrong = await codeOf(engine.workspaces.create(call, null as never));
    expect(wrong).to.be.instanceOf(Error).and.not.instanceOf(EspalierError);
    ends.push(() => server.close());
  });

  it('gives the cause of an error too, for the log', async () => {
    const error = new EspalierError('store-unavailable', 'It cannot be reached.', [], { cause: new Error('refused') });
    const { me } = espalier.engine;
    const failing: Engine = { ...espalier.engine, me: { ...me, update: () => Promise.reject(error) } };
    const path = newPath();
    const server = await startWriteServer(writing(failing), path);
    ends.push(() => server.close());
    const engine = forwarder.engine(espalier.engine);
    await forwarding([path], engine);
    const forwarded = await engine.me.update({ caller: OPERATOR }, {}).catch((thrown: unknown) => thrown);
    expect(await codeOf(Promise.reject(forwarded))).to.equal('store-unavailable');
    expect((forwarded as EspalierError).cause)
      .to.be.instanceOf(Error)
      .and.include({ message: 'refused' });
  });

  it('tells a repeated call that its answer is the one kept', async () => {
    const { server, engine } = await writerAndForwarder();
    let replays = 0;
    const idempotencyKey = { key: 'k', digest: 'd', onReplay: () => void (replays += 1) };
    const first = await engine.users.create({ caller: OPERATOR, idempotencyKey }, ADA);
    expect(replays).to.equal(0);
    expect(await engine.users.create({ caller: OPERATOR, idempotencyKey }, ADA)).to.deep.equal(first);
    expect(replays).to.equal(1);
    ends.push(() => server.close());
  });

  it('reads very many comments where the client is, and has the writer answer without them', async () => {
    const { server, there, here, engine } = await writerAndForwarder();
    const { id: userId } = await engine.users.create({ caller: OPERATOR }, ADA);
    const call: Call = { caller: { kind: 'user', userId } };
    const { id: workspaceId } = await engine.workspaces.create(call, { name: 'Acme' });
    const { id: boardId } = await engine.boards.create(call, { workspaceId, name: 'Board' });
    await engine.statuses.create(call, { workspaceId, boardId, name: 'To do' });
    const { id: taskId } = await engine.tasks.create(call, { workspaceId, boardId, title: 'Task' });
    for (let n = 0; n < MANY; n += 1)
      await espalier.as(userId).comments.create({ workspaceId, taskId, content: `Comment ${n}` });
    here.ran.length = 0;
    there.answers.length = 0;
    const entered: unknown[] = [];
    const beforeLargeAnswer = (...by: unknown[]) => Promise.resolve(void entered.push(by));
    const change = { workspaceId, taskId, title: 'Changed', expand: ['author', 'board'] } as const;
    const task = await engine.tasks.update({ ...call, beforeLargeAnswer }, change);
    expect([task.title, task.comments.length, task.expanded?.board?.name]).to.deep.equal(['Changed', MANY, 'Board']);
    expect(task.comments[0]!.expanded?.author?.name).to.equal('Ada');
    expect(here.ran).to.deep.equal(['tasks.get']);
    expect(entered).to.deep.equal([[userId, MANY]]);
    expect((there.answers as { comments: unknown }[]).map(({ comments }) => comments)).to.deep.equal([null]);
    ends.push(() => server.close());
  });

  it('takes unlimited comments in an answer for a quota, not for those of a task', async () => {
    const { server, there, here, engine } = await writerAndForwarder();
    ends.push(() => server.close());
    const quotas = await engine.quotas.update({ caller: OPERATOR }, { comments: null });
    expect(quotas.comments).to.equal(null);
    expect(quotas).to.deep.equal(there.answers[0]);
    expect(here.ran).to.deep.equal([]);
  });

  it('lets a writer that closes answer what it has, and writes by itself from then on', async () => {
    const { server, there, here, engine } = await writerAndForwarder();
    const users = Array.from({ length: 20 }, (_, n) => ({ name: 'Ben', email: `ben-${n}@example.org` }));
    const writes = users.map((user) => engine.users.create({ caller: OPERATOR }, user));
    await writes[0];
    await server.close();
    await Promise.all(writes);
    await engine.users.create({ caller: OPERATOR }, ADA);
    expect([there.ran.length, here.ran]).to.deep.equal([20, ['users.create']]);
  });

  /** A writer that takes writes and answers none. */
  async function mute(): Promise<{ server: Server; path: string; taken: Promise<void>; kill: () => void }> {
    const path = newPath();
    let heard!: () => void;
    const taken = new Promise<void>((resolve) => (heard = resolve));
    const kills: (() => void)[] = [];
    const server = createServer((socket) => {
      socket.on('data', () => heard());
      socket.on('error', () => {});
      kills.push(() => socket.destroy());
    });
    server.listen(path);
    await once(server, 'listening');
    const kill = () => kills.splice(0).forEach((each) => each());
    ends.push(() => {
      kill();
      server.close();
    });
    return { server, path, taken, kill };
  }

  it('says that the outcome is not known when the writer ends first, and then writes by itself', async () => {
    const { path, taken, kill } = await mute();
    const here = watched(espalier.engine);
    const engine = forwarder.engine(here.engine);
    await forwarding([path], engine);
    const lost = codeOf(engine.users.create({ caller: OPERATOR }, ADA));
    await taken;
    kill();
    expect(await lost).to.equal('store-unavailable');
    expect(here.ran).not.to.include('users.create');
    expect(await codeOf(engine.users.create({ caller: OPERATOR }, ADA))).to.equal('ok');
  });

  it('has each of several writers write for some of the workspaces, and writes what is about none', async () => {
    const here = watched(espalier.engine);
    const engine = forwarder.engine(here.engine);
    const there = [watched(espalier.engine), watched(espalier.engine)];
    const paths: string[] = [];
    for (const { engine: writer } of there) {
      const path = newPath();
      const server = await startWriteServer(writing(writer), path);
      ends.push(() => server.close());
      paths.push(path);
    }
    await forwarding([...paths, null], engine);
    const { id: userId } = await engine.users.create({ caller: OPERATOR }, ADA);
    const call: Call = { caller: { kind: 'user', userId } };
    const workspaces = await Promise.all(
      Array.from({ length: 30 }, (_, n) => engine.workspaces.create(call, { name: `Acme ${n}` })),
    );
    expect(here.ran.filter((name) => name === 'workspaces.create')).to.have.length(30);
    const writers = new Set<string>();
    for (const { id: workspaceId } of workspaces) {
      const counts = () => [...there, here].map(({ ran }) => ran.filter((name) => name === 'pages.create').length);
      const before = counts();
      for (let n = 0; n < 3; n += 1) await engine.pages.create(call, { workspaceId, name: 'Page', type: 'folder' });
      const writes = counts().map((count, i) => count - before[i]!);
      expect(writes).to.have.members([0, 0, 3]);
      writers.add(writes.join());
    }
    expect(writers.size).to.equal(3);
  });

  it('wakes those who wait for changes when the writer commits; without any, the writer sends nothing', async () => {
    const [writer, reader] = [processOn(espalier.store), processOn(espalier.store)];
    const path = newPath();
    const server = await startWriteServer(writer, path);
    ends.push(() => server.close());
    const { wakeUps } = reader;
    let told = 0;
    const wake = (ids: readonly string[]) => {
      told += 1;
      wakeUps.wake(ids);
    };
    const { hasListeners } = wakeUps;
    const onListening: typeof wakeUps.onListening = (observer) => wakeUps.onListening(observer);
    forwarder = new WriteForwarder({ wakeUps: { wake, hasListeners, onListening } });
    const engine = forwarder.engine(reader.engine);
    await forwarding([path], engine);
    const { id: userId } = await engine.users.create({ caller: OPERATOR }, ADA);
    const call: Call = { caller: { kind: 'user', userId } };
    const { id: workspaceId } = await engine.workspaces.create(call, { name: 'Acme' });
    for (const by of [engine, writer.engine]) {
      told = 0;
      await engine.pages.create(call, { workspaceId, name: 'Nobody waits', type: 'folder' });
      expect(told).to.equal(0);
      let since = '';
      await engine.workspaces.get({ ...call, onCursor: (cursor) => void (since = cursor) }, { workspaceId });
      const waited = engine.changes.list(call, { workspaceId, since, wait: 60 });
      // It has read by then, and waits. The writer knows when it has answered what was sent to it afterwards.
      await new Promise((resolve) => setImmediate(resolve));
      await engine.workspaces.create(call, { name: 'Another' });
      const { id } = await by.pages.create(call, { workspaceId, name: 'Page', type: 'folder' });
      expect((await waited).items.map((event) => event.id)).to.deep.equal([id]);
      expect(told).to.be.above(0);
    }
  });

  it('wakes those who waited before there was a writer', async () => {
    const [writer, reader] = [processOn(espalier.store), processOn(espalier.store)];
    const { id: userId } = await reader.engine.users.create({ caller: OPERATOR }, ADA);
    const call: Call = { caller: { kind: 'user', userId } };
    const { id: workspaceId } = await reader.engine.workspaces.create(call, { name: 'Acme' });
    let since = '';
    await reader.engine.workspaces.get({ ...call, onCursor: (cursor) => void (since = cursor) }, { workspaceId });
    const waited = reader.engine.changes.list(call, { workspaceId, since, wait: 60 });
    await new Promise((resolve) => setImmediate(resolve));
    const path = newPath();
    const server = await startWriteServer(writer, path);
    ends.push(() => server.close());
    forwarder = new WriteForwarder({ wakeUps: reader.wakeUps });
    const engine = forwarder.engine(reader.engine);
    await forwarding([path], engine);
    const { id } = await engine.pages.create(call, { workspaceId, name: 'Page', type: 'folder' });
    expect((await waited).items.map((event) => event.id)).to.deep.equal([id]);
  });

  it('gives nothing more to a writer that is silent', async () => {
    const { path, taken, kill } = await mute();
    forwarder = new WriteForwarder({ silentAfter: 0 });
    const engine = forwarder.engine(espalier.engine);
    await forwarding([path], engine);
    const lost = codeOf(engine.users.create({ caller: OPERATOR }, { name: 'Ben', email: 'ben@example.org' }));
    await taken;
    expect(await codeOf(engine.users.create({ caller: OPERATOR }, ADA))).to.equal('ok');
    kill();
    expect(await lost).to.equal('store-unavailable');
  });

  it('leaves writes to a writer that works on one for long, by its beats', async () => {
    const path = newPath();
    let letGo!: () => void;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    let begun!: () => void;
    const isBegun = new Promise<void>((resolve) => (begun = resolve));
    const there = watched(espalier.engine);
    const slow: Engine = {
      ...there.engine,
      pages: {
        ...there.engine.pages,
        async delete() {
          begun();
          await held;
        },
      },
    };
    const server = await startWriteServer(writing(slow), path, 1);
    ends.push(() => server.close());
    let now = 0;
    let heard!: () => void;
    let isHeard = new Promise<void>((resolve) => (heard = resolve));
    const heardAt = () => {
      heard();
      return now;
    };
    forwarder = new WriteForwarder({ silentAfter: 1_000, now: heardAt });
    const here = watched(espalier.engine);
    const engine = forwarder.engine(here.engine);
    await forwarding([path], engine);
    const at = { workspaceId: 'w', pageId: 'p' };
    const long = engine.pages.delete({ caller: OPERATOR }, at);
    await isBegun;
    for (let i = 0; i < 3; i += 1) {
      now += 10_000;
      isHeard = new Promise<void>((resolve) => (heard = resolve));
      await isHeard;
      await engine.users.create({ caller: OPERATOR }, { name: 'Ben', email: `ben-${i}@example.org` });
    }
    letGo();
    await long;
    expect(here.ran.filter((name) => name === 'users.create')).to.deep.equal([]);
    expect(there.ran.filter((name) => name === 'users.create')).to.have.length(3);
  });
});
