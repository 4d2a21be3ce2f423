import { expect } from 'chai';
import { newTeam, type Colleague } from '../../../fixtures/world/team.ts';
import { fault, outcome } from '../../../fixtures/world/world.ts';

describe('pages: creating', () => {
  it('gives a creator at the top who is not owner full access by an entry, and below none', async () => {
    const team = await newTeam();
    for (const [who, type] of [
      [team.owner, 'inherited'],
      [team.admin, 'accepted'],
      [team.member, 'accepted'],
    ] as const) {
      const page = await who.pages.create({ ...team.at, name: who.name, type: 'folder' });
      expect([page.access, page.accessType]).to.deep.equal([400, type]);
      const inner = await who.pages.create({ ...team.at, name: 'Inner', type: 'folder', parentId: page.id });
      expect([inner.access, inner.accessType]).to.deep.equal([400, 'inherited']);
    }
    await team.owner.workspaces.update({ ...team.at, defaultAccess: 0 });
    expect((await team.member.pages.list(team.at)).length).to.equal(2);
  });

  it('lets a guest create where they may edit', async () => {
    const team = await newTeam();
    const folder = await team.page('Folder');
    await team.grant(folder, team.guest, 300);
    const page = await team.guest.pages.create({ ...team.at, name: 'Mine', type: 'folder', parentId: folder });
    expect([page.access, page.accessType, page.createdById]).to.deep.equal([300, 'inherited', team.guest.memberId]);
  });

  it('of a board makes the board, with the same id and name', async () => {
    const team = await newTeam();
    const page = await team.owner.pages.create({ ...team.at, name: ' Board ', type: 'board' });
    expect([page.name, page.contentId]).to.deep.equal(['Board', page.id]);
    const board = await team.owner.boards.get({ ...team.at, boardId: page.id });
    expect([board.name, board.description, board.statuses, board.tags]).to.deep.equal(['Board', '', [], []]);
  });

  it('of a board makes its page, at the top or below', async () => {
    const team = await newTeam();
    const folder = await team.page('Folder');
    for (const parentId of [null, folder]) {
      const { id } = await team.owner.boards.create({ ...team.at, name: 'Board', parentId });
      const page = await team.owner.pages.get({ ...team.at, pageId: id });
      expect([page.name, page.type, page.parentId, page.contentId]).to.deep.equal(['Board', 'board', parentId, id]);
    }
    const own = await team.member.boards.create({ ...team.at, name: 'Own' });
    expect((await team.member.pages.get({ ...team.at, pageId: own.id })).accessType).to.equal('accepted');
  });

  it('of a task page makes a task on the nearest board above, in its first status', async () => {
    const team = await newTeam();
    const board = await team.board('Board');
    const folder = await team.page('Folder', board.id);
    const pageId = await team.page('Task', folder, 'task');
    const task = await team.owner.tasks.get({ ...team.at, taskId: pageId });
    expect([task.id, task.title, task.boardId, task.statusId, task.pageId]).to.deep.equal([
      pageId,
      'Task',
      board.id,
      board.todo,
      pageId,
    ]);
    expect((await team.owner.pages.get({ ...team.at, pageId })).contentId).to.equal(pageId);
    const outer = await team.board('Outer');
    const inner = await team.board('Inner', outer.id);
    const below = await team.page('Below', inner.id, 'task');
    expect((await team.owner.tasks.get({ ...team.at, taskId: below })).boardId).to.equal(inner.id);
  });

  it('of a task page needs a status on the board', async () => {
    const team = await newTeam();
    const board = await team.page('Board', null, 'board');
    const create = team.owner.pages.create({ ...team.at, name: 'Task', type: 'task', parentId: board });
    expect(await outcome(create)).to.equal('board-without-status');
    expect((await team.owner.pages.list(team.at)).length).to.equal(1);
  });

  it('of a task page stands alone without a board above that one may edit', async () => {
    const team = await newTeam();
    const alone = await team.owner.pages.create({ ...team.at, name: 'Alone', type: 'task' });
    expect(alone.contentId).to.equal(null);
    expect(await outcome(team.owner.tasks.get({ ...team.at, taskId: alone.id }))).to.equal('not-found');
    const outer = await team.board('Outer');
    const board = await team.board('Board', outer.id);
    const folder = await team.page('Folder', board.id);
    for (const level of [0, 100, 200] as const) {
      await team.grant(board.id, team.member, level);
      await team.grant(folder, team.member, 300);
      const page = await team.member.pages.create({ ...team.at, name: 'Page', type: 'task', parentId: folder });
      expect(page.contentId).to.equal(null);
    }
    await team.grant(board.id, team.member, 300);
    const page = await team.member.pages.create({ ...team.at, name: 'Page', type: 'task', parentId: folder });
    expect(page.contentId).to.equal(page.id);
  });

  it('of a task page that stands alone gets its task later, and one only', async () => {
    const team = await newTeam();
    const board = await team.board('Board');
    const pageId = await team.page('Alone', null, 'task');
    const { todo: statusId } = board;
    const task = await team.owner.tasks.create({ ...team.at, title: 'Title', boardId: board.id, statusId, pageId });
    expect([task.id, task.pageId]).to.deep.equal([pageId, pageId]);
    const page = await team.owner.pages.get({ ...team.at, pageId });
    expect([page.name, page.contentId]).to.deep.equal(['Title', pageId]);
    const again = (extra: object) =>
      outcome(team.owner.tasks.create({ ...team.at, title: 'X', boardId: board.id, pageId, ...extra }));
    expect(await again({})).to.equal('page-has-content');
    expect(await again({ statusId: pageId })).to.equal('unusable-reference');
    for (const wrong of [await team.page('Folder'), board.id, team.workspaceId]) {
      expect(
        await outcome(team.owner.tasks.create({ ...team.at, title: 'X', boardId: board.id, pageId: wrong })),
      ).to.equal('unusable-reference');
    }
  });

  it('with pageId needs editing on board and page', async () => {
    const team = await newTeam();
    const board = await team.board('Board');
    const pageId = await team.page('Alone', null, 'task');
    const create = () => outcome(team.member.tasks.create({ ...team.at, title: 'X', boardId: board.id, pageId }));
    for (const [level, expected] of [
      [0, 'unusable-reference'],
      [200, 'forbidden'],
    ] as const) {
      await team.grant(pageId, team.member, level);
      expect(await create()).to.equal(expected);
    }
    await team.grant(pageId, team.member, 300);
    await team.grant(board.id, team.member, 200);
    expect(await create()).to.equal('forbidden');
    await team.grant(board.id, team.member, 300);
    expect(await create()).to.equal('ok');
  });

  it('opens a page for an existing task, which takes its name', async () => {
    const team = await newTeam();
    const board = await team.board('Board');
    const folder = await team.page('Folder');
    const taskId = await team.task(board.id, 'Card');
    const page = await team.owner.pages.create({ ...team.at, name: ' Paper ', type: 'task', parentId: folder, taskId });
    expect([page.id, page.contentId, page.parentId, page.name, page.type]).to.deep.equal([
      taskId,
      taskId,
      folder,
      'Paper',
      'task',
    ]);
    const task = await team.owner.tasks.get({ ...team.at, taskId });
    expect([task.title, task.boardId, task.pageId]).to.deep.equal(['Paper', board.id, taskId]);
    const again = team.owner.pages.create({ ...team.at, name: 'X', type: 'task', parentId: folder, taskId });
    expect(await outcome(again)).to.equal('task-has-page');
    const missing = team.owner.pages.create({ ...team.at, name: 'X', type: 'task', taskId: folder });
    expect(await fault(missing)).to.equal('unusable-reference /taskId');
    const other = await team.task(board.id, 'Other');
    expect(await fault(team.owner.pages.create({ ...team.at, name: 'X', type: 'folder', taskId: other }))).to.equal(
      'invalid-input /taskId',
    );
  });

  it('opens a page for an existing task with full access to it', async () => {
    const team = await newTeam();
    const board = await team.board('Board');
    const taskId = await team.task(board.id, 'Card');
    const open = () => fault(team.member.pages.create({ ...team.at, name: 'X', type: 'task', taskId }));
    for (const [level, expected] of [
      [0, 'unusable-reference /taskId'],
      [300, 'forbidden'],
      [400, 'ok'],
    ] as const) {
      await team.grant(board.id, team.member, level);
      expect(await open()).to.equal(expected);
    }
  });

  it('of a folder makes nothing but the page, below a board too', async () => {
    const team = await newTeam();
    const board = await team.board('Board');
    const folder = await team.owner.pages.create({ ...team.at, name: 'Folder', type: 'folder', parentId: board.id });
    expect(folder.contentId).to.equal(null);
    expect((await team.owner.tasks.list(team.at)).items).to.deep.equal([]);
  });

  it('at the top needs the role Member, with editing as its level in the workspace', async () => {
    const team = await newTeam(undefined, 300);
    const create = (colleague: Colleague) =>
      outcome(colleague.pages.create({ ...team.at, name: 'Top', type: 'folder' }));
    expect([await create(team.admin), await create(team.member), await create(team.guest)]).to.deep.equal([
      'ok',
      'ok',
      'forbidden',
    ]);
    await team.owner.workspaces.update({ ...team.at, defaultAccess: 200 });
    expect([await create(team.admin), await create(team.member)]).to.deep.equal(['ok', 'forbidden']);
  });

  it('below needs editing on the parent', async () => {
    const team = await newTeam();
    const folder = await team.page('Folder');
    for (const [level, expected] of [
      [0, 'unusable-reference /parentId'],
      [200, 'forbidden'],
      [300, 'ok'],
    ] as const) {
      await team.grant(folder, team.member, level);
      const made = team.member.pages.create({ ...team.at, name: 'X', type: 'folder', parentId: folder });
      expect(await fault(made)).to.equal(expected);
    }
  });
});
