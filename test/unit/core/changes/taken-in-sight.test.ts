import { expect } from 'chai';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import type { ChangeEvent } from '../../../../core/index.ts';
import type { ChangeStream } from '../../../../core/changes/watch.ts';
import { withParts } from '../../../../core/ports/lazy-transaction.ts';
import { ManualTimers } from '../../../fixtures/manual-timers.ts';
import { watchedCalls, wrappedStore } from '../../../fixtures/store/wrapped-store.ts';
import { newTeam, type Team } from '../../../fixtures/world/team.ts';
import { newWorld, outcome } from '../../../fixtures/world/world.ts';
import { join } from '../../../fixtures/world/workspace.ts';

const NEVER = new Promise<void>(() => undefined);
const POLL = 250;

describe('events that a reader has yet to take', () => {
  let team: Team;
  let timers: ManualTimers;
  /** How often the access of anybody was read. */
  let looks: number;
  let stream: ChangeStream;
  let boardId: string;

  beforeEach(async () => {
    timers = new ManualTimers();
    const store = wrappedStore(memoryStore(), {
      read: (tx) => withParts(tx, { structures: () => watchedCalls(tx.structures, () => (looks += 1)) }),
    });
    team = await newTeam(newWorld(store, 0, timers));
    ({ id: boardId } = await team.board('Board'));
    const { member } = team;
    const caller = { kind: 'user', userId: member.userId } as const;
    stream = await team.world.engine.changes.watch({ caller }, team.at);
    await team.task(boardId, 'Task');
    expect((await stream.next())!.items.map(({ type }) => type)).to.deep.equal(['task.create']);
  });
  afterEach(() => stream.close());

  it('are in sight until they are taken, whatever else is written', async () => {
    await team.page('Elsewhere');
    let take!: () => void;
    const inSight = stream.isTakenInSight(new Promise((resolve) => (take = resolve)));
    await team.page('Elsewhere too');
    take();
    expect(await inSight).to.equal(true);
    expect((await stream.next())!.items.map(({ type }) => type)).to.deep.equal(['page.create', 'page.create']);
  });

  it('have the access looked at for what was written, and no more however long they wait', async () => {
    const poll = async () => {
      await timers.isSet(POLL);
      timers.pass(POLL);
      await timers.isSet(POLL);
    };
    await team.page('Elsewhere');
    looks = 0;
    const inSight = stream.isTakenInSight(NEVER);
    // The first may come before the look is done.
    for (let n = 0; n < 2; n += 1) await poll();
    const before = looks;
    expect(before).to.be.at.least(1);
    for (let n = 0; n < 8; n += 1) await poll();
    expect(looks).to.equal(before);
    stream.close();
    expect(await inSight).to.equal(false);
  });

  it('are out of sight for a member who has left and come back', async () => {
    const { owner, member, at } = team;
    await owner.members.remove({ ...at, memberId: member.memberId });
    await join(owner, at, member, 20);
    expect(await stream.isTakenInSight(NEVER)).to.equal(false);
  });

  it('are out of sight for a member of a lower role, who may still see the page', async () => {
    const { owner, member, at } = team;
    await team.grant(boardId, member, 300);
    await stream.next();
    await owner.members.update({ ...at, memberId: member.memberId, role: 10 });
    expect(await stream.isTakenInSight(NEVER)).to.equal(false);
  });

  it('are in sight though one of them takes a page away', async () => {
    const hidden = await team.page('Hidden');
    await stream.next();
    await team.grant(hidden, team.member, 0);
    expect((await stream.next())!.items.map(({ type }) => type)).to.deep.equal(['page.hide']);
    await team.page('Elsewhere');
    expect(await stream.isInSight()).to.equal(true);
  });

  it('are refused to who is no member any more', async () => {
    const { owner, member, at } = team;
    await owner.members.remove({ ...at, memberId: member.memberId });
    expect(await outcome(stream.isTakenInSight(NEVER))).to.equal('not-found');
  });

  it('are waited for no longer when the stream is closed', async () => {
    const inSight = stream.isTakenInSight(NEVER);
    stream.close();
    expect(await inSight).to.equal(false);
  });

  describe('one by one', () => {
    let events: AsyncIterableIterator<ChangeEvent>;
    let two: string;
    let since: string;

    async function moveOutOfSight(taskId: string): Promise<void> {
      const hidden = await team.board('Hidden');
      await team.grant(hidden.id, team.member, 0);
      await team.owner.tasks.update({ ...team.at, taskId, boardId: hidden.id, statusId: hidden.todo });
    }

    beforeEach(async () => {
      ({ id: boardId } = await team.board('Another'));
      await team.member.workspaces.get(team.at, { onCursor: (now) => void (since = now) });
      await team.task(boardId, 'One');
      two = await team.task(boardId, 'Two');
      events = team.member.changes.watch({ ...team.at, since });
      expect((await events.next()).value.type).to.equal('task.create');
    });
    afterEach(() => events.return!());

    it('are not given once they are hidden', async () => {
      await team.grant(boardId, team.member, 0);
      expect((await events.next()).value.type).to.equal('page.hide');
    });

    for (const [what, act] of [
      ['put on a board that is hidden', (taskId: string) => moveOutOfSight(taskId)],
      ['deleted', (taskId: string) => team.owner.tasks.delete({ ...team.at, taskId })],
    ] as const) {
      it(`are not given once their task is ${what}`, async () => {
        const taskId = await team.task(boardId, 'Three');
        const ending = team.member.changes.watch({ ...team.at, since });
        expect((await ending.next()).value.type).to.equal('task.create');
        await act(taskId);
        const last = await team.task(boardId, 'Four');
        const created: string[] = [];
        while (created.at(-1) !== last) {
          const { value } = await ending.next();
          if (value.type === 'task.create') created.push(value.id);
        }
        expect(created).to.deep.equal([two, last]);
        await ending.return!();
      });
    }

    it('are given once the access to others has changed', async () => {
      await team.grant(boardId, team.guest, 100);
      expect((await events.next()).value.type).to.equal('task.create');
    });

    it('are given behind one that takes a page away, whatever is written meanwhile', async () => {
      const [hidden, deleted] = [await team.page('Hidden'), await team.page('Deleted')];
      await team.member.workspaces.get(team.at, { onCursor: (now) => void (since = now) });
      await team.grant(hidden, team.member, 0);
      await team.owner.pages.delete({ ...team.at, pageId: deleted });
      await team.task(boardId, 'Three');
      const types: string[] = [];
      for await (const { type } of team.member.changes.watch({ ...team.at, since })) {
        types.push(type);
        if (types.length === 3) break;
        await team.page('Elsewhere');
      }
      expect(types).to.have.members(['page.hide', 'page.delete', 'task.create']);
    });

    it('are not given once the end is asked for, whatever was written before', async () => {
      const end = new AbortController();
      const ending = team.member.changes.watch({ ...team.at, since, signal: end.signal });
      await ending.next();
      await team.page('Elsewhere');
      const next = ending.next();
      end.abort();
      expect((await next).done).to.equal(true);
    });

    it('are refused to who is no member any more', async () => {
      await team.owner.members.remove({ ...team.at, memberId: team.member.memberId });
      expect(await outcome(events.next())).to.equal('not-found');
    });
  });
});
