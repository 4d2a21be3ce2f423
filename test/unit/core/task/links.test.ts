import { expect } from 'chai';
import type { LinkType, TaskLinkView } from '../../../../core/index.ts';
import { MOST_LINKS } from '../../../../core/model/content/task-links.ts';
import { withParts } from '../../../../core/ports/lazy-transaction.ts';
import type { ReadTransaction, Store } from '../../../../core/ports/store.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { countingGets } from '../../../fixtures/counted-gets.ts';
import { newTeam } from '../../../fixtures/team.ts';
import { DAY, newWorld, outcome } from '../../../fixtures/world.ts';

async function newTasks(keepTrash = 0, store?: Store) {
  const team = await newTeam(newWorld(store, 0, undefined, keepTrash));
  const { id: boardId } = await team.board('Board');
  const tasks = (session = team.owner.tasks) => ({
    link: async (fromTaskId: string, type: LinkType, taskId: string) =>
      session.link({ ...team.at, fromTaskId, type, taskId }),
    unlink: (fromTaskId: string, type: LinkType, taskId: string) =>
      session.unlink({ ...team.at, fromTaskId, type, taskId }),
    unlinkParent: (fromTaskId: string) => session.unlinkParent({ ...team.at, fromTaskId }),
    get: (taskId: string) => session.get({ ...team.at, taskId }),
    links: async (taskId: string) => (await session.get({ ...team.at, taskId })).links,
    found: async (filters: object) =>
      (await session.list({ ...team.at, ...filters, count: true })).items.map(({ title }) => title),
  });
  const add = (title: string, on = boardId) => team.task(on, title);
  return { ...team, boardId, add, tasks, of: tasks() };
}

const to = (type: TaskLinkView['type'], taskId: string) => ({ type, taskId });
const hidden = (type: TaskLinkView['type']) => ({ type, hidden: true });

