import { expect } from 'chai';
import { newTeam, type Colleague, type Team } from '../../../fixtures/world/team.ts';
import { fault, outcome } from '../../../fixtures/world/world.ts';

async function tree(team: Team, colleague: Colleague): Promise<readonly (readonly [string, number])[]> {
  return (await colleague.pages.list(team.at)).map(({ name, orderIndex }) => [name, orderIndex]);
}

describe('pages: order', () => {
  it('is dense and 0-based, new ones last, past the end last', async () => {
    const team = await newTeam();
    const ids = new Map<string, string>();
    for (const name of ['a', 'b', 'c', 'd']) ids.set(name, await team.page(name));
    const put = async (name: string, orderIndex: number) => {
      const page = await team.owner.pages.update({ ...team.at, pageId: ids.get(name)!, orderIndex });
      const all = await tree(team, team.owner);
      expect(all.map(([, index]) => index)).to.deep.equal([0, 1, 2, 3]);
      expect(all[page.orderIndex]?.[0]).to.equal(name);
      return all.map(([each]) => each).join('');
    };
    expect(await put('d', 0)).to.equal('dabc');
    expect(await put('d', 2)).to.equal('abdc');
    expect(await put('a', 3)).to.equal('bdca');
    expect(await put('b', 99)).to.equal('dcab');
    expect(await put('c', 1)).to.equal('dcab');
    expect(await put('b', 1)).to.equal('dbca');
  });

  it('counts the siblings that the caller sees, on reading and on writing', async () => {
    const team = await newTeam();
    const ids: string[] = [];
    for (const name of ['a', 'x', 'b', 'y', 'c']) ids.push(await team.page(name));
    for (const hidden of [1, 3]) await team.grant(ids[hidden]!, team.member, 0);
    await team.grant(ids[0]!, team.member, 100);
    expect(await tree(team, team.member)).to.deep.equal([
      ['a', 0],
      ['b', 1],
      ['c', 2],
    ]);
    const moved = await team.member.pages.update({ ...team.at, pageId: ids[4]!, orderIndex: 1 });
    expect(moved.orderIndex).to.equal(1);
    expect(await tree(team, team.member)).to.deep.equal([
      ['a', 0],
      ['c', 1],
      ['b', 2],
    ]);
    expect((await tree(team, team.owner)).map(([, index]) => index)).to.deep.equal([0, 1, 2, 3, 4]);
    await team.grant(ids[0]!, team.member, 300);
    await team.member.pages.update({ ...team.at, pageId: ids[0]!, orderIndex: 2 });
    expect(await tree(team, team.member)).to.deep.equal([
      ['c', 0],
      ['b', 1],
      ['a', 2],
    ]);
  });

  it('of the last page that the caller sees stays past the end, whatever hidden pages stand behind it', async () => {
    const team = await newTeam();
    const [, last, hidden] = [await team.page('a'), await team.page('b'), await team.page('hidden')];
    await team.grant(hidden, team.member, 0);
    const before = await team.member.pages.get({ ...team.at, pageId: last });
    expect(await team.member.pages.update({ ...team.at, pageId: last, orderIndex: 99 })).to.deep.equal(before);
    expect(await tree(team, team.owner)).to.deep.equal([
      ['a', 0],
      ['b', 1],
      ['hidden', 2],
    ]);
    await team.owner.pages.update({ ...team.at, pageId: last, orderIndex: 99 });
    expect((await tree(team, team.owner)).map(([name]) => name)).to.deep.equal(['a', 'hidden', 'b']);
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
      expect((await team.owner.pages.get({ ...team.at, pageId: last })).orderIndex).to.equal(n + 2);
    }
    for (let n = 0; n < 60; n += 1) {
      const pageId = await team.page(`q${n}`);
      await team.owner.pages.update({ ...team.at, pageId, orderIndex: 1 });
      names.unshift(`q${n}`);
    }
    expect((await tree(team, team.owner)).map(([name]) => name)).to.deep.equal(['first', ...names, 'last']);
  });

  it('survives many swaps of the same pages', async () => {
    const team = await newTeam();
    const ids = new Map<string, string>();
    for (const name of ['a', 'b', 'first', 'last']) ids.set(name, await team.page(name));
    await team.owner.pages.update({ ...team.at, pageId: ids.get('first')!, orderIndex: 0 });
    for (let n = 0; n < 40; n += 1) {
      const [mover, other] = n % 2 === 0 ? (['b', 'a'] as const) : (['a', 'b'] as const);
      await team.owner.pages.update({ ...team.at, pageId: ids.get(mover)!, orderIndex: 1 });
      expect((await tree(team, team.owner)).map(([name]) => name)).to.deep.equal(['first', mover, other, 'last']);
    }
  });

  it('of the others stays when one moves', async () => {
    const team = await newTeam();
    const ids = [await team.page('a'), await team.page('b'), await team.page('c')];
    await team.owner.pages.update({ ...team.at, pageId: ids[2]!, orderIndex: 1 });
    const versions = (await team.owner.pages.list(team.at)).map(({ name, version }) => [name, version]);
    expect(versions).to.deep.equal([
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
    expect([moved.parentId, moved.orderIndex]).to.deep.equal([folder, 0]);
    // Behind them all, though it stood before them where it was.
    expect((await team.owner.pages.update({ ...team.at, pageId: other, parentId: folder })).orderIndex).to.equal(3);
    const last = await team.page('y');
    expect((await team.owner.pages.update({ ...team.at, pageId: last, parentId: folder })).orderIndex).to.equal(4);
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
    expect(await move()).to.equal('forbidden');
    await team.grant(page, team.member, 400);
    await team.grant(target, team.member, 200);
    expect(await move()).to.equal('forbidden');
    await team.grant(target, team.member, 0);
    expect(await fault(team.member.pages.update({ ...team.at, pageId: page, parentId: target }))).to.equal(
      'unusable-reference /parentId',
    );
    expect(await outcome(team.member.pages.update({ ...team.at, pageId: page, parentId: team.workspaceId }))).to.equal(
      'unusable-reference',
    );
    await team.grant(target, team.member, 300);
    expect(await move()).to.equal('ok');
  });

  it('to the top makes no entry', async () => {
    const team = await newTeam();
    const folder = await team.page('Folder');
    await team.grant(folder, team.member, 400);
    const page = await team.page('Page', folder);
    const moved = await team.member.pages.update({ ...team.at, pageId: page, parentId: null });
    expect([moved.parentId, moved.access, moved.accessType]).to.deep.equal([null, 300, 'inherited']);
  });

  it('into itself or below itself is a cycle', async () => {
    const team = await newTeam();
    const [a, other] = [await team.page('a'), await team.page('other')];
    const b = await team.page('b', a);
    const c = await team.page('c', b);
    for (const parentId of [a, b, c]) {
      expect(await outcome(team.owner.pages.update({ ...team.at, pageId: a, parentId }))).to.equal('page-cycle');
      expect(await outcome(team.owner.access.preview({ ...team.at, pageId: a, parentId }))).to.equal('page-cycle');
    }
    const both = await Promise.all([
      outcome(team.owner.pages.update({ ...team.at, pageId: a, parentId: other })),
      outcome(team.owner.pages.update({ ...team.at, pageId: other, parentId: c })),
    ]);
    expect(both.toSorted()).to.deep.equal(['ok', 'page-cycle']);
  });

  it('under a hidden parent shows no parent, and putting that back is no move', async () => {
    const team = await newTeam();
    const parent = await team.page('Parent');
    const page = await team.page('Page', parent);
    await team.grant(parent, team.member, 0);
    await team.grant(page, team.member, 300);
    const shown = await team.member.pages.get({ ...team.at, pageId: page });
    expect([shown.parentId, shown.parentHidden]).to.deep.equal([null, true]);
    const put = await team.member.pages.update({ ...team.at, pageId: page, parentId: null, name: 'New' });
    expect([put.parentId, put.parentHidden, put.name]).to.deep.equal([null, true, 'New']);
    expect((await team.owner.pages.get({ ...team.at, pageId: page })).parentId).to.equal(parent);
    expect(await outcome(team.member.pages.update({ ...team.at, pageId: page, parentId: parent }))).to.equal(
      'forbidden',
    );
    await team.grant(page, team.member, 400);
    expect(await outcome(team.member.pages.update({ ...team.at, pageId: page, parentId: parent }))).to.equal(
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
    expect(await Promise.all([page, below].map((id) => team.access(team.member, id)))).to.deep.equal([100, 100]);
    expect(await Promise.all([page, below].map((id) => team.access(team.guest, id)))).to.deep.equal([200, 200]);
    expect(await team.access(team.admin, page)).to.deep.equal(100);
  });

  it("never changes the task's board", async () => {
    const team = await newTeam();
    const [one, two] = [await team.board('One'), await team.board('Two')];
    const page = await team.page('Task', one.id, 'task');
    await team.owner.pages.update({ ...team.at, pageId: page, parentId: two.id });
    expect((await team.owner.tasks.get({ ...team.at, taskId: page })).boardId).to.equal(one.id);
    await team.owner.tasks.update({ ...team.at, taskId: page, boardId: two.id });
    await team.owner.pages.update({ ...team.at, pageId: page, parentId: null });
    expect((await team.owner.tasks.get({ ...team.at, taskId: page })).boardId).to.equal(two.id);
    await team.owner.tasks.update({ ...team.at, taskId: page, boardId: one.id });
    expect((await team.owner.pages.get({ ...team.at, pageId: page })).parentId).to.equal(null);
  });
});
