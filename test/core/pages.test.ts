import assert from 'node:assert/strict';
import { newTeam, type Mate, type Team } from '../support/world-team.ts';
import { fault, outcome } from '../support/world.ts';

async function tree(team: Team, mate: Mate): Promise<readonly (readonly [string, number])[]> {
  return (await mate.pages.list(team.at)).map(({ name, orderIndex }) => [name, orderIndex]);
}

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

describe('pages: reading', () => {
  it('is alike one by one and all at once, and shows what one may see', async () => {
    const team = await newTeam();
    const { at } = team;
    const hidden = await team.page('hidden');
    const shown = await team.page('shown');
    const deep = await team.page('deep', await team.page('between', hidden));
    const below = [await team.page('one', shown), await team.page('unseen', shown), await team.page('two', shown)];
    const open = await team.page('open', hidden);
    await team.grant(hidden, team.member, 0);
    for (const pageId of [deep, open]) await team.grant(pageId, team.member, 100);
    await team.grant(shown, team.member, 100);
    await team.grant(below[1]!, team.member, 0);
    const list = await team.member.pages.list(at);
    assert.deepEqual(
      list.map(({ name, parentId, parentHidden, orderIndex, access }) => [
        name,
        parentId,
        parentHidden,
        orderIndex,
        access,
      ]),
      [
        ['deep', null, true, 0, 100],
        ['open', null, true, 0, 100],
        ['shown', null, false, 0, 100],
        ['one', shown, false, 0, 100],
        ['two', shown, false, 1, 100],
      ],
    );
    for (const page of list) assert.deepEqual(await team.member.pages.get({ ...at, pageId: page.id }), page);
  });
});

describe('pages: names', () => {
  it('are one with that of the content, both ways', async () => {
    const team = await newTeam();
    const { owner, at } = team;
    const board = await team.board('Board');
    const pageId = await team.page('Task', board.id, 'task');
    await owner.pages.update({ ...at, pageId: board.id, name: ' One ' });
    assert.equal((await owner.boards.get({ ...at, boardId: board.id })).name, 'One');
    await owner.boards.update({ ...at, boardId: board.id, name: ' Two ' });
    assert.equal((await owner.pages.get({ ...at, pageId: board.id })).name, 'Two');
    await owner.pages.update({ ...at, pageId, name: ' Three ' });
    assert.equal((await owner.tasks.get({ ...at, taskId: pageId })).title, 'Three');
    await owner.tasks.update({ ...at, taskId: pageId, title: ' Four ' });
    assert.equal((await owner.pages.get({ ...at, pageId })).name, 'Four');
  });

  it('change where a page is called otherwise, and not where it stands', async () => {
    const team = await newTeam();
    const { owner, at } = team;
    const first = await team.page('first');
    const board = await team.board('Board');
    await team.page('last');
    const renamed = await owner.pages.update({ ...at, pageId: first, name: 'still first' });
    assert.deepEqual([renamed.name, renamed.orderIndex], ['still first', 0]);
    const before = await owner.boards.get({ ...at, boardId: board.id });
    await owner.pages.update({ ...at, pageId: board.id, parentId: first });
    assert.equal((await owner.boards.get({ ...at, boardId: board.id })).version, before.version);
  });
});

