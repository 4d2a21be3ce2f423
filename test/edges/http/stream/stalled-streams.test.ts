import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { createEspalier } from '../../../../adapters/service/index.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { withParts } from '../../../../core/ports/lazy-transaction.ts';
import type { ReadTransaction, Store } from '../../../../core/ports/store.ts';
import type { Session } from '../../../../core/session.ts';
import { ManualTimers } from '../../../fixtures/manual-timers.ts';
import { watchedCalls, wrappedStore } from '../../../fixtures/store/wrapped-store.ts';
import { newSampleWorkspace } from '../sample-workspace.ts';
import { newApi, type Api, type ApiParts } from '../support.ts';

async function revokeAll(session: Session): Promise<void> {
  for (const { id } of (await session.tokens.list()).items) await session.tokens.revoke({ tokenId: id });
}

/** Large enough that a few fill what the operating system keeps for a client that reads nothing. */
const DESCRIPTION = 'x'.repeat(50_000);

describe('a stream of events whose client takes nothing', () => {
  let api: Api;
  let socket: Socket;
  let reads: number;
  afterEach(async () => {
    socket.destroy();
    await api.close();
  });

  /** Counts reads of what is in a log. */
  function counted(store: Store): Store {
    const changeLog = (tx: ReadTransaction) =>
      watchedCalls(tx.changeLog, (method) => (reads += method === 'list' ? 1 : 0));
    return wrappedStore(store, { read: (tx) => withParts(tx, { changeLog: () => changeLog(tx) }) });
  }

  /** A stream with the records of many large tasks behind it, of which nothing but the beginning is read. */
  async function stalled(parts: ApiParts, follower: 'ada' | 'bob' = 'ada') {
    reads = 0;
    const timers = new ManualTimers();
    const store = counted(memoryStore());
    api = await newApi('through a socket', { espalier: createEspalier({ store, timers }), timers, ...parts });
    const { ids, ada, bob } = await newSampleWorkspace(api);
    const { token } = { ada, bob }[follower];
    const { workspaceId, boardId } = ids;
    const session = api.espalier.as(bob);
    let since = '';
    await session.workspaces.get({ workspaceId }, { onCursor: (now) => void (since = now) });
    const tasks = Array.from({ length: 500 }, (_, n) => ({ title: `Task ${n}`, boardId, description: DESCRIPTION }));
    await session.tasks.createMany({ workspaceId, tasks });
    socket = connect(Number(new URL(api.url).port), '127.0.0.1').on('error', () => undefined);
    socket.write(
      `GET /api/workspace/${workspaceId}/changes?include=record&since=${since} HTTP/1.1\r\nhost: x\r\n` +
        `accept: text/event-stream\r\nauthorization: Bearer ${token}\r\n\r\n`,
    );
    await once(socket, 'readable');
    return { timers, workspaceId, taskId: ids['taskId'], session, boardId, owner: api.espalier.as(ada), bob };
  }

  const reasons = () => (api.log as readonly { readonly reason?: string }[]).map(({ reason }) => reason);
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  /** Waits until the stream reads no further. @returns how often it has read */
  async function untilStill(): Promise<number> {
    let before: number;
    do {
      before = reads;
      for (let n = 0; n < 100; n += 1) await turn();
    } while (reads > before);
    return before;
  }

  it('is closed when bytes have waited for too long', async () => {
    await stalled({ stallTimeout: 100 });
    while (!reasons().includes('stalled')) await turn();
    socket.resume();
    await once(socket, 'close');
  });

  it('is closed when too much waits over all connections', async () => {
    await stalled({ unreadLimit: 100_000 });
    while (!reasons().includes('too-much-unread')) await turn();
  });

  type Stalled = Awaited<ReturnType<typeof stalled>>;
  const endings: readonly (readonly [string, string, (given: Stalled) => Promise<unknown>])[] = [
    ['the token is revoked', 'unauthenticated', ({ session }) => revokeAll(session)],
    [
      'the member is removed',
      'gone',
      ({ owner, workspaceId, bob }) => owner.members.remove({ workspaceId, memberId: bob.memberId }),
    ],
    [
      'the role is lowered',
      'reconnect',
      ({ owner, workspaceId, bob }) => owner.members.update({ workspaceId, memberId: bob.memberId, role: 10 }),
    ],
    [
      'the board is hidden',
      'reconnect',
      ({ owner, workspaceId, boardId, bob }) =>
        owner.access.grant({ workspaceId, pageId: boardId, memberId: bob.memberId, access: 0 }),
    ],
    [
      'the board is deleted',
      'reconnect',
      ({ owner, workspaceId, boardId }) => owner.boards.delete({ workspaceId, boardId }),
    ],
    ['the workspace is deleted', 'gone', ({ owner, workspaceId }) => owner.workspaces.delete({ workspaceId })],
  ];

  for (const [what, reason, act] of endings) {
    it(`is closed with what it has yet to take once ${what}`, async () => {
      const given = await stalled({}, 'bob');
      await untilStill();
      await act(given);
      while (!reasons().includes(reason)) await turn();
    });
  }

  it('goes on while what it has yet to take may be seen', async () => {
    const { session, workspaceId, taskId } = await stalled({}, 'bob');
    for (let n = 0; n < 20; n += 1) {
      await session.tasks.update({ workspaceId, taskId, title: `Title ${n}` });
      for (let m = 0; m < 10; m += 1) await turn();
    }
    expect(socket.destroyed).to.equal(false);
    expect(reasons().filter((reason) => reason !== undefined)).to.deep.equal([]);
  });

  it('counts with all that was read for it', async () => {
    await stalled({ unreadLimit: 1_000_000 });
    while (!reasons().includes('too-much-unread')) await turn();
  });

  it('ends between two events, or without a last one', async () => {
    await stalled({});
    await untilStill();
    const closed = api.close();
    let text = '';
    socket.setEncoding('latin1').on('data', (some: string) => (text += some));
    await once(socket, 'close');
    await closed;
    const complete = text.slice(text.indexOf('event: ')).split('\n\n').slice(0, -1);
    for (const event of complete) expect(event.split('event: ')).to.have.length(2);
    expect(complete).not.to.deep.equal([]);
  });

  it('makes nothing read and nothing written while it lasts, whatever is written and however long', async () => {
    const { timers, workspaceId, taskId, session } = await stalled({});
    const before = await untilStill();
    const held = process.memoryUsage().arrayBuffers;
    for (let n = 0; n < 20; n += 1) await session.tasks.update({ workspaceId, taskId, title: `Title ${n}` });
    for (let n = 0; n < 100; n += 1) {
      await timers.isSet(1_000);
      timers.pass(1_000);
      await turn();
    }
    // At most what was begun before.
    expect(reads - before).to.be.at.most(1);
    expect(process.memoryUsage().arrayBuffers - held).to.be.below(5_000_000);
    expect(socket.destroyed).to.equal(false);
  });
});
