import { assert, expect } from 'chai';
import { newTeam, type Team } from '../../../fixtures/world/team.ts';
import { outcome } from '../../../fixtures/world/world.ts';

async function columns(team: Team, boardId: string): Promise<readonly (readonly [string, number])[]> {
  return (await team.owner.boards.get({ ...team.at, boardId })).statuses.map(({ name, orderKey }) => [name, orderKey]);
}

const LIMIT = 2 ** 52;

describe('boards', () => {
  it('are listed in the order of the page tree, as far as one sees them', async () => {
    const team = await newTeam();
    const a = await team.board('a');
    const b = await team.board('b');
    const c = await team.board('c', a.id);
    const names = async (colleague: typeof team.member) =>
      (await colleague.boards.list(team.at)).map(({ name }) => name);
    expect(await names(team.owner)).to.deep.equal(['a', 'c', 'b']);
    await team.owner.pages.update({ ...team.at, pageId: b.id, orderIndex: 0 });
    await team.grant(a.id, team.member, 0);
    expect(await names(team.member)).to.deep.equal(['b']);
    await team.grant(c.id, team.member, 100);
    expect(await names(team.member)).to.deep.equal(['b', 'c']);
    expect(await names(team.guest)).to.deep.equal([]);
  });

  it('hold an externalId of their own in the workspace', async () => {
    const team = await newTeam();
    const { owner, at } = team;
    const { id } = await owner.boards.create({ ...at, name: 'a', externalId: 'E' });
    expect(await outcome(owner.boards.create({ ...at, name: 'b', externalId: 'E' }))).to.equal('external-id-taken');
    const b = await team.board('b');
    expect(await outcome(owner.boards.update({ ...at, boardId: b.id, externalId: 'E' }))).to.equal('external-id-taken');
    expect(await outcome(owner.boards.update({ ...at, boardId: id, externalId: 'E', name: 'c' }))).to.equal('ok');
    await owner.boards.delete({ ...at, boardId: id });
    // Free at once, although what was deleted is purged later.
    expect(await outcome(owner.boards.update({ ...at, boardId: b.id, externalId: 'E' }))).to.equal('ok');
    expect(await outcome(owner.boards.update({ ...at, boardId: b.id, externalId: null }))).to.equal('ok');
    const other = await team.outsider.workspaces.create({ name: 'Other' });
    expect(await outcome(team.outsider.boards.create({ workspaceId: other.id, name: 'a', externalId: 'E' }))).to.equal(
      'ok',
    );
  });

  it('are no pages of another type, whatever one has on them', async () => {
    const team = await newTeam();
    const folder = await team.page('Folder');
    for (const access of [100, 300, 400] as const) {
      await team.grant(folder, team.member, access);
      const boardId = folder;
      for (const call of [
        team.member.boards.get({ ...team.at, boardId }),
        team.member.boards.update({ ...team.at, boardId, name: 'x' }),
        team.member.boards.delete({ ...team.at, boardId }),
        team.member.statuses.create({ ...team.at, boardId, name: 'x' }),
        team.member.tags.create({ ...team.at, boardId, name: 'x' }),
      ]) {
        expect(await outcome(call), `at ${access}`).to.equal('not-found');
      }
    }
  });

  it('of another workspace are not found', async () => {
    const team = await newTeam();
    const other = await team.owner.workspaces.create({ name: 'Other' });
    const board = await team.board('Board');
    expect(await outcome(team.owner.boards.get({ workspaceId: other.id, boardId: board.id }))).to.equal('not-found');
    expect(await outcome(team.owner.pages.get({ workspaceId: other.id, pageId: board.id }))).to.equal('not-found');
  });

  it('tell how many tasks each status holds, of those one sees', async () => {
    const team = await newTeam();
    const board = await team.board('Board');
    await team.task(board.id, 'Card');
    const paged = await team.page('Paged', board.id, 'task');
    await team.grant(paged, team.member, 0);
    const count = async (colleague: typeof team.member) =>
      (await colleague.boards.get({ ...team.at, boardId: board.id })).statuses[0]?.taskCount;
    expect([await count(team.owner), await count(team.member)]).to.deep.equal([2, 1]);
  });
});

