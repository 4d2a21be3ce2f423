import { expect } from 'chai';
import { withParts } from '../../../../core/ports/lazy-transaction.ts';
import type { ReadTransaction } from '../../../../core/ports/store.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { DAY, outcome } from '../../../fixtures/world/world.ts';
import { watchedCalls, wrappedStore } from '../../../fixtures/store/wrapped-store.ts';
import { newTasks, to, hidden } from '../../../fixtures/world/linked-tasks.ts';

describe('a list of tasks with links', () => {
  it('reads each linked task once, and nothing for tasks without links', async () => {
    const inner = memoryStore();
    let gets = 0;
    const counted = (tasks: ReadTransaction['tasks']) =>
      watchedCalls(tasks, (method) => (gets += method === 'get' ? 1 : 0));
    const store = wrappedStore(inner, { read: (tx) => withParts(tx, { tasks: () => counted(tx.tasks) }) });
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

  it('is not answered again to a member who may not see the linked task any more', async () => {
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

  it('is not answered again by a restore to a member who may not see the linked task any more', async () => {
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