describe('a link between two tasks', () => {
  it('reads at both ends, changes both, and does nothing again', async () => {
    const { add, of } = await newTasks();
    const [a, b] = [await add('a'), await add('b')];
    const linked = await of.link(a, 'blocks', b);
    expect(linked.links).to.deep.equal([to('blocks', b)]);
    expect(await of.links(b)).to.deep.equal([to('blockedBy', a)]);
    expect([linked.version, (await of.get(b)).version]).to.deep.equal([2, 2]);
    expect((await of.link(a, 'blocks', b)).version).to.equal(2);
    await of.link(b, 'relates', a);
    expect((await of.link(a, 'relates', b)).version).to.equal(3);
    await of.link(a, 'duplicates', b);
    await of.link(a, 'parent', b);
    expect(await of.links(b)).to.deep.equal([
      to('child', a),
      to('blockedBy', a),
      to('relates', a),
      to('duplicatedBy', a),
    ]);
    await of.unlink(a, 'blocks', b);
    await of.unlink(b, 'relates', a);
    await of.unlink(a, 'duplicates', b);
    await of.unlinkParent(a);
    expect([await of.links(a), await of.links(b)]).to.deep.equal([[], []]);
    expect((await of.get(a)).version)
      .to.equal((await of.get(b)).version)
      .and.to.equal(9);
  });

  it('is refused where it cannot be', async () => {
    const { add, of, owner, at } = await newTasks();
    const [a, b, c] = [await add('a'), await add('b'), await add('c')];
    expect(await outcome(of.link(a, 'relates', a))).to.equal('invalid-input');
    expect(await outcome(of.unlink(a, 'relates', b))).to.equal('not-found');
    expect(await outcome(of.unlinkParent(a))).to.equal('not-found');
    await of.link(a, 'parent', b);
    expect(await outcome(of.link(a, 'parent', c))).to.equal('has-parent');
    expect(await outcome(of.unlink(b, 'parent', a))).to.equal('not-found');
    const stale = { ifVersion: [1] };
    const of2 = { ...at, fromTaskId: a, type: 'relates', taskId: b } as const;
    expect(await outcome(owner.tasks.link(of2, stale))).to.equal('version-mismatch');
    expect(await outcome(owner.tasks.unlink(of2, stale))).to.equal('version-mismatch');
    expect(await outcome(owner.tasks.unlinkParent(of2, stale))).to.equal('version-mismatch');
  });

  it('makes no cycle of parents, nor of what is blocked', async () => {
    const { add, of } = await newTasks();
    const ids = await Promise.all(['a', 'b', 'c', 'd'].map((title) => add(title)));
    const [a, b, c, d] = ids as [string, string, string, string];
    for (const type of ['parent', 'blocks'] as const) {
      await of.link(a, type, b);
      await of.link(b, type, c);
      await of.link(c, type, d);
      expect(await outcome(of.link(d, type, a))).to.equal('link-cycle');
      if (type === 'blocks') expect(await outcome(of.link(b, type, a))).to.equal('link-cycle');
      if (type === 'blocks') await of.link(a, type, d);
    }
    await of.link(d, 'relates', a);
    await of.link(a, 'duplicates', b);
    await of.link(b, 'duplicates', a);
  });

  it('is one of at most 100 of a kind, at both ends', async () => {
    const { add, of } = await newTasks();
    const hub = await add('hub');
    for (let n = 0; n < MOST_LINKS; n += 1) await of.link(await add(`child ${n}`), 'parent', hub);
    const one = await add('one');
    expect(await outcome(of.link(one, 'parent', hub))).to.equal('limit-reached');
    await of.link(one, 'relates', hub);
    expect((await of.get(hub)).childCount).to.equal(MOST_LINKS);
  });

  it('is told from a cycle within a bound', async () => {
    const { add, of } = await newTasks();
    const chain: string[] = [];
    for (let n = 0; n < 220; n += 1) chain.push(await add(`${n}`));
    for (let n = 1; n < 110; n += 1) await of.link(chain[n]!, 'parent', chain[n - 1]!);
    for (let n = 111; n < 220; n += 1) await of.link(chain[n]!, 'parent', chain[n - 1]!);
    expect(await outcome(of.link(chain[110]!, 'parent', chain[109]!))).to.equal('limit-reached');
    // Nothing leads on from here: there is nothing to look for.
    await of.link(await add('leaf'), 'parent', chain[109]!);
    await of.link(chain[0]!, 'parent', await add('root'));
  });
});