describe('statuses', () => {
  it('stand by orderKey, ties by creation, the default behind the last', async () => {
    const team = await newTeam();
    const { id } = await team.owner.boards.create({ ...team.at, name: 'Board' });
    const add = (name: string, orderKey?: number) =>
      team.owner.statuses.create({ ...team.at, boardId: id, name, ...(orderKey === undefined ? {} : { orderKey }) });
    await add('a');
    await add('b');
    const [[, first], [, second]] = (await columns(team, id)) as [[string, number], [string, number]];
    expect(second - first).to.equal(1024);
    await add('c', first);
    await add('d', -5);
    await add('e', first);
    expect(await columns(team, id)).to.deep.equal([
      ['d', -5],
      ['a', first],
      ['c', first],
      ['e', first],
      ['b', second],
    ]);
    expect((await add('f')).orderKey).to.equal(second + 1024);
  });

  it('make room behind the end of the range', async () => {
    const team = await newTeam();
    const { id } = await team.owner.boards.create({ ...team.at, name: 'Board' });
    await team.owner.statuses.create({ ...team.at, boardId: id, name: 'a', orderKey: LIMIT });
    await team.owner.statuses.create({ ...team.at, boardId: id, name: 'z', orderKey: LIMIT });
    await team.owner.statuses.create({ ...team.at, boardId: id, name: 'b' });
    const all = await columns(team, id);
    expect(all.map(([name]) => name)).to.deep.equal(['a', 'z', 'b']);
    assert(all.every(([, key]) => Math.abs(key) <= LIMIT));
  });

  it('move by their orderKey and are done or not', async () => {
    const team = await newTeam();
    const board = await team.board('Board');
    const other = await team.owner.statuses.create({ ...team.at, boardId: board.id, name: 'Done', done: true });
    expect([other.done, other.taskCount]).to.deep.equal([true, 0]);
    const put = await team.owner.statuses.update({
      ...team.at,
      boardId: board.id,
      statusId: other.id,
      orderKey: -1,
      name: ' First ',
    });
    expect([put.orderKey, put.name, put.version]).to.deep.equal([-1, 'First', 2]);
    expect((await columns(team, board.id)).map(([name]) => name)).to.deep.equal(['First', 'To do']);
  });

  it('are found on their board only', async () => {
    const team = await newTeam();
    const [one, two] = [await team.board('One'), await team.board('Two')];
    const address = { ...team.at, boardId: one.id, statusId: two.todo };
    expect(await outcome(team.owner.statuses.update({ ...address, name: 'x' }))).to.equal('not-found');
    expect(await outcome(team.owner.statuses.delete(address))).to.equal('not-found');
  });

  it('with tasks are deleted only with a place for these, where they go in order', async () => {
    const team = await newTeam();
    const { owner, at } = team;
    const board = await team.board('Board');
    const { id: done } = await owner.statuses.create({ ...at, boardId: board.id, name: 'Done', done: true });
    const there = await owner.tasks.create({ ...at, boardId: board.id, title: 'there', statusId: done });
    for (const title of ['a', 'b', 'c']) await team.task(board.id, title);
    const remove = (moveTo?: string) =>
      outcome(
        owner.statuses.delete({
          ...at,
          boardId: board.id,
          statusId: board.todo,
          ...(moveTo === undefined ? {} : { moveTo }),
        }),
      );
    expect(await remove()).to.equal('status-not-empty');
    expect(await remove(board.todo)).to.equal('unusable-reference');
    expect(await remove((await team.board('Other')).todo)).to.equal('unusable-reference');
    expect(await remove(done)).to.equal('ok');
    const { items } = await owner.tasks.list({ ...at, boardId: [board.id], sort: ['position'] });
    expect(items.map(({ title, statusId, complete }) => [title, statusId, complete])).to.deep.equal([
      ['there', done, true],
      ['a', done, true],
      ['b', done, true],
      ['c', done, true],
    ]);
    expect(there.statusId).to.equal(done);
    expect((await owner.boards.get({ ...at, boardId: board.id })).statuses.map(({ id }) => id)).to.deep.equal([done]);
  });

  it('a column with more than a thousand tasks moves too', async () => {
    const team = await newTeam();
    const { owner, at } = team;
    const board = await team.board('Board');
    const { id: next } = await owner.statuses.create({ ...at, boardId: board.id, name: 'Next' });
    const tasks = Array.from({ length: 1000 }, (_, n) => ({ title: `t${n}`, boardId: board.id }));
    await owner.tasks.createMany({ ...at, tasks });
    await owner.tasks.createMany({ ...at, tasks: tasks.slice(0, 100) });
    await owner.statuses.delete({ ...at, boardId: board.id, statusId: board.todo, moveTo: next });
    const { items, total } = await owner.tasks.list({
      ...at,
      statusId: [next],
      sort: ['position'],
      limit: 500,
      count: true,
    });
    expect(total).to.equal(1100);
    expect(items.map(({ num }) => num)).to.deep.equal(Array.from({ length: 500 }, (_, n) => n + 1));
  });

  it('that hold only tasks which one does not see are not empty either', async () => {
    const team = await newTeam();
    const board = await team.board('Board');
    await team.grant(await team.page('Hidden', board.id, 'task'), team.member, 0);
    const remove = team.member.statuses.delete({ ...team.at, boardId: board.id, statusId: board.todo });
    expect(await outcome(remove)).to.equal('status-not-empty');
  });
});