describe('pages: order', () => {
  it('is dense and 0-based, new ones last, past the end last', async () => {
    const team = await newTeam();
    const ids = new Map<string, string>();
    for (const name of ['a', 'b', 'c', 'd']) ids.set(name, await team.page(name));
    const put = async (name: string, orderIndex: number) => {
      const page = await team.owner.pages.update({ ...team.at, pageId: ids.get(name)!, orderIndex });
      const all = await tree(team, team.owner);
      assert.deepEqual(
        all.map(([, index]) => index),
        [0, 1, 2, 3],
      );
      assert.equal(all[page.orderIndex]?.[0], name);
      return all.map(([each]) => each).join('');
    };
    assert.equal(await put('d', 0), 'dabc');
    assert.equal(await put('d', 2), 'abdc');
    assert.equal(await put('a', 3), 'bdca');
    assert.equal(await put('b', 99), 'dcab');
    assert.equal(await put('c', 1), 'dcab');
    assert.equal(await put('b', 1), 'dbca');
  });

  it('counts the siblings that the caller sees, on reading and on writing', async () => {
    const team = await newTeam();
    const ids: string[] = [];
    for (const name of ['a', 'x', 'b', 'y', 'c']) ids.push(await team.page(name));
    for (const hidden of [1, 3]) await team.grant(ids[hidden]!, team.member, 0);
    assert.deepEqual(await tree(team, team.member), [
      ['a', 0],
      ['b', 1],
      ['c', 2],
    ]);
    const moved = await team.member.pages.update({ ...team.at, pageId: ids[4]!, orderIndex: 1 });
    assert.equal(moved.orderIndex, 1);
    assert.deepEqual(await tree(team, team.member), [
      ['a', 0],
      ['c', 1],
      ['b', 2],
    ]);
    assert.deepEqual(
      (await tree(team, team.owner)).map(([, index]) => index),
      [0, 1, 2, 3, 4],
    );
    await team.member.pages.update({ ...team.at, pageId: ids[0]!, orderIndex: 2 });
    assert.deepEqual(await tree(team, team.member), [
      ['c', 0],
      ['b', 1],
      ['a', 2],
    ]);
  });

  it('survives many insertions at one place', async () => {
    const team = await newTeam();
    await team.page('first');
    const last = await team.page('last');
    const names: string[] = [];
    for (let n = 0; n < 60; n += 1) {
      names.push(`p${n}`);
      const pageId = await team.page(`p${n}`);
      await team.owner.pages.update({ ...team.at, pageId, orderIndex: n + 1 });
      assert.equal((await team.owner.pages.get({ ...team.at, pageId: last })).orderIndex, n + 2);
    }
    for (let n = 0; n < 60; n += 1) {
      const pageId = await team.page(`q${n}`);
      await team.owner.pages.update({ ...team.at, pageId, orderIndex: 1 });
      names.unshift(`q${n}`);
    }
    assert.deepEqual(
      (await tree(team, team.owner)).map(([name]) => name),
      ['first', ...names, 'last'],
    );
  });

  it('survives many swaps of the same pages', async () => {
    const team = await newTeam();
    const ids = new Map<string, string>();
    for (const name of ['a', 'b', 'first', 'last']) ids.set(name, await team.page(name));
    await team.owner.pages.update({ ...team.at, pageId: ids.get('first')!, orderIndex: 0 });
    for (let n = 0; n < 40; n += 1) {
      const [mover, other] = n % 2 === 0 ? (['b', 'a'] as const) : (['a', 'b'] as const);
      await team.owner.pages.update({ ...team.at, pageId: ids.get(mover)!, orderIndex: 1 });
      assert.deepEqual(
        (await tree(team, team.owner)).map(([name]) => name),
        ['first', mover, other, 'last'],
      );
    }
  });

  it('of the others stays when one moves', async () => {
    const team = await newTeam();
    const ids = [await team.page('a'), await team.page('b'), await team.page('c')];
    await team.owner.pages.update({ ...team.at, pageId: ids[2]!, orderIndex: 1 });
    const versions = (await team.owner.pages.list(team.at)).map(({ name, version }) => [name, version]);
    assert.deepEqual(versions, [
      ['a', 1],
      ['c', 2],
      ['b', 1],
    ]);
  });

  it('a move goes to the end, or to the index given with it, even if it is the one from before', async () => {
    const team = await newTeam();
    const folder = await team.page('folder');
    for (const name of ['a', 'b']) await team.page(name, folder);
    const other = await team.page('other');
    await team.owner.pages.update({ ...team.at, pageId: other, orderIndex: 0 });
    const first = await team.page('x', other);
    const moved = await team.owner.pages.update({ ...team.at, pageId: first, parentId: folder, orderIndex: 0 });
    assert.deepEqual([moved.parentId, moved.orderIndex], [folder, 0]);
    // Behind them all, though it stood before them where it was.
    assert.equal((await team.owner.pages.update({ ...team.at, pageId: other, parentId: folder })).orderIndex, 3);
    const last = await team.page('y');
    assert.equal((await team.owner.pages.update({ ...team.at, pageId: last, parentId: folder })).orderIndex, 4);
  });
});