describe('what a task tells of its links', () => {
  it('counts children and says whether it is blocked, in lists too', async () => {
    const { add, of, owner, at } = await newTasks();
    const [parent, a, b, c] = [await add('parent'), await add('a'), await add('b'), await add('c')];
    await of.link(a, 'parent', parent);
    await of.link(b, 'parent', parent);
    await of.link(c, 'blocks', parent);
    const told = async (taskId: string) => {
      const { parentTaskId, childCount, childDone, blocked } = await of.get(taskId);
      const [listed] = (await owner.tasks.list({ ...at, num: [(await of.get(taskId)).num] })).items;
      expect(listed).to.include({ parentTaskId, childCount, childDone, blocked });
      return [parentTaskId, childCount, childDone, blocked];
    };
    expect(await told(parent)).to.deep.equal([null, 2, 0, true]);
    expect(await told(a)).to.deep.equal([parent, 0, 0, false]);
    const { version } = await of.get(parent);
    await owner.tasks.update({ ...at, taskId: a, complete: true });
    await owner.tasks.update({ ...at, taskId: c, complete: true });
    expect(await told(parent)).to.deep.equal([null, 2, 1, false]);
    expect((await of.get(parent)).version).to.equal(version);
  });

  it('may be sent back, but not changed, with an update', async () => {
    const { add, of, owner, at } = await newTasks(DAY);
    const [a, b] = [await add('a'), await add('b')];
    await of.link(a, 'parent', b);
    const read = await of.get(a);
    const update = (more: object) => owner.tasks.update({ ...read, ...at, taskId: a, ...more });
    expect((await update({ title: 'new' })).title).to.equal('new');
    expect(await outcome(update({ version: undefined, parentTaskId: null }))).to.equal('invalid-input');
    // That the parent is hidden now is no new version of the task.
    const again = await of.get(a);
    await owner.tasks.delete({ ...at, taskId: b });
    expect((await owner.tasks.update({ ...again, ...at, taskId: a, title: 'newer' })).title).to.equal('newer');
  });

  it('is found by parent, by what blocks it, and by what it is linked to', async () => {
    const { add, of, owner, at } = await newTasks();
    const ids = await Promise.all(['a', 'b', 'c', 'd'].map((title) => add(title)));
    const [a, b, c, d] = ids as [string, string, string, string];
    await of.link(b, 'parent', a);
    await of.link(c, 'parent', a);
    await of.link(d, 'blocks', c);
    await of.link(b, 'blocks', d);
    expect(await of.found({ parentTaskId: [a] })).to.deep.equal(['b', 'c']);
    expect(await of.found({ parentTaskId: ['none'] })).to.deep.equal(['a', 'd']);
    expect(await of.found({ parentTaskId: ['none', a], complete: false })).to.deep.equal(['a', 'b', 'c', 'd']);
    expect(await of.found({ excludeParentTaskId: ['none'] })).to.deep.equal(['b', 'c']);
    expect(await of.found({ excludeParentTaskId: [a] })).to.deep.equal(['a', 'd']);
    expect(await of.found({ linkedTo: [d] })).to.deep.equal(['b', 'c']);
    expect(await of.found({ linkedTo: [d, a], sort: ['-title'] })).to.deep.equal(['c', 'b']);
    expect(await of.found({ excludeLinkedTo: [d] })).to.deep.equal(['a', 'd']);
    expect(await of.found({ blocked: true })).to.deep.equal(['c', 'd']);
    expect(await of.found({ blocked: false })).to.deep.equal(['a', 'b']);
    expect(await of.found({ excludeBlocked: true, linkedTo: [a] })).to.deep.equal(['b']);
    await owner.tasks.update({ ...at, taskId: b, complete: true });
    expect(await of.found({ blocked: true })).to.deep.equal(['c']);
    const { total } = await owner.tasks.list({ ...at, blocked: true, count: true });
    expect(total).to.equal(1);
    const many = { ...at, filter: { linkedTo: [a] }, count: 2, set: { priority: 100 } };
    expect(await owner.tasks.updateMany(many)).to.deep.equal({ count: 2 });
  });
});

describe('a list of tasks with links', () => {
  it('reads each linked task once, and nothing for tasks without links', async () => {
    const inner = memoryStore();
    let gets = 0;
    const counting = (tx: ReadTransaction): ReadTransaction =>
      withParts(tx, {
        tasks: () =>
          new Proxy(tx.tasks, {
            get(target, name) {
              if (name === 'get') gets += 1;
              const value: unknown = Reflect.get(target, name);
              return typeof value === 'function' ? (value.bind(target) as unknown) : value;
            },
          }),
      });
    const store: Store = {
      read: (work) => inner.read((tx) => work(counting(tx))),
      write: (work) => inner.write(work),
      ready: () => inner.ready(),
      close: () => inner.close(),
    };
    const { owner, at, of, add } = await newTasks(0, store);
    const reads = async (input: object = {}) => {
      gets = 0;
      await owner.tasks.list({ ...at, limit: 500, ...input });
      return gets;
    };
    const hubs = [await add('hub'), await add('hub')];
    const ids: string[] = [];
    for (let n = 0; n < 60; n += 1) ids.push(await add(`${n}`));
    expect(await reads()).to.equal(0);
    for (const [n, id] of ids.entries()) {
      await of.link(id, 'parent', hubs[0]!);
      if (n < 40) await of.link(hubs[1]!, 'blocks', id);
    }
    // Two hubs for 60 tasks, and what the first of them has as children.
    expect(await reads({ excludeNum: [1, 2] })).to.equal(2);
    expect(await reads()).to.equal(62);
    expect(await reads({ num: [2] })).to.equal(0);
    expect(await reads({ boardId: [(await owner.boards.list(at))[0]!.id], limit: 500 })).to.equal(62);
  });
});

