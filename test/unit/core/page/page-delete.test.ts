import { expect } from 'chai';
import { createEngine } from '../../../../core/engine.ts';
import { newTeam } from '../../../fixtures/world/team.ts';
import { outcome, personOf } from '../../../fixtures/world/world.ts';

describe('pages: deleting', () => {
  it('takes all below along', async () => {
    const team = await newTeam();
    const a = await team.page('a');
    const b = await team.page('b', a);
    const c = await team.page('c', b);
    const stays = await team.page('stays');
    await team.owner.pages.delete({ ...team.at, pageId: a });
    expect((await team.owner.pages.list(team.at)).map(({ id }) => id)).to.deep.equal([stays]);
    for (const pageId of [a, b, c])
      expect(await outcome(team.owner.pages.get({ ...team.at, pageId }))).to.equal('not-found');
  });

  it('of a great many is all or nothing for those who read meanwhile, and lets them', async () => {
    const team = await newTeam();
    const { owner, at } = team;
    const top = await team.page('top');
    const nested: string[] = [];
    for (let i = 0; i < 1_050; i += 1) nested.push(await team.page(`p${i}`, nested.at(-16) ?? top));
    let isDone = false;
    const turn = new Promise((resolve) => setImmediate(resolve));
    const between = turn.then(async () => ({ isDone, pages: (await owner.pages.list(at)).length }));
    const yieldToEventLoop = () => new Promise<void>((resolve) => setImmediate(resolve));
    const yielding = personOf(createEngine({ ...team.world.ports, yieldToEventLoop }), owner.userId, owner.name);
    await yielding.pages.delete({ ...at, pageId: top }).finally(() => (isDone = true));
    expect(await between).to.deep.equal({ isDone: false, pages: 1 + nested.length });
    expect(await owner.pages.list(at)).to.deep.equal([]);
    expect(await outcome(owner.pages.get({ ...at, pageId: nested.at(-1)! }))).to.equal('not-found');
  });

  it('from either side takes both', async () => {
    const team = await newTeam();
    const { owner, at } = team;
    const boards = [await team.board('a'), await team.board('b')];
    await owner.pages.delete({ ...at, pageId: boards[0]!.id });
    await owner.boards.delete({ ...at, boardId: boards[1]!.id });
    const board = await team.board('c');
    const [one, two] = [await team.page('one', board.id, 'task'), await team.page('two', board.id, 'task')];
    await owner.pages.delete({ ...at, pageId: one });
    await owner.tasks.delete({ ...at, taskId: two });
    for (const { id } of boards) {
      expect(await outcome(owner.boards.get({ ...at, boardId: id }))).to.equal('not-found');
      expect(await outcome(owner.pages.get({ ...at, pageId: id }))).to.equal('not-found');
    }
    for (const id of [one, two]) {
      expect(await outcome(owner.tasks.get({ ...at, taskId: id }))).to.equal('not-found');
      expect(await outcome(owner.pages.get({ ...at, pageId: id }))).to.equal('not-found');
    }
    expect((await owner.tasks.list(at)).items).to.deep.equal([]);
  });

  it('of a board takes its task pages along, wherever they stand, with what is below them', async () => {
    const team = await newTeam();
    const { owner, at } = team;
    const board = await team.board('Board');
    const folder = await team.page('Folder');
    const task = await team.page('Task', board.id, 'task');
    await owner.pages.update({ ...at, pageId: task, parentId: folder });
    const below = await team.page('Below', task);
    const inner = await team.board('Inner', below);
    const innerTask = await team.page('Inner task', inner.id, 'task');
    await owner.pages.update({ ...at, pageId: innerTask, parentId: folder });
    await owner.boards.delete({ ...at, boardId: board.id });
    expect((await owner.pages.list(at)).map(({ id }) => id)).to.deep.equal([folder]);
    expect((await owner.tasks.list(at)).items).to.deep.equal([]);
  });

  it('of a board finds each of its task pages, however many and wherever they stand', async () => {
    const team = await newTeam();
    const { owner, at } = team;
    const board = await team.board('Board');
    const folder = await team.page('Folder');
    const tasks: string[] = [];
    for (const name of ['one', 'two', 'three']) tasks.push(await team.page(name, board.id, 'task'));
    for (const pageId of tasks) await owner.pages.update({ ...at, pageId, parentId: folder });
    await owner.boards.delete({ ...at, boardId: board.id });
    expect((await owner.pages.list(at)).map(({ id }) => id)).to.deep.equal([folder]);
  });

  it('ends where a board stands below a task page of its own', async () => {
    const team = await newTeam();
    const { owner, at } = team;
    const board = await team.board('Board');
    const task = await team.page('Task', board.id, 'task');
    await owner.pages.update({ ...at, pageId: task, parentId: null });
    await owner.pages.update({ ...at, pageId: board.id, parentId: task });
    await owner.pages.delete({ ...at, pageId: task });
    expect(await owner.pages.list(at)).to.deep.equal([]);
    expect((await owner.tasks.list(at)).items).to.deep.equal([]);
  });

  it('leaves a task page below a board that is of another board with its board', async () => {
    const team = await newTeam();
    const { owner, at } = team;
    const [one, two] = [await team.board('One'), await team.board('Two')];
    const page = await team.page('Task', one.id, 'task');
    await owner.tasks.update({ ...at, taskId: page, boardId: two.id });
    await owner.boards.delete({ ...at, boardId: one.id });
    // It stood below the page that went.
    expect(await outcome(owner.tasks.get({ ...at, taskId: page }))).to.equal('not-found');
    const left = await owner.boards.get({ ...at, boardId: two.id });
    expect(left.statuses.map(({ taskCount }) => taskCount)).to.deep.equal([0]);
  });

  it('at editing: what one created, and any task, with nothing nested', async () => {
    const team = await newTeam();
    const { owner, at } = team;
    const folder = await team.page('Folder');
    await owner.access.changeSettings({ ...at, pageId: folder, inherit: false, defaultAccess: 300 });
    const board = await team.board('Board', folder);
    const create = (type: 'folder' | 'board' | 'task') =>
      team.member.pages.create({ ...at, name: 'Mine', type, parentId: type === 'task' ? board.id : folder });
    for (const type of ['folder', 'board', 'task'] as const) {
      const { id, access } = await create(type);
      expect(access).to.equal(300);
      expect(await outcome(team.member.pages.delete({ ...at, pageId: id })), type).to.equal('ok');
    }
    const theirs = await team.page('Theirs', folder);
    expect(await outcome(team.member.pages.delete({ ...at, pageId: theirs }))).to.equal('forbidden');
    const task = await team.page('Task', board.id, 'task');
    expect(await outcome(team.member.tasks.delete({ ...at, taskId: task }))).to.equal('ok');
    const mine = await create('folder');
    const nested = await team.page('Nested', mine.id);
    expect(await outcome(team.member.pages.delete({ ...at, pageId: mine.id }))).to.equal('forbidden');
    await owner.pages.delete({ ...at, pageId: nested });
    expect(await outcome(team.member.pages.delete({ ...at, pageId: mine.id }))).to.equal('ok');
    const withPage = await create('task');
    await team.page('Below', withPage.id);
    expect(await outcome(team.member.tasks.delete({ ...at, taskId: withPage.id }))).to.equal('forbidden');
  });

  it('of a board with tasks needs full access, even for who created it', async () => {
    const team = await newTeam();
    const { owner, at } = team;
    const folder = await team.page('Folder');
    await owner.access.changeSettings({ ...at, pageId: folder, inherit: false, defaultAccess: 300 });
    const { id } = await team.member.boards.create({ ...at, name: 'Mine', parentId: folder });
    await owner.statuses.create({ ...at, boardId: id, name: 'To do' });
    await team.task(id, 'Task');
    expect(await outcome(team.member.boards.delete({ ...at, boardId: id }))).to.equal('forbidden');
  });

  it('needs editing on everything nested, and is a conflict when what is hidden forbids it', async () => {
    const team = await newTeam();
    const { at } = team;
    const top = await team.page('Top');
    await team.grant(top, team.member, 400);
    const one = await team.page('One', top);
    const two = await team.page('Two', one);
    const remove = () => outcome(team.member.pages.delete({ ...at, pageId: top }));
    await team.grant(two, team.member, 200);
    expect(await remove()).to.equal('forbidden');
    await team.grant(two, team.member, 0);
    expect(await remove()).to.equal('hidden-content');
    await team.grant(one, team.member, 200);
    expect(await remove()).to.equal('forbidden');
    await team.grant(one, team.member, 300);
    await team.grant(two, team.member, 300);
    expect(await remove()).to.equal('ok');
  });

  it('counts task pages that stand elsewhere as nested', async () => {
    const team = await newTeam();
    const { owner, at } = team;
    const board = await team.board('Board');
    await team.grant(board.id, team.member, 400);
    const page = await team.page('Task', board.id, 'task');
    const folder = await team.page('Folder');
    await owner.pages.update({ ...at, pageId: page, parentId: folder });
    for (const [level, expected] of [
      [0, 'hidden-content'],
      [200, 'forbidden'],
      [300, 'ok'],
    ] as const) {
      await team.grant(folder, team.member, level);
      expect(await outcome(team.member.boards.delete({ ...at, boardId: board.id }))).to.equal(expected);
    }
  });
});
