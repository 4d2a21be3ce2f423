import assert from 'node:assert/strict';
import type { Level } from '../../core/model/level.ts';
import { newTeam, type Mate, type Team } from '../support/world-team.ts';
import { fault, outcome } from '../support/world.ts';

async function levels(team: Team, pageId: string): Promise<number[]> {
  return Promise.all([team.owner, team.admin, team.member, team.guest].map((mate) => team.access(mate, pageId)));
}

/** Rises with every write to members, pages or access. */
const revision = ({ world, workspaceId }: Team) =>
  world.store.read(async (tx) => (await tx.structures.get(workspaceId))!.revision);

const settle = (team: Team, pageId: string, defaultAccess: Level) =>
  team.owner.access.changeSettings({ ...team.at, pageId, inherit: false, defaultAccess });

describe('access: the resolver', () => {
  it('begins at the role', async () => {
    const team = await newTeam(undefined, 200);
    assert.deepEqual(await levels(team, await team.page('Page')), [400, 400, 200, 0]);
  });

  it('lets the nearest levelSetOn decide, up or down', async () => {
    const team = await newTeam();
    const a = await team.page('a');
    const b = await team.page('b', a);
    const c = await team.page('c', b);
    await team.grant(a, team.member, 100);
    assert.deepEqual([await team.access(team.member, b), await team.access(team.member, c)], [100, 100]);
    await team.grant(c, team.member, 400);
    assert.deepEqual([await team.access(team.member, b), await team.access(team.member, c)], [100, 400]);
    await team.grant(b, team.member, 0);
    assert.deepEqual(
      [await team.access(team.member, a), await team.access(team.member, b), await team.access(team.member, c)],
      [100, 0, 400],
    );
  });

  it('stops where a page does not inherit: a guest gets nothing, and entries above count no more', async () => {
    const team = await newTeam();
    const a = await team.page('a');
    const b = await team.page('b', a);
    for (const mate of [team.admin, team.member, team.guest]) await team.grant(a, mate, 200);
    assert.deepEqual(await levels(team, b), [400, 200, 200, 200]);
    await settle(team, b, 100);
    assert.deepEqual(await levels(team, b), [400, 100, 100, 0]);
    await team.grant(b, team.guest, 300);
    assert.deepEqual(await levels(team, b), [400, 100, 100, 300]);
  });

  it('never lowers an owner, and never lifts a guest above editing', async () => {
    const team = await newTeam();
    const page = await team.page('Page');
    await settle(team, page, 0);
    await team.grant(page, team.member, 400);
    await team.owner.members.update({ ...team.at, memberId: team.member.memberId, role: 10 });
    assert.deepEqual(await levels(team, page), [400, 0, 300, 0]);
  });

  it('tells accepted from inherited', async () => {
    const team = await newTeam();
    const page = await team.page('Page');
    const below = await team.page('Below', page);
    await team.grant(page, team.member, 200);
    for (const [pageId, type] of [
      [page, 'accepted'],
      [below, 'inherited'],
    ] as const) {
      const entry = (await team.owner.access.members({ ...team.at, pageId })).find(
        ({ memberId }) => memberId === team.member.memberId,
      );
      assert.deepEqual(entry, { memberId: team.member.memberId, role: 20, access: 200, type });
      assert.equal((await team.member.pages.get({ ...team.at, pageId })).accessType, type);
    }
  });

  it('gives a role that nobody knows nothing', async () => {
    const team = await newTeam();
    const page = await team.page('Page');
    await team.grant(page, team.member, 400);
    await team.world.store.write(async (tx) => {
      const structure = (await tx.structures.get(team.workspaceId))!;
      await tx.structures.change(structure, { members: [{ ...structure.member(team.member.memberId)!, role: 25 }] });
    });
    assert.equal(await team.access(team.member, page), 0);
    assert.equal(await outcome(team.member.workspaces.get(team.at)), 'not-found');
    assert.deepEqual(await team.member.workspaces.list(), []);
  });
});

describe('access: members of a page', () => {
  it('are every active member, those at 0 too; a guest sees only the own entry', async () => {
    const team = await newTeam();
    const page = await team.page('Page');
    await team.grant(page, team.member, 0);
    await team.grant(page, team.guest, 100);
    const ids = async (mate: Mate) =>
      (await mate.access.members({ ...team.at, pageId: page })).map(({ memberId }) => memberId);
    assert.deepEqual(
      await ids(team.admin),
      [team.owner, team.admin, team.member, team.guest].map(({ memberId }) => memberId),
    );
    assert.deepEqual(await ids(team.guest), [team.guest.memberId]);
    await team.owner.members.update({ ...team.at, memberId: team.admin.memberId, position: 'Head' });
    assert.deepEqual(await ids(team.admin), (await ids(team.admin)).toSorted());
  });
});

