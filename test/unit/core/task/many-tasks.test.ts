import { expect } from 'chai';
import type { SetOnTasks } from '../../../../core/task/many/set.ts';
import { Random } from '../../../contract/random.ts';
import { fault, outcome } from '../../../fixtures/world/world.ts';
import { sixTasks } from '../../../fixtures/world/six-tasks.ts';

describe('changing many tasks at once', () => {
  it('sets the same on those named, and on those that a filter finds', async () => {
    const { ids, update, titles } = await sixTasks();
    expect(await update({ taskIds: [ids[0]!, ids[4]!] }, { priority: 300 })).to.deep.equal({ count: 2 });
    expect(await titles({ priority: [300] })).to.equal('AE');
    expect(await update({ filter: { complete: false }, count: 5 }, { plannedEndDate: '2026-04-01' })).to.deep.equal({
      count: 5,
    });
    expect(await titles({ endFrom: '2026-04-01' })).to.equal('ABCDE');
    expect(await update({ filter: { q: 'nowhere' }, count: 0 }, { priority: 1 })).to.deep.equal({ count: 0 });
  });

  it('leaves tasks alone that are so already', async () => {
    const { ids, update, list } = await sixTasks();
    await update({ taskIds: [ids[0]!] }, { priority: 300 });
    const before = (await list()).items;
    await update({ taskIds: ids }, { priority: 300, addTags: [], removeAssignees: [] });
    await update({ taskIds: ids }, { priority: 300 });
    const versions = (await list()).items.map(({ version }, i) => version - before[i]!.version);
    expect(versions).to.deep.equal([0, 1, 1, 1, 1, 1]);
  });

  it('refuses what does not go together, before it looks at anything', async () => {
    const { ids, update, remove, todo } = await sixTasks();
    const set = { priority: 1 };
    expect(await fault(update({}, set))).to.equal('invalid-input /taskIds');
    expect(await fault(update({ filter: {} }, set))).to.equal('invalid-input /count');
    expect(await fault(update({ taskIds: ids, filter: {} }, set))).to.equal('invalid-input /filter');
    expect(await fault(update({ taskIds: ids, count: 6 }, set))).to.equal('invalid-input /count');
    expect(await fault(update({ taskIds: [ids[0]!, ids[1]!, ids[0]!] }, set))).to.equal('invalid-input /taskIds/2');
    expect(await fault(remove({ filter: {} }))).to.equal('invalid-input /count');
    const all = { taskIds: ids };
    expect(await fault(update(all, {}))).to.equal('invalid-input /set');
    expect(await fault(update(all, { tags: [], addTags: [] }))).to.equal('invalid-input /set/addTags');
    expect(await fault(update(all, { assignees: [], removeAssignees: [] }))).to.equal(
      'invalid-input /set/removeAssignees',
    );
    expect(await fault(update(all, { addTags: [todo], removeTags: [todo] }))).to.equal('invalid-input /set/removeTags');
    expect(await fault(update(all, { beforeTaskId: null, afterTaskId: null }))).to.equal(
      'invalid-input /set/afterTaskId',
    );
    expect(await fault(update(all, { plannedStartDate: '2026-04-02', plannedEndDate: '2026-04-01' }))).to.equal(
      'invalid-input /set/plannedEndDate',
    );
  });

  it('is refused for the sake of one task, with where and for which, and changes none', async () => {
    const { ids, update, list, owner, at, board, boardId } = await sixTasks();
    const other = await board('Other');
    const { id: tag } = await owner.tags.create({ ...at, boardId: other.id, name: 'there' });
    const { id: there } = await owner.tasks.create({ ...at, boardId: other.id, title: 'G' });
    await owner.tasks.update({ ...at, taskId: ids[1]!, plannedEndDate: '2026-03-05' });
    const before = await list();
    const taskIds = [...ids, there];
    const refused = (set: SetOnTasks) => fault(update({ taskIds }, { priority: 7, ...set }));
    expect(await refused({ statusId: other.todo })).to.equal('unusable-reference /set/statusId /taskIds/0');
    expect(await refused({ addTags: [tag] })).to.equal('unusable-reference /set/addTags /taskIds/0');
    expect(await refused({ boardId: at.workspaceId })).to.equal('unusable-reference /set/boardId /taskIds/0');
    expect(await refused({ plannedStartDate: '2026-03-06' })).to.equal(
      'invalid-input /set/plannedStartDate /taskIds/1',
    );
    expect(await refused({ addAssignees: [boardId] })).to.equal('unusable-reference /set/addAssignees /taskIds/0');
    expect(await refused({ beforeTaskId: ids[3]! })).to.equal('unusable-reference /set/beforeTaskId /taskIds/0');
    expect(await fault(update({ filter: {}, count: 7 }, { addTags: [tag] }))).to.equal(
      'unusable-reference /set/addTags /filter',
    );
    expect(await list()).to.deep.equal(before);
  });

  it('finds what the caller sees, and needs editing on all of it before the number counts', async () => {
    const { ids, update, remove, withLevel, boardId, owner, at, page } = await sixTasks();
    const seeing = await withLevel(boardId, 100);
    const set = { priority: 1 };
    expect(await outcome(update({ filter: {}, count: 3 }, set, seeing))).to.equal('forbidden');
    expect(await outcome(remove({ filter: {}, count: 3 }, seeing))).to.equal('forbidden');
    const editing = await withLevel(boardId, 300);
    // The first has a page of its own that hides it, the second one that may be seen alone.
    for (const [i, access] of [0, 100].entries()) {
      await owner.pages.create({ ...at, name: 'p', type: 'task', parentId: await page('P'), taskId: ids[i]! });
      await owner.access.grant({ ...at, pageId: ids[i]!, memberId: editing.memberId, access: access as 0 });
    }
    expect(await outcome(update({ filter: {}, count: 5 }, set, editing))).to.equal('forbidden');
    expect(await outcome(update({ taskIds: ids }, set, editing))).to.equal('forbidden');
    expect(await fault(update({ taskIds: [ids[5]!, ids[0]!] }, set, editing))).to.equal(
      'unusable-reference /taskIds/1',
    );
    expect(await fault(update({ taskIds: [boardId] }, set, editing))).to.equal('unusable-reference /taskIds/0');
    await owner.access.grant({ ...at, pageId: ids[1]!, memberId: editing.memberId, access: 300 });
    expect(await fault(update({ filter: {}, count: 6 }, set, editing))).to.equal('count-mismatch /count');
    expect(await update({ filter: {}, count: 5 }, set, editing)).to.deep.equal({ count: 5 });
  });

  it('places the tasks in the order given, of a filter in that of their places', async () => {
    const { ids, update, titles, todo, doing, done } = await sixTasks();
    const [a, b, c, d, e, f] = ids as [string, string, string, string, string, string];
    await update({ taskIds: [c, f, a] }, { statusId: doing, afterTaskId: d });
    expect(await titles()).to.equal('BDCFAE');
    await update({ taskIds: [e, c] }, { beforeTaskId: d });
    expect(await titles()).to.equal('BECDFA');
    await update({ taskIds: [f, d] }, { afterTaskId: null });
    expect(await titles()).to.equal('BFDECA');
    await update({ filter: { statusId: [doing] }, count: 5 }, { beforeTaskId: null });
    expect(await titles()).to.equal('BFDECA');
    await update({ filter: {}, count: 6 }, { statusId: done });
    expect(await titles()).to.equal('BFDECA');
    await update({ taskIds: [d, b, a] }, { statusId: todo });
    expect(await titles()).to.equal('DBAFEC');
    expect(await outcome(update({ taskIds: [c, e] }, { beforeTaskId: e }))).to.equal('unusable-reference');
  });

  it('does what the updates one by one would do', async () => {
    for (let seed = 1; seed <= 15; seed += 1) {
      const random = new Random(seed);
      const [together, alone] = [await sixTasks(), await sixTasks()];
      for (const { owner, at, boardId, board, ids, join } of [together, alone]) {
        const other = await board('Other');
        for (const on of [boardId, other.id]) {
          for (const name of ['x', 'y']) await owner.tags.create({ ...at, boardId: on, name });
        }
        const { tags } = await owner.boards.get({ ...at, boardId });
        await owner.tasks.update({ ...at, taskId: ids[0]!, tags: [tags[0]!.id], assignees: [owner.memberId] });
        await join('Zed', 20);
      }
      const { owner, at, ids, boardId, todo, doing, done, member } = together;
      const boards = await owner.boards.list(at);
      const other = boards.find(({ id }) => id !== boardId)!;
      const view = await owner.boards.get({ ...at, boardId: other.id });
      const tags = (await owner.boards.get({ ...at, boardId })).tags.map(({ id }) => id);
      const across = random.once(4);
      const set: SetOnTasks = {
        ...(random.once(2) && { priority: 100 }),
        ...(random.once(3) && { complete: random.once(2) }),
        ...(random.once(3) && { plannedEndDate: '2026-05-01' }),
        ...(across && { boardId: other.id, statusId: view.statuses[0]!.id }),
        ...(!across && random.once(2) && { statusId: random.pick([todo, doing, done]) }),
        ...(!across && random.once(2) && { tags: random.some(tags) }),
        ...(random.once(2) && { assignees: random.some([owner.memberId, member.memberId]) }),
      };
      if (Object.keys(set).length === 0) continue;
      const taskIds = random.some(ids);
      if (taskIds.length === 0) continue;
      await together.update({ taskIds }, set);
      for (const taskId of taskIds) await alone.owner.tasks.update({ ...at, taskId, ...set });
      const shown = async ({ list }: typeof together) =>
        (await list()).items.map(({ version: _, updatedAt: _at, statusOrderKey: _key, ...rest }) => rest);
      expect(await shown(together), `seed ${seed}`).to.deep.equal(await shown(alone));
    }
  });

  it('adds and takes off tags and assignees, and ignores what is there or not there', async () => {
    const { ids, update, owner, at, boardId, member } = await sixTasks();
    const [x, y] = [
      await owner.tags.create({ ...at, boardId, name: 'x' }),
      await owner.tags.create({ ...at, boardId, name: 'y' }),
    ];
    await owner.tasks.addTag({ ...at, taskId: ids[0]!, tagId: x.id });
    await owner.tasks.assign({ ...at, taskId: ids[1]!, memberId: member.memberId });
    const two = { taskIds: [ids[0]!, ids[1]!] };
    await update(two, { addTags: [x.id, y.id], addAssignees: [owner.memberId, member.memberId] });
    await update(two, { removeTags: [x.id, boardId], removeAssignees: [member.memberId, boardId] });
    for (const taskId of two.taskIds) {
      const { tags, assignees } = await owner.tasks.get({ ...at, taskId });
      expect([tags, assignees]).to.deep.equal([[y.id], [owner.memberId]]);
    }
  });

  it('adds no more tags and assignees to a task than one call may name', async () => {
    const { owner, at, boardId, ids, update, join } = await sixTasks();
    const tags: string[] = [];
    for (let n = 0; n < 101; n += 1) tags.push((await owner.tags.create({ ...at, boardId, name: `t${n}` })).id);
    const taskIds = [ids[0]!];
    await update({ taskIds }, { addTags: tags.slice(0, 100) });
    expect(await fault(update({ taskIds }, { addTags: tags.slice(100) }))).to.equal(
      'invalid-input /set/addTags /taskIds/0',
    );
    const [first, ...others] = tags;
    await update({ taskIds }, { addTags: others, removeTags: [first!] });
    expect((await owner.tasks.get({ ...at, taskId: ids[0]! })).tags).to.have.members(others);
    const members: string[] = [];
    for (let n = 0; n < 101; n += 1) members.push((await join(`Member${n}`, 20)).memberId);
    await update({ taskIds }, { addAssignees: members.slice(0, 100) });
    expect(await fault(update({ taskIds }, { addAssignees: members.slice(100) }))).to.equal(
      'invalid-input /set/addAssignees /taskIds/0',
    );
  });

  it('merges the metadata of each, by key', async () => {
    const { ids, update, owner, at } = await sixTasks();
    await owner.tasks.update({ ...at, taskId: ids[0]!, metadata: { a: 1, b: 2 } });
    await update({ taskIds: ids }, { metadata: { b: null, c: 'x' } });
    const of = async (n: number) => (await owner.tasks.get({ ...at, taskId: ids[n]! })).metadata;
    expect([await of(0), await of(1)]).to.deep.equal([{ a: 1, c: 'x' }, { c: 'x' }]);
    await update({ filter: { metadata: { a: ['1'] } }, count: 1 }, { metadata: null });
    expect([await of(0), await of(1)]).to.deep.equal([{}, { c: 'x' }]);
    expect(await fault(update({ taskIds: ids }, { metadata: { 'no key': 1 } }))).to.include('invalid-input');
  });

  it('takes the pages of the tasks along to another board', async () => {
    const { ids, update, owner, at, board, page } = await sixTasks();
    const other = await board('Other');
    for (const id of ids.slice(0, 2)) {
      await owner.pages.create({ ...at, name: 'p', type: 'task', parentId: await page('P'), taskId: id });
    }
    await update({ taskIds: ids }, { boardId: other.id });
    await owner.boards.delete({ ...at, boardId: other.id });
    expect((await owner.pages.list(at)).filter(({ type }) => type === 'task')).to.deep.equal([]);
  });

  it('obeys the quotas of each task, wherever it is put', async () => {
    const { ids, update, world, owner, at, boardId } = await sixTasks();
    await world.operator.quotas.update({ taskTags: 1 });
    const tags: string[] = [];
    for (const name of ['x', 'y']) tags.push((await owner.tags.create({ ...at, boardId, name })).id);
    expect(await outcome(update({ taskIds: ids }, { addTags: tags }))).to.equal('quota-exceeded');
    expect(await outcome(update({ taskIds: ids }, { addTags: tags, afterTaskId: null }))).to.equal('quota-exceeded');
  });
});

describe('more tasks than fit into one call', () => {
  it('are refused, whatever count the caller gives', async () => {
    const { owner, at, boardId, update, remove, withLevel } = await sixTasks();
    const draft = { boardId, title: 't' };
    await owner.tasks.createMany({ ...at, tasks: Array.from({ length: 995 }, () => draft) });
    for (const count of [3, 1_001]) {
      expect(await outcome(update({ filter: {}, count }, { priority: 1 }))).to.equal('too-many');
      expect(await outcome(remove({ filter: {}, count }))).to.equal('too-many');
    }
    const seeing = await withLevel(boardId, 100);
    expect(await outcome(update({ filter: {}, count: 3 }, { priority: 1 }, seeing))).to.equal('forbidden');
    expect(await update({ filter: { complete: false }, count: 1_000 }, { complete: true })).to.deep.equal({
      count: 1_000,
    });
  });
});