describe('a link to a task that may not be seen', () => {
  async function withHidden() {
    const made = await newTasks(DAY);
    const { id: secret } = await made.board('Secret');
    await made.grant(secret, made.member, 0);
    const shown = await made.add('shown');
    const concealed = await made.add('concealed', secret);
    return { ...made, secret, shown, concealed, asMember: made.tasks(made.member.tasks) };
  }

  it('reads hidden, and is in no count and no filter', async () => {
    const { of, asMember, shown, concealed, add } = await withHidden();
    await of.link(concealed, 'parent', shown);
    await of.link(concealed, 'blocks', shown);
    const next = await add('next');
    await of.link(next, 'parent', concealed);
    const { links, childCount, blocked } = await asMember.get(shown);
    expect(links).to.deep.equal([hidden('child'), hidden('blockedBy')]);
    expect([childCount, blocked]).to.deep.equal([0, false]);
    expect((await of.get(shown)).childCount).to.equal(1);
    expect((await asMember.get(next)).parentTaskId).to.equal(null);
    expect(await asMember.found({ blocked: true })).to.deep.equal([]);
    expect(await asMember.found({ parentTaskId: [concealed] })).to.deep.equal([]);
    expect(await asMember.found({ linkedTo: [concealed] })).to.deep.equal([]);
    // It has one, as the link says.
    expect(await asMember.found({ parentTaskId: ['none'] })).to.deep.equal(['shown']);
  });

  it('cannot be made or removed, but for that to a parent', async () => {
    const { of, asMember, shown, concealed } = await withHidden();
    for (const type of ['parent', 'blocks', 'relates', 'duplicates'] as const) {
      expect(await outcome(asMember.link(shown, type, concealed))).to.equal('unusable-reference');
      expect(await outcome(asMember.link(concealed, type, shown))).to.equal('not-found');
      await of.link(shown, type, concealed);
      expect(await outcome(asMember.unlink(shown, type, concealed))).to.equal('not-found');
    }
    await asMember.unlinkParent(shown);
    expect(await of.links(concealed)).to.deep.equal([
      to('blockedBy', shown),
      to('relates', shown),
      to('duplicatedBy', shown),
    ]);
  });

  it('counts on a cycle, which names nothing', async () => {
    const { of, asMember, shown, concealed, add } = await withHidden();
    const last = await add('last');
    await of.link(shown, 'blocks', concealed);
    await of.link(concealed, 'blocks', last);
    const refused = await asMember.link(last, 'blocks', shown).catch((error: unknown) => JSON.stringify(error));
    expect(refused).to.contain('link-cycle').and.not.to.contain(concealed);
  });

  it('takes editing at one end and seeing at the other', async () => {
    const { add, board, grant, guest, tasks, of } = await withHidden();
    const { id: edited } = await board('Edited');
    const { id: viewed } = await board('Viewed');
    await grant(edited, guest, 300);
    await grant(viewed, guest, 100);
    const [a, b] = [await add('a', edited), await add('b', viewed)];
    const asGuest = tasks(guest.tasks);
    await asGuest.link(a, 'relates', b);
    expect(await outcome(asGuest.link(b, 'relates', a))).to.equal('forbidden');
    expect(await outcome(asGuest.unlink(b, 'relates', a))).to.equal('forbidden');
    await asGuest.unlink(a, 'relates', b);
    expect(await of.links(b)).to.deep.equal([]);
  });
});