describe('access: granting and revoking', () => {
  it('answers with the entry, replaces, and does nothing twice', async () => {
    const team = await newTeam();
    const page = await team.page('Page');
    for (const access of [100, 100, 0, 400] as const) {
      assert.deepEqual(
        await team.owner.access.grant({ ...team.at, pageId: page, memberId: team.member.memberId, access }),
        {
          memberId: team.member.memberId,
          role: 20,
          access,
          type: 'accepted',
        },
      );
    }
    const before = await revision(team);
    await team.grant(page, team.member, 400);
    assert.equal(await revision(team), before);
  });

  it('refuses what a role cannot have', async () => {
    const team = await newTeam();
    const page = await team.page('Page');
    const grant = (memberId: string, access: Level) =>
      fault(team.owner.access.grant({ ...team.at, pageId: page, memberId, access }));
    assert.equal(await grant(team.owner.memberId, 300), 'owner-access');
    assert.equal(await grant(team.owner.memberId, 400), 'ok');
    assert.equal(await grant(team.guest.memberId, 400), 'unusable-reference /access');
    assert.equal(await grant(team.guest.memberId, 300), 'ok');
    assert.equal(await grant(team.outsider.userId, 100), 'unusable-reference /memberId');
    await team.member.members.remove({ ...team.at, memberId: team.member.memberId });
    assert.equal(await grant(team.member.memberId, 100), 'unusable-reference /memberId');
  });

  it('revokes what is there, and nothing else', async () => {
    const team = await newTeam();
    const page = await team.page('Page');
    const revoke = (memberId: string) => outcome(team.owner.access.revoke({ ...team.at, pageId: page, memberId }));
    assert.equal(await revoke(team.member.memberId), 'not-found');
    await team.grant(page, team.member, 0);
    assert.equal(await revoke(team.member.memberId), 'ok');
    assert.equal(await team.access(team.member, page), 300);
    assert.equal(await revoke(team.workspaceId), 'not-found');
  });

  it('needs full access for an entry of one’s own, too', async () => {
    const team = await newTeam();
    const page = await team.page('Page');
    const own = (mate: Mate) => outcome(mate.access.revoke({ ...team.at, pageId: page, memberId: mate.memberId }));
    for (const [level, result] of [
      [0, 'not-found'],
      [100, 'forbidden'],
      [300, 'forbidden'],
      [400, 'ok'],
    ] as const) {
      await team.grant(page, team.member, level);
      assert.equal(await own(team.member), result);
    }
    await team.grant(page, team.guest, 200);
    assert.equal(await own(team.guest), 'forbidden');
    assert.equal(await own(team.admin), 'not-found');
  });
});

