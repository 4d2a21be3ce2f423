import { expect } from 'chai';
import type { ReadTransaction, Store, Transaction } from '../../../../core/ports/store.ts';
import { withParts } from '../../../../core/ports/lazy-transaction.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import type { Task } from '../../../../core/model/content/task.ts';
import { collectGarbage } from '../../../fixtures/garbage.ts';
import { newTeam, type Team } from '../../../fixtures/world/team.ts';
import { watchedCalls, wrappedStore } from '../../../fixtures/store/wrapped-store.ts';
import { fault, newWorld, outcome, type Person, personOf } from '../../../fixtures/world/world.ts';

/** Those of a snapshot, each read of one another object, as from a store that decodes them. */
function decoded(tasks: ReadTransaction['tasks'], read: WeakRef<Task>[]): ReadTransaction['tasks'] {
  const get = async (workspaceId: string, id: string): Promise<Task | null> => {
    const task = structuredClone(await tasks.get(workspaceId, id));
    if (task !== null) read.push(new WeakRef(task));
    return task;
  };
  return new Proxy(
    watchedCalls(tasks, () => undefined),
    {
      get: (target, name) => (name === 'get' ? get : (Reflect.get(target, name) as unknown)),
    },
  );
}

/** A store that tells what writes look for, and lets something happen between a read and the next write. */
function interrupted(inner: Store = memoryStore()): {
  store: Store;
  found: () => number;
  next: (work: () => Promise<unknown>) => void;
} {
  let [finds, waiting]: [number, (() => Promise<unknown>) | null] = [0, null];
  const counted = (tasks: Transaction['tasks']) =>
    watchedCalls(tasks, (method) => (finds += method === 'find' ? 1 : 0));
  const store: Store = {
    ...wrappedStore(inner, { write: (tx) => withParts(tx, { tasks: () => counted(tx.tasks) }) }),
    read: async (work) => {
      const result = await inner.read(work);
      const between = waiting;
      waiting = null;
      await between?.();
      return result;
    },
  };
  return { store, found: () => finds, next: (work) => void (waiting = work) };
}

