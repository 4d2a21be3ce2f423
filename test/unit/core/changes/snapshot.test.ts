import { expect } from 'chai';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import type { SnapshotItem } from '../../../../core/index.ts';
import { toAsyncIterable } from '../../../../core/kernel/to-async-iterable.ts';
import type { Store } from '../../../../core/ports/store.ts';
import { ManualTimers } from '../../../fixtures/manual-timers.ts';
import { newTeam, type Team } from '../../../fixtures/world/team.ts';
import { newWorld, outcome } from '../../../fixtures/world/world.ts';

const LONGEST = 240_000;

/** A store that counts the reads that are running. */
function countingReads(store: Store): { readonly store: Store; readonly running: () => number } {
  let running = 0;
  const read: Store['read'] = (work) => {
    running += 1;
    return store.read(work).finally(() => (running -= 1));
  };
  return {
    store: { read, write: (work) => store.write(work), ready: () => store.ready(), close: () => store.close() },
    running: () => running,
  };
}

async function all(items: AsyncIterable<SnapshotItem>): Promise<SnapshotItem[]> {
  const taken: SnapshotItem[] = [];
  for await (const item of items) taken.push(item);
  return taken;
}

const idOf = (item: SnapshotItem) => (item.kind === 'head' ? null : item.record.id);

describe('a snapshot of a workspace', () => {
  let team: Team;
  let timers: ManualTimers;
  let running: () => number;
  let boardId: string;
  let taskIds: string[];

  beforeEach(async () => {
    timers = new ManualTimers();
    const counting = countingReads(memoryStore());
    running = counting.running;
    team = await newTeam(newWorld(counting.store, 0, timers));
    boardId = (await team.board('Board')).id;
    taskIds = [await team.task(boardId, 'One'), await team.task(boardId, 'Two')];
  });

  afterEach(() => {
    expect(running()).to.equal(0);
    expect(timers.count(LONGEST)).to.equal(0);
  });

  /** Takes items up to the first task, and gives what comes then. */
  async function begun(person: Team['member'] = team.member) {
    const items = person.changes.snapshot(team.at);
    let item: SnapshotItem;
    do item = (await items.next()).value as SnapshotItem;
    while (item.kind !== 'task');
    return items;
  }

  it('is everything as it is read one by one, tasks with checklists and comments behind them', async () => {
    const { owner, member, at } = team;
    const comment = await owner.comments.create({ ...at, taskId: taskIds[0]!, content: 'First' });
    const item = await owner.checklists.create({ ...at, taskId: taskIds[0]!, text: 'Ask' });
    let cursor = '';
    await member.workspaces.get(at, { onCursor: (now) => void (cursor = now) });
    const told: string[] = [];
    const items = await all(member.changes.snapshot(at, { onCursor: (now) => void told.push(now) }));
    expect(told).to.deep.equal([cursor]);
    const [page] = await member.pages.list(at);
    expect(items).to.deep.equal([
      { kind: 'head', cursor },
      { kind: 'workspace', record: await member.workspaces.get(at) },
      ...(await member.members.list(at)).map((record) => ({ kind: 'member', record })),
      { kind: 'page', record: page },
      { kind: 'board', record: await member.boards.get({ ...at, boardId }) },
      ...(await member.tasks.list(at)).items.flatMap((record) => [
        { kind: 'task', record: { ...record, links: [], checklist: record.id === taskIds[0] ? [item] : [] } },
        ...(record.id === taskIds[0] ? [{ kind: 'comment', record: comment }] : []),
      ]),
    ]);
  });

  it('has for a guest what was shown to them, and no other member', async () => {
    const { guest, owner, at } = team;
    const shown = await owner.pages.create({
      ...at,
      name: 'Two',
      type: 'task',
      parentId: boardId,
      taskId: taskIds[1]!,
    });
    await team.grant(shown.id, guest, 100);
    const items = await all(guest.changes.snapshot(at));
    expect(items.map(idOf)).to.deep.equal([null, team.workspaceId, guest.memberId, taskIds[1], taskIds[1]]);
    expect(items.at(-1)).to.have.nested.property('record.boardId', null);
    expect(await outcome(all(team.outsider.changes.snapshot(at)))).to.equal('not-found');
  });

  it('is of one moment, from which the changes follow', async () => {
    const { owner, member, at } = team;
    const items = await begun();
    await owner.tasks.update({ ...at, taskId: taskIds[1]!, title: 'Later' });
    await owner.tasks.create({ ...at, boardId, title: 'Three' });
    expect(await all(items)).to.have.nested.property('[0].record.title', 'Two');
    const [head] = await all(member.changes.snapshot(at));
    expect(head).to.have.property('kind', 'head');
  });

  it('ends when the reader may see less, also if it is what was given out already', async () => {
    for (const hide of [
      () => team.owner.access.changeSettings({ ...team.at, pageId: boardId, inherit: false, defaultAccess: 0 }),
      () => team.owner.members.update({ ...team.at, memberId: team.member.memberId, role: 10 }),
    ]) {
      const items = await begun();
      await hide();
      team.world.pass(250);
      expect(await outcome(items.next())).to.equal('snapshot-incomplete');
      expect((await items.next()).done).to.equal(true);
      await team.owner.access.changeSettings({ ...team.at, pageId: boardId, inherit: true });
    }
  });

  it('ends when a board is hidden that a task with a page of its own names', async () => {
    const { owner, at } = team;
    for (const taskId of taskIds)
      await owner.pages.create({ ...at, name: 'Page', type: 'task', taskId, parentId: null });
    const items = await begun();
    await owner.access.changeSettings({ ...at, pageId: boardId, inherit: false, defaultAccess: 0 });
    team.world.pass(250);
    expect(await outcome(items.next())).to.equal('snapshot-incomplete');
  });

  it('ends when the reader is no member any more, after a hundred records at the latest', async () => {
    const { owner, member, at } = team;
    const drafts = Array.from({ length: 150 }, (_, n) => ({ boardId, title: `More ${n}` }));
    await owner.tasks.createMany({ ...at, tasks: drafts });
    const items = await begun();
    await owner.members.remove({ ...at, memberId: member.memberId });
    let more = 0;
    const rest = async () => {
      for await (const _ of items) more += 1;
    };
    expect(await outcome(rest())).to.equal('not-found');
    expect(more).to.be.at.most(100);
  });

  it('goes on when what it reads is deleted by somebody else', async () => {
    const items = await begun();
    await team.owner.boards.delete({ ...team.at, boardId });
    team.world.pass(250);
    expect((await all(items)).map(idOf)).to.deep.equal([taskIds[1]]);
  });

  it('ends after four minutes, also while it waits for its reader', async () => {
    const items = await begun();
    timers.pass(LONGEST);
    // The read has ended before anybody asks for more.
    while (running() > 0) await new Promise((resolve) => setImmediate(resolve));
    expect(await outcome(items.next())).to.equal('snapshot-incomplete');
  });

  it('ends with the reason of a signal, and with a loop that is left', async () => {
    const stop = new AbortController();
    const items = team.member.changes.snapshot(team.at, { signal: stop.signal });
    await items.next();
    stop.abort(new Error('enough'));
    expect(await items.next().catch((error: unknown) => error)).to.equal(stop.signal.reason);
    for await (const _ of team.member.changes.snapshot(team.at)) break;
    expect(running()).to.equal(0);
  });
});