describe('access: settings', () => {
  it('inherit by default, and take a level exactly when they do not', async () => {
    const team = await newTeam();
    const page = await team.page('Page');
    const put = (body: object) => team.owner.access.changeSettings({ ...team.at, pageId: page, ...body });
    const first = await team.owner.access.settings({ ...team.at, pageId: page });
    assert.deepEqual([first.inherit, first.defaultAccess, first.inheritedFrom], [true, null, null]);
    for (const body of [{ inherit: false }, { defaultAccess: 100 }, { inherit: true, defaultAccess: 100 }]) {
      assert.equal(await fault(put(body)), 'invalid-input /defaultAccess');
    }
    const cut = await put({ inherit: false, defaultAccess: 100 });
    assert.deepEqual([cut.inherit, cut.defaultAccess], [false, 100]);
    assert.equal(await outcome(put({ defaultAccess: null })), 'invalid-input');
    assert.equal((await put({ defaultAccess: 200 })).defaultAccess, 200);
    const back = await put({ inherit: true });
    assert.deepEqual([back.inherit, back.defaultAccess], [true, null]);
  });

  it('are written only where they change', async () => {
    const team = await newTeam();
    const page = await team.page('Page');
    const put = (body: object) => team.admin.access.changeSettings({ ...team.at, pageId: page, ...body });
    for (const body of [{ inherit: false, defaultAccess: 200 }, { inherit: true }] as const) {
      const first = await put(body);
      const before = await revision(team);
      assert.deepEqual(await put(body), first);
      assert.deepEqual(await put({}), first);
      assert.equal(await revision(team), before);
    }
  });

  it('name the page they inherit from, unless it is hidden', async () => {
    const team = await newTeam();
    const a = await team.page('a');
    const c = await team.page('c', await team.page('b', a));
    const from = async (mate: Mate) => (await mate.access.settings({ ...team.at, pageId: c })).inheritedFrom;
    assert.equal(await from(team.owner), null);
    await settle(team, a, 300);
    assert.equal(await from(team.member), a);
    await team.grant(c, team.member, 100);
    await team.grant(a, team.member, 0);
    assert.equal(await from(team.member), null);
    assert.equal(await from(team.owner), a);
    await settle(team, c, 100);
    assert.equal(await from(team.owner), null);
  });

  it('leave full access with who cuts, and is no owner', async () => {
    const team = await newTeam();
    const page = await team.page('Page');
    const own = async (mate: Mate) =>
      (await team.owner.access.members({ ...team.at, pageId: page })).find(
        ({ memberId }) => memberId === mate.memberId,
      );
    await team.owner.access.changeSettings({ ...team.at, pageId: page, inherit: false, defaultAccess: 400 });
    assert.equal((await own(team.owner))?.type, 'inherited');
    // The settings stay as they are: the put leaves them cut all the same.
    await team.admin.access.changeSettings({ ...team.at, pageId: page });
    assert.deepEqual([(await own(team.admin))?.access, (await own(team.admin))?.type], [400, 'accepted']);
    await team.member.access.changeSettings({ ...team.at, pageId: page, defaultAccess: 0 });
    assert.deepEqual([(await own(team.member))?.access, (await own(team.member))?.type], [400, 'accepted']);
    await team.owner.access.changeSettings({ ...team.at, pageId: page, inherit: true });
    assert.equal((await own(team.member))?.type, 'accepted');
  });
});

describe('access: a task', () => {
  it('is governed by its own page, else by that of its board', async () => {
    const team = await newTeam();
    const { member, at } = team;
    const board = await team.board('Board');
    const card = await team.task(board.id, 'Card');
    const paged = await team.page('Paged', board.id, 'task');
    await team.grant(board.id, member, 100);
    await team.grant(paged, member, 300);
    const rename = (taskId: string) => outcome(member.tasks.update({ ...at, taskId, title: 'New' }));
    assert.deepEqual([await rename(card), await rename(paged)], ['forbidden', 'ok']);
    await team.grant(board.id, member, 300);
    await team.grant(paged, member, 0);
    assert.deepEqual([await rename(card), await rename(paged)], ['ok', 'not-found']);
  });

  it('seen through its own page alone shows nothing of its board, and takes nothing of it', async () => {
    const team = await newTeam();
    const { owner, member, at } = team;
    const board = await team.board('Board');
    const { id: tag } = await owner.tags.create({ ...at, boardId: board.id, name: 'Tag' });
    const taskId = await team.page('Paged', board.id, 'task');
    await owner.tasks.addTag({ ...at, taskId, tagId: tag });
    const other = await team.task(board.id, 'Other');
    await team.grant(board.id, member, 0);
    await team.grant(taskId, member, 400);
    const shown = await member.tasks.get({ ...at, taskId });
    assert.deepEqual(
      [shown.boardId, shown.statusId, shown.statusOrderKey, shown.tags, shown.boardHidden],
      [null, null, null, [], true],
    );
    assert.deepEqual(
      (await member.tasks.list(at)).items.map(({ id, boardId }) => [id, boardId]),
      [[taskId, null]],
    );
    for (const field of [
      { boardId: board.id },
      { statusId: board.todo },
      { statusOrderKey: 5 },
      { beforeTaskId: other },
      { beforeTaskId: null },
      { afterTaskId: null },
      { tags: [tag] },
    ]) {
      assert.equal(
        await outcome(member.tasks.update({ ...at, taskId, ...field })),
        'unusable-reference',
        JSON.stringify(field),
      );
    }
    assert.equal(await outcome(member.tasks.addTag({ ...at, taskId, tagId: tag })), 'unusable-reference');
    assert.equal(await outcome(member.tasks.removeTag({ ...at, taskId, tagId: tag })), 'not-found');
    assert.deepEqual(await member.tasks.update({ ...at, ...shown, taskId }), shown);
    assert.equal((await member.tasks.update({ ...at, taskId, title: 'Mine', complete: true })).complete, true);
    assert.deepEqual((await owner.tasks.get({ ...at, taskId })).tags, [tag]);
  });
});