describe('many tasks, while others write', () => {
  let team: Team;
  let boardId: string;
  let at: { workspaceId: string };
  let watched: ReturnType<typeof interrupted>;
  let writer: Person;

  beforeEach(async () => {
    watched = interrupted();
    team = await newTeam(newWorld(watched.store));
    ({ at } = team);
    boardId = (await team.board('Board')).id;
    await team.owner.tasks.createMany({ ...at, tasks: ['a', 'b'].map((title) => ({ boardId, title })) });
    writer = team.owner;
  });

  const change = (count: number) =>
    team.member.tasks.updateMany({ ...at, filter: { boardId: [boardId] }, count, set: { priority: 5 } });

  it('are looked for on a snapshot only, where what changed meanwhile has nothing to do with them', async () => {
    const { id: other } = await team.board('Other');
    const before = watched.found();
    watched.next(() => writer.tasks.create({ ...at, boardId: other, title: 'elsewhere' }));
    expect(await change(2)).to.deep.equal({ count: 2 });
    expect(watched.found()).to.equal(before);
  });

  it('are looked for again where one came to be found, or is found no more', async () => {
    watched.next(() => writer.tasks.create({ ...at, boardId, title: 'c' }));
    expect(await outcome(change(2))).to.equal('count-mismatch');
    const { items } = await writer.tasks.list(at);
    watched.next(() => writer.tasks.delete({ ...at, taskId: items[0]!.id }));
    expect(await outcome(change(3))).to.equal('count-mismatch');
    expect((await writer.tasks.list(at)).items.map(({ priority }) => priority)).to.deep.equal([0, 0]);
  });

  it('are looked for again on a snapshot, not inside the write, where a filter by links may find others', async () => {
    const { items } = await writer.tasks.list(at);
    const [a, b] = [items[0]!.id, items[1]!.id];
    await writer.tasks.link({ ...at, fromTaskId: a, type: 'blocks', taskId: b });
    const blocked = (count: number, priority: number) =>
      team.member.tasks.updateMany({ ...at, filter: { blocked: true }, count, set: { priority } });
    const before = watched.found();
    watched.next(() => writer.tasks.update({ ...at, taskId: a, title: 'renamed' }));
    expect(await blocked(1, 5)).to.deep.equal({ count: 1 });
    watched.next(() => writer.tasks.update({ ...at, taskId: a, complete: true }));
    expect(await outcome(blocked(1, 6))).to.equal('count-mismatch');
    watched.next(() => writer.tasks.update({ ...at, taskId: a, complete: false }));
    expect(await outcome(team.member.tasks.deleteMany({ ...at, filter: { blocked: true }, count: 0 }))).to.equal(
      'count-mismatch',
    );
    expect(watched.found()).to.equal(before);
    expect((await writer.tasks.get({ ...at, taskId: b })).priority).to.equal(5);
  });

  it('are changed also where others never rest: the last time they are looked for inside the write', async () => {
    const restless = () => {
      watched.next(async () => {
        await writer.tasks.create({ ...at, boardId, title: 'more', complete: true });
        restless();
      });
    };
    const { items } = await writer.tasks.list(at);
    restless();
    const filter = { complete: false, linkedTo: items.map(({ id }) => id) };
    const set = { priority: 5 };
    expect(await team.member.tasks.updateMany({ ...at, filter, count: 0, set })).to.deep.equal({ count: 0 });
    expect((await writer.tasks.list({ ...at, complete: true })).items.length).to.be.at.least(3);
  });

  it('keep what one of them was changed to meanwhile', async () => {
    const [task] = (await writer.tasks.list(at)).items;
    watched.next(() => writer.tasks.update({ ...at, taskId: task!.id, title: 'renamed' }));
    expect(await change(2)).to.deep.equal({ count: 2 });
    const now = await writer.tasks.get({ ...at, taskId: task!.id });
    expect([now.title, now.priority]).to.deep.equal(['renamed', 5]);
  });

  it('are not changed by somebody who may no longer', async () => {
    watched.next(() => team.grant(boardId, team.member, 100));
    expect(await outcome(change(2))).to.equal('forbidden');
    await team.grant(boardId, team.member, 300);
    watched.next(() => writer.members.remove({ ...at, memberId: team.member.memberId }));
    expect(await outcome(change(2))).to.equal('not-found');
  });

  it('do not go into a status that is removed meanwhile', async () => {
    const { id: statusId } = await writer.statuses.create({ ...at, boardId, name: 'Later' });
    watched.next(() => writer.statuses.delete({ ...at, boardId, statusId }));
    const moving = team.member.tasks.updateMany({
      ...at,
      filter: { boardId: [boardId] },
      count: 2,
      set: { statusId },
    });
    expect(await fault(moving)).to.equal('unusable-reference /set/statusId /filter');
  });

  it('are not held while the write waits', async () => {
    const read: WeakRef<Task>[] = [];
    const decoding = wrappedStore(watched.store, {
      read: (tx) => withParts(tx, { tasks: () => decoded(tx.tasks, read) }),
    });
    watched = interrupted(decoding);
    const { tasks } = personOf(newWorld(watched.store).engine, team.owner.userId, 'Owner');
    const filter = { boardId: [boardId] };
    const calls = [
      () => tasks.updateMany({ ...at, filter, count: 2, set: { priority: 5 } }),
      () => tasks.deleteMany({ ...at, filter, count: 2 }),
    ];
    for (const call of calls) {
      const held: (Task | undefined)[] = [];
      watched.next(async () => {
        await collectGarbage();
        held.push(...read.splice(0).map((one) => one.deref()));
      });
      await call();
      expect(held).to.deep.equal([undefined, undefined]);
    }
  });
});
