import assert from 'node:assert/strict';
import { newTeam } from '../support/world-team.ts';
import { fault } from '../support/world.ts';

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
        ['shown', null, false, 0, 100],
        ['one', shown, false, 0, 100],
        ['two', shown, false, 1, 100],
        ['deep', null, true, 0, 100],
        ['open', null, true, 1, 100],
      ],
    );
    for (const page of list) assert.deepEqual(await team.member.pages.get({ ...at, pageId: page.id }), page);
  });

  it('shows nothing of where a hidden page stands, by what is seen below it', async () => {
    const team = await newTeam();
    const { at, owner, member } = team;
    const tops = [await team.page('a'), await team.page('b'), await team.page('c')];
    const [hidden, other] = [await team.page('hidden', tops[0]), await team.page('other', tops[1])];
    const boards = [await team.board('one', hidden), await team.board('two', other), await team.board('three', hidden)];
    for (const pageId of [hidden, other]) await team.grant(pageId, member, 0);
    for (const { id } of boards) await team.grant(id, member, 300);
    const seen = async () => [
      (await member.pages.list(at)).map(({ name, orderIndex }) => [name, orderIndex]),
      (await member.boards.list(at)).map(({ name }) => name),
    ];
    const before = await seen();
    assert.deepEqual(before, [
      [
        ['a', 0],
        ['b', 1],
        ['c', 2],
        ['one', 0],
        ['two', 1],
        ['three', 2],
      ],
      ['one', 'two', 'three'],
    ]);
    await owner.pages.update({ ...at, pageId: hidden, parentId: null });
    await owner.pages.update({ ...at, pageId: other, parentId: hidden });
    await owner.pages.update({ ...at, pageId: boards[2]!.id, orderIndex: 0 });
    await owner.pages.update({ ...at, pageId: hidden, orderIndex: 0 });
    assert.deepEqual(await seen(), before);
  });

  it('with a hidden parent takes no place among those, but may be put back and moved away', async () => {
    const team = await newTeam();
    const { at, member } = team;
    const hidden = await team.page('hidden');
    const [first, second] = [await team.page('first', hidden), await team.page('second', hidden)];
    const target = await team.page('target');
    await team.grant(hidden, member, 0);
    for (const pageId of [first, second]) await team.grant(pageId, member, 400);
    const put = (body: object) => fault(member.pages.update({ ...at, pageId: second, ...body }));
    assert.equal(await put({ orderIndex: 0 }), 'unusable-reference /orderIndex');
    assert.equal(await put({ orderIndex: 0, parentId: null }), 'unusable-reference /orderIndex');
    assert.equal(await put(await member.pages.get({ ...at, pageId: second })), 'ok');
    assert.equal(await put({ orderIndex: 0, parentId: target }), 'ok');
    assert.equal((await member.pages.get({ ...at, pageId: second })).parentId, target);
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
