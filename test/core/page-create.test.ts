import assert from 'node:assert/strict';
import { newTeam, type Mate } from '../support/world-team.ts';
import { fault, outcome } from '../support/world.ts';

describe('pages: creating', () => {
  it('gives a creator at the top who is not owner full access by an entry, and below none', async () => {
    const team = await newTeam();
    for (const [who, type] of [
      [team.owner, 'inherited'],
      [team.admin, 'accepted'],
      [team.member, 'accepted'],
    ] as const) {
      const page = await who.pages.create({ ...team.at, name: who.name, type: 'folder' });
      assert.deepEqual([page.access, page.accessType], [400, type]);
      const inner = await who.pages.create({ ...team.at, name: 'Inner', type: 'folder', parentId: page.id });
      assert.deepEqual([inner.access, inner.accessType], [400, 'inherited']);
    }
    await team.owner.workspaces.update({ ...team.at, defaultAccess: 0 });
    assert.equal((await team.member.pages.list(team.at)).length, 2);
  });

  it('lets a guest create where they may edit', async () => {
    const team = await newTeam();
    const folder = await team.page('Folder');
    await team.grant(folder, team.guest, 300);
    const page = await team.guest.pages.create({ ...team.at, name: 'Mine', type: 'folder', parentId: folder });
    assert.deepEqual([page.access, page.accessType, page.createdById], [300, 'inherited', team.guest.memberId]);
  });

  it('of a board makes the board, with the same id and name', async () => {
    const team = await newTeam();
    const page = await team.owner.pages.create({ ...team.at, name: ' Board ', type: 'board' });
    assert.deepEqual([page.name, page.contentId], ['Board', page.id]);
    const board = await team.owner.boards.get({ ...team.at, boardId: page.id });
    assert.deepEqual([board.name, board.description, board.statuses, board.tags], ['Board', '', [], []]);
  });

  it('of a board makes its page, at the top or below', async () => {
    const team = await newTeam();
    const folder = await team.page('Folder');
    for (const parentId of [null, folder]) {
      const { id } = await team.owner.boards.create({ ...team.at, name: 'Board', parentId });
      const page = await team.owner.pages.get({ ...team.at, pageId: id });
      assert.deepEqual([page.name, page.type, page.parentId, page.contentId], ['Board', 'board', parentId, id]);
    }
    const own = await team.member.boards.create({ ...team.at, name: 'Own' });
    assert.equal((await team.member.pages.get({ ...team.at, pageId: own.id })).accessType, 'accepted');
  });

  it('of a task page makes a task on the nearest board above, in its first status', async () => {
    const team = await newTeam();
    const board = await team.board('Board');
    const folder = await team.page('Folder', board.id);
    const pageId = await team.page('Task', folder, 'task');
    const task = await team.owner.tasks.get({ ...team.at, taskId: pageId });
    assert.deepEqual(
      [task.id, task.title, task.boardId, task.statusId, task.pageId],
      [pageId, 'Task', board.id, board.todo, pageId],
    );
    assert.equal((await team.owner.pages.get({ ...team.at, pageId })).contentId, pageId);
    const outer = await team.board('Outer');
    const inner = await team.board('Inner', outer.id);
    const below = await team.page('Below', inner.id, 'task');
    assert.equal((await team.owner.tasks.get({ ...team.at, taskId: below })).boardId, inner.id);
  });

  it('of a task page needs a status on the board', async () => {
    const team = await newTeam();
    const board = await team.page('Board', null, 'board');
    const create = team.owner.pages.create({ ...team.at, name: 'Task', type: 'task', parentId: board });
    assert.equal(await outcome(create), 'board-without-status');
    assert.equal((await team.owner.pages.list(team.at)).length, 1);
  });

  it('of a task page stands alone without a board above that one may edit', async () => {
    const team = await newTeam();
    const alone = await team.owner.pages.create({ ...team.at, name: 'Alone', type: 'task' });
    assert.equal(alone.contentId, null);
    assert.equal(await outcome(team.owner.tasks.get({ ...team.at, taskId: alone.id })), 'not-found');
    const board = await team.board('Board');
    const folder = await team.page('Folder', board.id);
    for (const level of [0, 100, 200] as const) {
      await team.grant(board.id, team.member, level);
      await team.grant(folder, team.member, 300);
      const page = await team.member.pages.create({ ...team.at, name: 'Page', type: 'task', parentId: folder });
      assert.equal(page.contentId, null);
    }
    await team.grant(board.id, team.member, 300);
    const page = await team.member.pages.create({ ...team.at, name: 'Page', type: 'task', parentId: folder });
    assert.equal(page.contentId, page.id);
  });

  it('of a task page that stands alone gets its task later, and one only', async () => {
    const team = await newTeam();
    const board = await team.board('Board');
    const pageId = await team.page('Alone', null, 'task');
    const { todo: statusId } = board;
    const task = await team.owner.tasks.create({ ...team.at, title: 'Title', boardId: board.id, statusId, pageId });
    assert.deepEqual([task.id, task.pageId], [pageId, pageId]);
    const page = await team.owner.pages.get({ ...team.at, pageId });
    assert.deepEqual([page.name, page.contentId], ['Title', pageId]);
    const again = (extra: object) =>
      outcome(team.owner.tasks.create({ ...team.at, title: 'X', boardId: board.id, pageId, ...extra }));
    assert.equal(await again({}), 'page-has-content');
    assert.equal(await again({ statusId: pageId }), 'unusable-reference');
    for (const wrong of [await team.page('Folder'), board.id, team.workspaceId]) {
      assert.equal(
        await outcome(team.owner.tasks.create({ ...team.at, title: 'X', boardId: board.id, pageId: wrong })),
        'unusable-reference',
      );
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
      assert.equal(await create(), expected);
    }
    await team.grant(pageId, team.member, 300);
    await team.grant(board.id, team.member, 200);
    assert.equal(await create(), 'forbidden');
    await team.grant(board.id, team.member, 300);
    assert.equal(await create(), 'ok');
  });

  it('opens a page for an existing task, which takes its name', async () => {
    const team = await newTeam();
    const board = await team.board('Board');
    const folder = await team.page('Folder');
    const taskId = await team.task(board.id, 'Card');
    const page = await team.owner.pages.create({ ...team.at, name: ' Paper ', type: 'task', parentId: folder, taskId });
    assert.deepEqual(
      [page.id, page.contentId, page.parentId, page.name, page.type],
      [taskId, taskId, folder, 'Paper', 'task'],
    );
    const task = await team.owner.tasks.get({ ...team.at, taskId });
    assert.deepEqual([task.title, task.boardId, task.pageId], ['Paper', board.id, taskId]);
    const again = team.owner.pages.create({ ...team.at, name: 'X', type: 'task', parentId: folder, taskId });
    assert.equal(await outcome(again), 'task-has-page');
    const missing = team.owner.pages.create({ ...team.at, name: 'X', type: 'task', taskId: folder });
    assert.equal(await fault(missing), 'unusable-reference /taskId');
    const other = await team.task(board.id, 'Other');
    assert.equal(
      await fault(team.owner.pages.create({ ...team.at, name: 'X', type: 'folder', taskId: other })),
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
      assert.equal(await open(), expected);
    }
  });

  it('of a folder makes nothing but the page, below a board too', async () => {
    const team = await newTeam();
    const board = await team.board('Board');
    const folder = await team.owner.pages.create({ ...team.at, name: 'Folder', type: 'folder', parentId: board.id });
    assert.equal(folder.contentId, null);
    assert.deepEqual((await team.owner.tasks.list(team.at)).items, []);
  });

  it('at the top needs the role Member, with editing as its level in the workspace', async () => {
    const team = await newTeam(undefined, 300);
    const create = (mate: Mate) => outcome(mate.pages.create({ ...team.at, name: 'Top', type: 'folder' }));
    assert.deepEqual(
      [await create(team.admin), await create(team.member), await create(team.guest)],
      ['ok', 'ok', 'forbidden'],
    );
    await team.owner.workspaces.update({ ...team.at, defaultAccess: 200 });
    assert.deepEqual([await create(team.admin), await create(team.member)], ['ok', 'forbidden']);
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
      assert.equal(await fault(made), expected);
    }
  });
});
