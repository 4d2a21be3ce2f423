import { expect } from 'chai';
import { compose } from '../../../adapters/service/espalier.ts';
import { IDENTIFIERS } from '../../../adapters/service/identifiers.ts';
import { WriteForwarder } from '../../../adapters/service/cluster/write-forwarder.ts';
import { startWriteServer } from '../../../adapters/service/cluster/write-server.ts';
import type { Engine } from '../../../core/engine.ts';
import { EspalierError } from '../../../core/kernel/errors.ts';
import type { Call } from '../../../core/ports/context.ts';
import type { Store } from '../../../core/ports/store.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { ADA, codeOf, Forwarding, OPERATOR, watched, writing } from './forwarding.ts';

/** More comments than a write reads for its answer. */
const MANY = 101;

/** As of a process that does not look for changes of others by itself: the time between two looks never passes. */
function processOn(store: Store) {
  const container = compose({ store, timers: { after: () => () => {} } });
  return { engine: container.get(IDENTIFIERS.engine), wakeUps: container.get(IDENTIFIERS.wakeUps) };
}

describe('the forwarding of writes between processes of a service', () => {
  const folder = temporaryFolder();
  let forwarding: Forwarding;

  beforeEach(() => {
    forwarding = new Forwarding(folder);
  });
  afterEach(() => forwarding.end());

  it('has the writer run what writes, and reads itself', async () => {
    const { server, there, here, engine } = await forwarding.withWriter();
    const user = await engine.users.create({ caller: OPERATOR }, ADA);
    expect(user).to.include(ADA);
    const listed = await engine.users.list({ caller: OPERATOR }, {});
    expect(listed.items).to.deep.equal([user]);
    expect([there.ran, here.ran]).to.deep.equal([['users.create'], ['users.list']]);
    const call: Call = { caller: { kind: 'user', userId: user.id }, ifVersion: [7] };
    expect(await codeOf(engine.me.update(call, { name: 'Ada Lovelace' }))).to.equal('version-mismatch');
    forwarding.ends.push(() => server.close());
  });

  it('gives what the use case throws as it is, with the fields at fault', async () => {
    const { server, engine } = await forwarding.withWriter();
    const { id: userId } = await engine.users.create({ caller: OPERATOR }, ADA);
    const call: Call = { caller: { kind: 'user', userId } };
    const { id: workspaceId } = await engine.workspaces.create(call, { name: 'Acme' });
    const page = { workspaceId, name: 'x', type: 'folder', parentId: userId } as const;
    const here = forwarding.espalier.engine.pages.create(call, page).catch((error: unknown) => error);
    const there = engine.pages.create(call, page).catch((error: unknown) => error);
    const [own, forwarded] = [(await here) as EspalierError, (await there) as EspalierError];
    expect(own.code).to.equal('unusable-reference');
    const parts = ({ name, code, detail, errors, message }: EspalierError) => ({ name, code, detail, errors, message });
    expect(parts(forwarded)).to.deep.equal(parts(own));
    // What nobody foresaw is no refusal.
    const wrong = await codeOf(engine.workspaces.create(call, null as never));
    expect(wrong).to.be.instanceOf(Error).and.not.instanceOf(EspalierError);
    forwarding.ends.push(() => server.close());
  });

  it('gives the cause of an error too, for the log', async () => {
    const error = new EspalierError('store-unavailable', 'It cannot be reached.', [], { cause: new Error('refused') });
    const { me } = forwarding.espalier.engine;
    const failing: Engine = { ...forwarding.espalier.engine, me: { ...me, update: () => Promise.reject(error) } };
    const path = forwarding.newPath();
    const server = await startWriteServer(writing(failing), path);
    forwarding.ends.push(() => server.close());
    const engine = forwarding.forwarder.engine(forwarding.espalier.engine);
    await forwarding.begin([path], engine);
    const forwarded = await engine.me.update({ caller: OPERATOR }, {}).catch((thrown: unknown) => thrown);
    expect(await codeOf(Promise.reject(forwarded))).to.equal('store-unavailable');
    expect((forwarded as EspalierError).cause)
      .to.be.instanceOf(Error)
      .and.include({ message: 'refused' });
  });

  it('tells a repeated call that its answer is the one kept', async () => {
    const { server, engine } = await forwarding.withWriter();
    let replays = 0;
    const idempotencyKey = { key: 'k', digest: 'd', onReplay: () => void (replays += 1) };
    const first = await engine.users.create({ caller: OPERATOR, idempotencyKey }, ADA);
    expect(replays).to.equal(0);
    expect(await engine.users.create({ caller: OPERATOR, idempotencyKey }, ADA)).to.deep.equal(first);
    expect(replays).to.equal(1);
    forwarding.ends.push(() => server.close());
  });

  it('reads very many comments where the client is, and has the writer answer without them', async () => {
    const { server, there, here, engine } = await forwarding.withWriter();
    const { id: userId } = await engine.users.create({ caller: OPERATOR }, ADA);
    const call: Call = { caller: { kind: 'user', userId } };
    const { id: workspaceId } = await engine.workspaces.create(call, { name: 'Acme' });
    const { id: boardId } = await engine.boards.create(call, { workspaceId, name: 'Board' });
    await engine.statuses.create(call, { workspaceId, boardId, name: 'To do' });
    const { id: taskId } = await engine.tasks.create(call, { workspaceId, boardId, title: 'Task' });
    for (let n = 0; n < MANY; n += 1)
      await forwarding.espalier.as(userId).comments.create({ workspaceId, taskId, content: `Comment ${n}` });
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
    forwarding.ends.push(() => server.close());
  });

  it('takes unlimited comments in an answer for a quota, not for those of a task', async () => {
    const { server, there, here, engine } = await forwarding.withWriter();
    forwarding.ends.push(() => server.close());
    const quotas = await engine.quotas.update({ caller: OPERATOR }, { comments: null });
    expect(quotas.comments).to.equal(null);
    expect(quotas).to.deep.equal(there.answers[0]);
    expect(here.ran).to.deep.equal([]);
  });

  it('has each of several writers write for some of the workspaces, and writes what is about none', async () => {
    const here = watched(forwarding.espalier.engine);
    const engine = forwarding.forwarder.engine(here.engine);
    const there = [watched(forwarding.espalier.engine), watched(forwarding.espalier.engine)];
    const paths: string[] = [];
    for (const { engine: writer } of there) {
      const path = forwarding.newPath();
      const server = await startWriteServer(writing(writer), path);
      forwarding.ends.push(() => server.close());
      paths.push(path);
    }
    await forwarding.begin([...paths, null], engine);
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
    const [writer, reader] = [processOn(forwarding.espalier.store), processOn(forwarding.espalier.store)];
    const path = forwarding.newPath();
    const server = await startWriteServer(writer, path);
    forwarding.ends.push(() => server.close());
    const { wakeUps } = reader;
    let told = 0;
    const wake = (ids: readonly string[]) => {
      told += 1;
      wakeUps.wake(ids);
    };
    const { hasListeners } = wakeUps;
    const onListening: typeof wakeUps.onListening = (observer) => wakeUps.onListening(observer);
    forwarding.forwarder = new WriteForwarder({ wakeUps: { wake, hasListeners, onListening } });
    const engine = forwarding.forwarder.engine(reader.engine);
    await forwarding.begin([path], engine);
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
    const [writer, reader] = [processOn(forwarding.espalier.store), processOn(forwarding.espalier.store)];
    const { id: userId } = await reader.engine.users.create({ caller: OPERATOR }, ADA);
    const call: Call = { caller: { kind: 'user', userId } };
    const { id: workspaceId } = await reader.engine.workspaces.create(call, { name: 'Acme' });
    let since = '';
    await reader.engine.workspaces.get({ ...call, onCursor: (cursor) => void (since = cursor) }, { workspaceId });
    const waited = reader.engine.changes.list(call, { workspaceId, since, wait: 60 });
    await new Promise((resolve) => setImmediate(resolve));
    const path = forwarding.newPath();
    const server = await startWriteServer(writer, path);
    forwarding.ends.push(() => server.close());
    forwarding.forwarder = new WriteForwarder({ wakeUps: reader.wakeUps });
    const engine = forwarding.forwarder.engine(reader.engine);
    await forwarding.begin([path], engine);
    const { id } = await engine.pages.create(call, { workspaceId, name: 'Page', type: 'folder' });
    expect((await waited).items.map((event) => event.id)).to.deep.equal([id]);
  });
});