describe('what is given out while it is read', () => {
  it('is not given out twice by a store that runs its work again', async () => {
    const store = memoryStore();
    let times = 1;
    const read: Store['read'] = async (work) => {
      let answer = await store.read(work);
      for (let n = 1; n < times; n += 1) answer = await store.read(work);
      return answer;
    };
    const again: Store = {
      read,
      write: (work) => store.write(work),
      ready: () => store.ready(),
      close: () => store.close(),
    };
    const { owner, at } = await newTeam(newWorld(again));
    times = 2;
    const taken: string[] = [];
    const sink = ({ kind }: { readonly kind: string }) => void taken.push(kind);
    expect(await outcome(owner.exports.workspace({ ...at, sink }))).to.equal('store-unavailable');
    expect(taken.filter((kind) => kind === 'workspace')).to.have.length(1);
    const items: string[] = [];
    const take = async () => {
      for await (const { kind } of owner.changes.snapshot(at)) items.push(kind);
    };
    expect(await outcome(take())).to.equal('snapshot-incomplete');
    expect(items.filter((kind) => kind === 'head')).to.have.length(1);
  });
});

describe('items that are pulled from a producer', () => {
  it('are made no earlier than they are asked for', async () => {
    let made = 0;
    const items = toAsyncIterable<number>(async (sink) => {
      while (made < 3) await sink((made += 1));
    });
    expect(made).to.equal(0);
    expect([(await items.next()).value, made]).to.deep.equal([1, 1]);
    expect([(await items.next()).value, made]).to.deep.equal([2, 2]);
    expect([(await items.next()).value, (await items.next()).done]).to.deep.equal([3, true]);
  });

  it('end with the failure of the producer', async () => {
    const failure = new Error('broken');
    const items = toAsyncIterable<number>(async (sink) => {
      await sink(1);
      throw failure;
    });
    expect((await items.next()).value).to.equal(1);
    expect(await items.next().catch((error: unknown) => error)).to.equal(failure);
  });
});
