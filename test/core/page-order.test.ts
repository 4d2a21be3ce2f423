import assert from 'node:assert/strict';
import { newTeam, type Mate, type Team } from '../support/world-team.ts';
import { fault, outcome } from '../support/world.ts';

async function tree(team: Team, mate: Mate): Promise<readonly (readonly [string, number])[]> {
  return (await mate.pages.list(team.at)).map(({ name, orderIndex }) => [name, orderIndex]);
}

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