describe('tags', () => {
  it('have a name of their own on the board, ignoring case', async () => {
    const team = await newTeam();
    const { owner, at } = team;
    const board = await team.board('Board');
    const tag = await owner.tags.create({ ...at, boardId: board.id, name: ' Bug ' });
    expect([tag.name, tag.color]).to.deep.equal(['Bug', 'gray']);
    expect(await outcome(owner.tags.create({ ...at, boardId: board.id, name: 'bUG' }))).to.equal('tag-name-taken');
    const other = await owner.tags.create({ ...at, boardId: board.id, name: 'Other', color: '#AABBCC' });
    expect(other.color).to.equal('#aabbcc');
    expect(await outcome(owner.tags.update({ ...at, boardId: board.id, tagId: other.id, name: 'BUG' }))).to.equal(
      'tag-name-taken',
    );
    expect(await outcome(owner.tags.update({ ...at, boardId: board.id, tagId: tag.id, name: 'BUG' }))).to.equal('ok');
    expect(await outcome(owner.tags.create({ ...at, boardId: (await team.board('Two')).id, name: 'Bug' }))).to.equal(
      'ok',
    );
    expect(
      await outcome(owner.tags.update({ ...at, boardId: (await team.board('Three')).id, tagId: tag.id, color: 'red' })),
    ).to.equal('not-found');
  });

  it('come off their tasks when deleted', async () => {
    const team = await newTeam();
    const { owner, at } = team;
    const board = await team.board('Board');
    const tag = await owner.tags.create({ ...at, boardId: board.id, name: 'Bug' });
    const spare = await owner.tags.create({ ...at, boardId: board.id, name: 'Spare' });
    const task = await owner.tasks.create({ ...at, boardId: board.id, title: 'Task', tags: [tag.id, spare.id] });
    await owner.tags.delete({ ...at, boardId: board.id, tagId: tag.id });
    const after = await owner.tasks.get({ ...at, taskId: task.id });
    expect([after.tags, after.version]).to.deep.equal([[spare.id], 2]);
    expect((await owner.boards.get({ ...at, boardId: board.id })).tags.map(({ id }) => id)).to.deep.equal([spare.id]);
    expect(await outcome(owner.tags.delete({ ...at, boardId: board.id, tagId: tag.id }))).to.equal('not-found');
  });
});
