import assert from 'node:assert/strict';
import { newTeam } from '../support/world-team.ts';

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