describe('pages: moving', () => {
  it('needs full access to the page and editing on the new parent', async () => {
    const team = await newTeam();
    const page = await team.page('Page');
    const target = await team.page('Target');
    const move = () => outcome(team.member.pages.update({ ...team.at, pageId: page, parentId: target }));
    await team.grant(page, team.member, 300);
    await team.grant(target, team.member, 400);
    assert.equal(await move(), 'forbidden');
    await team.grant(page, team.member, 400);
    await team.grant(target, team.member, 200);
    assert.equal(await move(), 'forbidden');
    await team.grant(target, team.member, 0);
    assert.equal(
      await fault(team.member.pages.update({ ...team.at, pageId: page, parentId: target })),
      'unusable-reference /parentId',
    );
    assert.equal(
      await outcome(team.member.pages.update({ ...team.at, pageId: page, parentId: team.workspaceId })),
      'unusable-reference',
    );
    await team.grant(target, team.member, 300);
    assert.equal(await move(), 'ok');
  });

  it('to the top makes no entry', async () => {
    const team = await newTeam();
    const folder = await team.page('Folder');
    await team.grant(folder, team.member, 400);
    const page = await team.page('Page', folder);
    const moved = await team.member.pages.update({ ...team.at, pageId: page, parentId: null });
    assert.deepEqual([moved.parentId, moved.access, moved.accessType], [null, 300, 'inherited']);
  });

  it('into itself or below itself is a cycle', async () => {
    const team = await newTeam();
    const [a, other] = [await team.page('a'), await team.page('other')];
    const b = await team.page('b', a);
    const c = await team.page('c', b);
    for (const parentId of [a, b, c]) {
      assert.equal(await outcome(team.owner.pages.update({ ...team.at, pageId: a, parentId })), 'page-cycle');
      assert.equal(await outcome(team.owner.access.preview({ ...team.at, pageId: a, parentId })), 'page-cycle');
    }
    const both = await Promise.all([
      outcome(team.owner.pages.update({ ...team.at, pageId: a, parentId: other })),
      outcome(team.owner.pages.update({ ...team.at, pageId: other, parentId: c })),
    ]);
    assert.deepEqual(both.toSorted(), ['ok', 'page-cycle']);
  });

  it('under a hidden parent shows no parent, and putting that back is no move', async () => {
    const team = await newTeam();
    const parent = await team.page('Parent');
    const page = await team.page('Page', parent);
    await team.grant(parent, team.member, 0);
    await team.grant(page, team.member, 300);
    const shown = await team.member.pages.get({ ...team.at, pageId: page });
    assert.deepEqual([shown.parentId, shown.parentHidden], [null, true]);
    const put = await team.member.pages.update({ ...team.at, pageId: page, parentId: null, name: 'New' });
    assert.deepEqual([put.parentId, put.parentHidden, put.name], [null, true, 'New']);
    assert.equal((await team.owner.pages.get({ ...team.at, pageId: page })).parentId, parent);
    assert.equal(await outcome(team.member.pages.update({ ...team.at, pageId: page, parentId: parent })), 'forbidden');
    await team.grant(page, team.member, 400);
    assert.equal(
      await outcome(team.member.pages.update({ ...team.at, pageId: page, parentId: parent })),
      'unusable-reference',
    );
  });

  it('takes entries and settings along, and what is inherited follows the new path', async () => {
    const team = await newTeam();
    const target = await team.page('Target');
    await team.owner.access.changeSettings({ ...team.at, pageId: target, inherit: false, defaultAccess: 100 });
    const page = await team.page('Page');
    const below = await team.page('Below', page);
    await team.grant(page, team.guest, 200);
    await team.owner.pages.update({ ...team.at, pageId: page, parentId: target });
    assert.deepEqual(await Promise.all([page, below].map((id) => team.access(team.member, id))), [100, 100]);
    assert.deepEqual(await Promise.all([page, below].map((id) => team.access(team.guest, id))), [200, 200]);
    assert.deepEqual(await team.access(team.admin, page), 100);
  });

  it("never changes the task's board", async () => {
    const team = await newTeam();
    const [one, two] = [await team.board('One'), await team.board('Two')];
    const page = await team.page('Task', one.id, 'task');
    await team.owner.pages.update({ ...team.at, pageId: page, parentId: two.id });
    assert.equal((await team.owner.tasks.get({ ...team.at, taskId: page })).boardId, one.id);
    await team.owner.tasks.update({ ...team.at, taskId: page, boardId: two.id });
    await team.owner.pages.update({ ...team.at, pageId: page, parentId: null });
    assert.equal((await team.owner.tasks.get({ ...team.at, taskId: page })).boardId, two.id);
    await team.owner.tasks.update({ ...team.at, taskId: page, boardId: one.id });
    assert.equal((await team.owner.pages.get({ ...team.at, pageId: page })).parentId, null);
  });
});