describe('the links of a task that is deleted', () => {
  it('stay while it is in the trash, where they still count, and come back with it', async () => {
    const { of, add, owner, at } = await newTasks(DAY);
    const [a, b, c] = [await add('a'), await add('b'), await add('c')];
    await of.link(a, 'parent', b);
    await of.link(b, 'parent', c);
    await of.link(b, 'relates', c);
    const before = await of.get(b);
    await owner.tasks.delete({ ...at, taskId: b });
    expect(await of.links(a)).to.deep.equal([hidden('parent')]);
    expect(await of.links(c)).to.deep.equal([hidden('child'), hidden('relates')]);
    expect(await outcome(of.link(a, 'parent', c))).to.equal('has-parent');
    expect(await outcome(of.link(c, 'parent', a))).to.equal('link-cycle');
    // A link may end while one end of it is in the trash.
    await of.unlinkParent(a);
    await owner.trash.restore({ ...at, trashId: b });
    expect(await of.links(b)).to.deep.equal(before.links.filter(({ type }) => type !== 'child'));
    expect(await of.links(a)).to.deep.equal([]);
    expect(await of.links(c)).to.deep.equal([to('child', b), to('relates', b)]);
  });

  it('are removed with it for good, however many there are', async () => {
    const { of, add, owner, at, world } = await newTasks(DAY);
    const gone = await add('gone');
    const others: string[] = [];
    for (let n = 0; n < 70; n += 1) {
      others.push(await add(`${n}`));
      await of.link(others[n]!, 'relates', gone);
    }
    // In the trash as well.
    await owner.tasks.delete({ ...at, taskId: others[0]! });
    await owner.tasks.delete({ ...at, taskId: gone, permanently: true });
    expect(await of.links(others[69]!)).to.deep.equal([hidden('relates')]);
    expect((await world.operator.doctor.check()).findings).to.deep.equal([]);
    await world.purge();
    for (const id of others.slice(1)) expect(await of.links(id)).to.deep.equal([]);
    await owner.trash.restore({ ...at, trashId: others[0]! });
    expect(await of.links(others[0]!)).to.deep.equal([]);
    expect((await world.operator.doctor.check()).findings).to.deep.equal([]);
  });

  it('are removed with its board', async () => {
    const { of, add, owner, at, world, board } = await newTasks();
    const { id: other } = await board('Other');
    const [a, b, c] = [await add('a'), await add('b', other), await add('c', other)];
    await of.link(a, 'parent', b);
    await of.link(c, 'blocks', b);
    await owner.boards.delete({ ...at, boardId: other });
    expect(await of.links(a)).to.deep.equal([hidden('parent')]);
    await world.purge();
    expect(await of.links(a)).to.deep.equal([]);
    expect((await world.operator.doctor.check()).findings).to.deep.equal([]);
  });

  it('are removed with those of its board in steps of a bounded number of reads', async () => {
    const { store, gets } = countingGets(memoryStore());
    const { board, owner, at, world } = await newTeam(newWorld(store));
    const { id: boardId } = await board('Board');
    const tasks = Array.from({ length: 60 }, (_, i) => ({ boardId, title: `${i}` }));
    const ids = (await owner.tasks.createMany({ ...at, tasks })).map(({ id }) => id);
    for (const [i, fromTaskId] of ids.entries()) {
      for (const taskId of ids.slice(i + 1)) await owner.tasks.link({ ...at, fromTaskId, type: 'relates', taskId });
    }
    // A copy has no history: then the links are most of what is removed.
    const { id: copyId } = await owner.boards.copy({ ...at, boardId, tasks: true });
    gets.length = 0;
    await owner.boards.delete({ ...at, boardId: copyId });
    await world.purge();
    expect(Math.max(...gets)).to.be.below(1_000);
    expect((await world.operator.doctor.check()).findings).to.deep.equal([]);
  });
});

