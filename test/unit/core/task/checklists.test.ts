import { expect } from 'chai';
import { KEY_LIMIT } from '../../../../core/kernel/order-key.ts';
import { placeItem } from '../../../../core/checklist/place.ts';
import { rejects } from '../../../fixtures/errors.ts';
import { finishJobs } from '../../../fixtures/jobs.ts';
import { newTeam } from '../../../fixtures/world/team.ts';
import { outcome } from '../../../fixtures/world/world.ts';
import { board, checklistItem, newId, task } from '../../../contract/records.ts';

async function newList() {
  const team = await newTeam();
  const { id: boardId } = await team.board('Board');
  const on = { ...team.at, taskId: await team.task(boardId, 'Task') };
  const add = async (text: string, more: object = {}) =>
    (await team.owner.checklists.create({ ...on, text, ...more })).id;
  const list = async () => (await team.owner.tasks.get(on)).checklist;
  const texts = async () => (await list()).map(({ text }) => text);
  return { ...team, boardId, on, add, list, texts };
}

describe('the checklist of a task', () => {
  it('stands in its order, with items put before and after each other', async () => {
    const { owner, on, add, texts } = await newList();
    const [b, d] = [await add('b'), await add('d')];
    const a = await add('a', { afterItemId: null });
    await add('c', { beforeItemId: d });
    await add('e', { beforeItemId: null });
    expect(await texts()).to.deep.equal(['a', 'b', 'c', 'd', 'e']);
    const move = (itemId: string, place: object) => owner.checklists.update({ ...on, itemId, ...place });
    await move(a, { afterItemId: b });
    expect(await texts()).to.deep.equal(['b', 'a', 'c', 'd', 'e']);
    await move(d, { afterItemId: null });
    await move(b, { beforeItemId: null });
    expect(await texts()).to.deep.equal(['d', 'a', 'c', 'e', 'b']);
    expect(await outcome(move(a, { beforeItemId: a }))).to.equal('unusable-reference');
    expect(await outcome(move(a, { beforeItemId: b, afterItemId: b }))).to.equal('invalid-input');
    expect(await outcome(move(newId(), { beforeItemId: b }))).to.equal('not-found');
  });

  it('raises the version of the task with each change, and with nothing else', async () => {
    const { owner, on, add } = await newList();
    const version = async () => (await owner.tasks.get(on)).version;
    const itemId = await add('a');
    expect(await version()).to.equal(2);
    await owner.checklists.update({ ...on, itemId, done: true });
    expect(await version()).to.equal(3);
    await owner.checklists.update({ ...on, itemId, done: true, text: 'a', assigneeId: null, afterItemId: null });
    expect(await version()).to.equal(3);
    const stale = { ifVersion: [2] };
    expect(await outcome(owner.checklists.update({ ...on, itemId, done: false }, stale))).to.equal('version-mismatch');
    expect(await outcome(owner.checklists.delete({ ...on, itemId }, stale))).to.equal('version-mismatch');
    expect(await outcome(owner.checklists.create({ ...on, text: 'b' }, stale))).to.equal('version-mismatch');
    await owner.checklists.delete({ ...on, itemId }, { ifVersion: [3] });
    expect(await version()).to.equal(4);
  });

  it('is counted in lists, and completes nothing', async () => {
    const { owner, at, on, add } = await newList();
    const itemId = await add('a');
    await add('b');
    await owner.checklists.update({ ...on, itemId, done: true });
    const counts = async () => {
      const [{ checklistDone, checklistTotal, complete } = {}] = (await owner.tasks.list(at)).items;
      return [checklistDone, checklistTotal, complete];
    };
    expect(await counts()).to.deep.equal([1, 2, false]);
    await owner.checklists.delete({ ...on, itemId });
    expect(await counts()).to.deep.equal([0, 1, false]);
  });

  it('has at most 100 items', async () => {
    const { on, owner, add, list } = await newList();
    for (let n = 1; n <= 100; n += 1) await add(`Item ${n}`);
    expect(await outcome(owner.checklists.create({ ...on, text: 'One more' }))).to.equal('limit-reached');
    const [first] = await list();
    await owner.checklists.delete({ ...on, itemId: first!.id });
    expect(await outcome(owner.checklists.create({ ...on, text: 'One more' }))).to.equal('ok');
    expect(await list()).to.have.length(100);
  });

  it('is put back unchanged with the task, and written by its own calls alone', async () => {
    const { owner, at, on, add } = await newList();
    await add('a');
    const { commentCount: _, ...record } = { ...(await owner.tasks.get(on)), commentCount: 0 };
    const { id: taskId, workspaceId: __, ...fields } = record;
    const put = (more: object) => outcome(owner.tasks.update({ ...at, taskId, ...fields, ...more }));
    expect(await put({})).to.equal('ok');
    expect(await put({ checklist: [] })).to.equal('invalid-input');
    const [listed] = (await owner.tasks.list(at)).items;
    const { id: ___, workspaceId: ____, ...summary } = listed!;
    expect(await outcome(owner.tasks.update({ ...at, taskId, ...summary }))).to.equal('ok');
  });

  it('is assigned to those who see the task, until they leave', async () => {
    const { owner, member, guest, at, on, add, list, world, boardId, grant } = await newList();
    const itemId = await add('a', { assigneeId: member.memberId });
    const assign = (assigneeId: string) => outcome(owner.checklists.update({ ...on, itemId, assigneeId }));
    expect(await assign(guest.memberId)).to.equal('unusable-reference');
    await rejects(owner.checklists.create({ ...on, text: 'b', assigneeId: guest.memberId }), {
      code: 'unusable-reference',
    });
    await grant(boardId, guest, 100);
    expect(await assign(guest.memberId)).to.equal('ok');
    expect(await assign(member.memberId)).to.equal('ok');
    const { version } = await owner.tasks.get(on);
    for (let n = 0; n < 40; n += 1) await add(`Item ${n}`, { assigneeId: member.memberId });
    await member.members.remove({ ...at, memberId: member.memberId });
    expect((await list()).every(({ assigneeId }) => assigneeId === null)).to.equal(true);
    await finishJobs(world.ports);
    expect((await owner.tasks.get(on)).version).to.be.greaterThan(version + 40);
    const invitation = await owner.invitations.create({ ...at, role: 20 });
    await member.invitations.join({ invitationId: invitation.id });
    expect((await list()).every(({ assigneeId }) => assigneeId === null)).to.equal(true);
    expect((await world.operator.doctor.check()).findings).to.deep.equal([]);
  });

  it('finds room where there is none between two items', () => {
    const on = task(board(newId()), 1);
    const items = [1, 2, 3].map((orderKey) => checklistItem(on, { orderKey, text: String(orderKey) }));
    const { orderKey, moved } = placeItem(items, { beforeItemId: items[1]!.id });
    const all = [...moved, checklistItem(on, { orderKey, text: 'new' })].toSorted((a, b) => a.orderKey - b.orderKey);
    expect(all.map(({ text }) => text)).to.deep.equal(['1', 'new', '2', '3']);
    const atTheEnd = placeItem([checklistItem(on, { orderKey: KEY_LIMIT, text: 'last' })], {});
    expect(atTheEnd.moved[0]!.orderKey).to.be.lessThan(atTheEnd.orderKey);
  });
});
