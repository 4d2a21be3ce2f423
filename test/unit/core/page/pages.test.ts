import { expect } from 'chai';
import { newTeam } from '../../../fixtures/world/team.ts';
import { fault } from '../../../fixtures/world/world.ts';

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
    expect(
      list.map(({ name, parentId, parentHidden, orderIndex, access }) => [
        name,
        parentId,
        parentHidden,
        orderIndex,
        access,
      ]),
    ).to.deep.equal([
      ['shown', null, false, 0, 100],
      ['one', shown, false, 0, 100],
      ['two', shown, false, 1, 100],
      ['deep', null, true, 0, 100],
      ['open', null, true, 1, 100],
    ]);
    for (const page of list) expect(await team.member.pages.get({ ...at, pageId: page.id })).to.deep.equal(page);
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
    expect(before).to.deep.equal([
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
    expect(await seen()).to.deep.equal(before);
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
    expect(await put({ orderIndex: 0 })).to.equal('unusable-reference /orderIndex');
    expect(await put({ orderIndex: 0, parentId: null })).to.equal('unusable-reference /orderIndex');
    expect(await put(await member.pages.get({ ...at, pageId: second }))).to.equal('ok');
    expect(await put({ orderIndex: 0, parentId: target })).to.equal('ok');
    expect((await member.pages.get({ ...at, pageId: second })).parentId).to.equal(target);
  });
});

describe('pages: names', () => {
  it('are one with that of the content, both ways', async () => {
    const team = await newTeam();
    const { owner, at } = team;
    const board = await team.board('Board');
    const pageId = await team.page('Task', board.id, 'task');
    await owner.pages.update({ ...at, pageId: board.id, name: ' One ' });
    expect((await owner.boards.get({ ...at, boardId: board.id })).name).to.equal('One');
    await owner.boards.update({ ...at, boardId: board.id, name: ' Two ' });
    expect((await owner.pages.get({ ...at, pageId: board.id })).name).to.equal('Two');
    await owner.pages.update({ ...at, pageId, name: ' Three ' });
    expect((await owner.tasks.get({ ...at, taskId: pageId })).title).to.equal('Three');
    await owner.tasks.update({ ...at, taskId: pageId, title: ' Four ' });
    expect((await owner.pages.get({ ...at, pageId })).name).to.equal('Four');
  });

  it('change where a page is called otherwise, and not where it stands', async () => {
    const team = await newTeam();
    const { owner, at } = team;
    const first = await team.page('first');
    const board = await team.board('Board');
    await team.page('last');
    const renamed = await owner.pages.update({ ...at, pageId: first, name: 'still first' });
    expect([renamed.name, renamed.orderIndex]).to.deep.equal(['still first', 0]);
    const before = await owner.boards.get({ ...at, boardId: board.id });
    await owner.pages.update({ ...at, pageId: board.id, parentId: first });
    expect((await owner.boards.get({ ...at, boardId: board.id })).version).to.equal(before.version);
  });
});