describe('what is told of links elsewhere', () => {
  it('is in the history of both tasks, with the names that the reader may see', async () => {
    const { add, of, owner, member, at, board, grant } = await newTasks();
    const { id: secret } = await board('Secret');
    await grant(secret, member, 0);
    const [a, b, c] = [await add('a'), await add('b'), await add('c', secret)];
    await of.link(a, 'parent', b);
    await of.link(a, 'blocks', c);
    await of.unlink(a, 'blocks', c);
    const told = async (session: typeof owner, taskId: string) =>
      (await session.tasks.history({ ...at, taskId })).items
        .filter(({ action }) => action === 'task.update')
        .map(({ changes }) => changes.map(({ field, from, to }) => [field, from, to]));
    const [named, concealed] = [{ id: c, name: 'c' }, null];
    expect(await told(owner, a)).to.deep.equal([
      [['links.blocks', [named], []]],
      [['links.blocks', [], [named]]],
      [['parentTaskId', null, { id: b, name: 'b' }]],
    ]);
    expect(await told(member, a)).to.deep.equal([
      [['links.blocks', [concealed], []]],
      [['links.blocks', [], [concealed]]],
      [['parentTaskId', null, { id: b, name: 'b' }]],
    ]);
    expect(await told(owner, b)).to.deep.equal([[['links.child', [], [{ id: a, name: 'a' }]]]]);
  });

  it('is an update of each of the two in the feed', async () => {
    const { add, of, owner, at } = await newTasks();
    const [a, b] = [await add('a'), await add('b')];
    let since = '';
    await owner.workspaces.get(at, { onCursor: (cursor) => void (since = cursor) });
    const events = async () => {
      const { items, cursor } = await owner.changes.list({ ...at, since });
      since = cursor;
      return items.map(({ type, id, fields }) => [type, id, fields]);
    };
    await of.link(a, 'parent', b);
    expect(await events()).to.deep.equal([
      ['task.update', a, ['links', 'parentTaskId']],
      ['task.update', b, ['links']],
    ]);
    await of.unlinkParent(a);
    expect(await events()).to.have.deep.members([
      ['task.update', a, ['links', 'parentTaskId']],
      ['task.update', b, ['links']],
    ]);
    await of.link(a, 'parent', b);
    await events();
    await of.link(a, 'parent', b);
    expect(await events()).to.deep.equal([]);
  });

  it('is not answered again to whoever may not see the linked task any more', async () => {
    const { add, at, board, grant, member } = await newTasks();
    const { id: other } = await board('Other');
    const [a, b] = [await add('a'), await add('b', other)];
    const call = { idempotencyKey: { key: 'one', digest: 'd' } };
    const link = () => member.tasks.link({ ...at, fromTaskId: a, type: 'relates', taskId: b }, call);
    expect((await link()).links).to.deep.equal([to('relates', b)]);
    expect((await link()).links).to.deep.equal([to('relates', b)]);
    await grant(other, member, 0);
    expect(await outcome(link())).not.to.equal('ok');
  });

  it('is not answered again by a restore to whoever may not see the linked task any more', async () => {
    const { add, of, at, board, boardId, grant, owner, withLevel } = await newTasks(DAY);
    const { id: other } = await board('Other');
    const [a, b] = [await add('a'), await add('b', other)];
    await of.link(b, 'parent', a);
    const restorer = await withLevel(boardId, 400);
    await grant(other, restorer, 100);
    await owner.tasks.delete({ ...at, taskId: a });
    const call = { idempotencyKey: { key: 'one', digest: 'd' } };
    const restore = () => restorer.trash.restore({ ...at, trashId: a }, call);
    expect(await restore()).to.deep.include({ links: [to('child', b)], childCount: 1 });
    await grant(other, restorer, 0);
    expect(await outcome(restore())).not.to.equal('ok');
  });
});
