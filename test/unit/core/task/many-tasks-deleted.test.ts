import { expect } from 'chai';
import { outcome } from '../../../fixtures/world/world.ts';
import { sixTasks } from '../../../fixtures/world/six-tasks.ts';

describe('deleting many tasks at once', () => {
  it('deletes those named or found, with their pages and comments, or none', async () => {
    const { ids, remove, owner, at, page, titles, world } = await sixTasks();
    await owner.comments.create({ ...at, taskId: ids[0]!, content: 'c' });
    await owner.pages.create({ ...at, name: 'p', type: 'task', parentId: await page('P'), taskId: ids[1]! });
    expect(await outcome(remove({ taskIds: [...ids, at.workspaceId] }))).to.equal('unusable-reference');
    expect(await outcome(remove({ filter: {}, count: 5 }))).to.equal('count-mismatch');
    expect(await titles()).to.equal('ApCDEF');
    expect(await remove({ taskIds: ids.slice(0, 2) })).to.deep.equal({ count: 2 });
    expect(await remove({ filter: { complete: false }, count: 3 })).to.deep.equal({ count: 3 });
    expect(await titles()).to.equal('F');
    expect((await owner.pages.list(at)).some(({ id }) => ids.includes(id))).to.equal(false);
    await world.purge();
  });

  it('deletes a task once whose page is nested under that of another', async () => {
    const { ids, remove, owner, at, page, titles } = await sixTasks();
    await owner.pages.create({ ...at, name: 'p', type: 'task', parentId: await page('P'), taskId: ids[0]! });
    await owner.pages.create({ ...at, name: 'q', type: 'task', parentId: ids[0]!, taskId: ids[1]! });
    expect(await remove({ taskIds: [ids[0]!, ids[1]!, ids[2]!] })).to.deep.equal({ count: 3 });
    expect(await titles()).to.equal('DEF');
  });

  it('is stopped by what is hidden under a page, and deletes none', async () => {
    const { ids, remove, owner, at, page, withLevel, titles, boardId } = await sixTasks();
    const member = await withLevel(boardId, 300);
    await owner.pages.create({ ...at, name: 'p', type: 'task', parentId: await page('P'), taskId: ids[5]! });
    await owner.access.grant({ ...at, pageId: ids[5]!, memberId: member.memberId, access: 400 });
    const hidden = await page('Hidden', ids[5]);
    await owner.access.grant({ ...at, pageId: hidden, memberId: member.memberId, access: 0 });
    expect(await outcome(remove({ taskIds: ids }, member))).to.equal('hidden-content');
    expect(await titles()).to.equal('ABCDEp');
  });

  it('is answered again for the same key, though the tasks are gone, and deletes nothing more', async () => {
    const { ids, at, world, owner, titles, boardId } = await sixTasks();
    const call = { caller: { kind: 'user', userId: owner.userId }, idempotencyKey: { key: 'k', digest: 'd' } } as const;
    const named = () => world.engine.tasks.deleteMany(call, { ...at, taskIds: ids.slice(0, 2) });
    expect(await named()).to.deep.equal({ count: 2 });
    expect(await named()).to.deep.equal({ count: 2 });
    const other = { ...call, idempotencyKey: { key: 'l', digest: 'd' } };
    const found = () => world.engine.tasks.deleteMany(other, { ...at, filter: { boardId: [boardId] }, count: 4 });
    expect([await found(), await found()]).to.deep.equal([{ count: 4 }, { count: 4 }]);
    expect(await titles()).to.equal('');
  });
});
