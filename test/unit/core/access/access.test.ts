import { expect } from 'chai';
import type { Level } from '../../../../core/model/access/level.ts';
import { newTeam, type Colleague, type Team } from '../../../fixtures/world/team.ts';
import { fault, outcome } from '../../../fixtures/world/world.ts';

async function levels(team: Team, pageId: string): Promise<number[]> {
  return Promise.all(
    [team.owner, team.admin, team.member, team.guest].map((colleague) => team.access(colleague, pageId)),
  );
}

/** Rises with every write to members, pages or access. */
const revision = ({ world, workspaceId }: Team) =>
  world.store.read(async (tx) => (await tx.structures.get(workspaceId))!.revision);

const settle = (team: Team, pageId: string, defaultAccess: Level) =>
  team.owner.access.changeSettings({ ...team.at, pageId, inherit: false, defaultAccess });

describe('access: the resolver', () => {
  it('begins at the role', async () => {
    const team = await newTeam(undefined, 200);
    expect(await levels(team, await team.page('Page'))).to.deep.equal([400, 400, 200, 0]);
  });

  it('lets the nearest entry decide, up or down', async () => {
    const team = await newTeam();
    const a = await team.page('a');
    const b = await team.page('b', a);
    const c = await team.page('c', b);
    await team.grant(a, team.member, 100);
    expect([await team.access(team.member, b), await team.access(team.member, c)]).to.deep.equal([100, 100]);
    await team.grant(c, team.member, 400);
    expect([await team.access(team.member, b), await team.access(team.member, c)]).to.deep.equal([100, 400]);
    await team.grant(b, team.member, 0);
    expect([
      await team.access(team.member, a),
      await team.access(team.member, b),
      await team.access(team.member, c),
    ]).to.deep.equal([100, 0, 400]);
  });

  it('stops where a page does not inherit: a guest gets nothing, and entries above count no more', async () => {
    const team = await newTeam();
    const a = await team.page('a');
    const b = await team.page('b', a);
    for (const colleague of [team.admin, team.member, team.guest]) await team.grant(a, colleague, 200);
    expect(await levels(team, b)).to.deep.equal([400, 200, 200, 200]);
    await settle(team, b, 100);
    expect(await levels(team, b)).to.deep.equal([400, 100, 100, 0]);
    await team.grant(b, team.guest, 300);
    expect(await levels(team, b)).to.deep.equal([400, 100, 100, 300]);
  });

  it('never lowers an owner, and never lifts a guest above editing', async () => {
    const team = await newTeam();
    const page = await team.page('Page');
    await settle(team, page, 0);
    await team.grant(page, team.member, 400);
    await team.owner.members.update({ ...team.at, memberId: team.member.memberId, role: 10 });
    expect(await levels(team, page)).to.deep.equal([400, 0, 300, 0]);
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
      expect(entry).to.deep.equal({ memberId: team.member.memberId, role: 20, access: 200, type });
      expect((await team.member.pages.get({ ...team.at, pageId })).accessType).to.equal(type);
    }
  });

  it('gives an unknown role nothing', async () => {
    const team = await newTeam();
    const page = await team.page('Page');
    await team.grant(page, team.member, 400);
    await team.world.store.write(async (tx) => {
      const structure = (await tx.structures.get(team.workspaceId))!;
      await tx.structures.change(structure, { members: [{ ...structure.member(team.member.memberId)!, role: 25 }] });
    });
    expect(await team.access(team.member, page)).to.equal(0);
    expect(await outcome(team.member.workspaces.get(team.at))).to.equal('not-found');
    expect(await team.member.workspaces.list()).to.deep.equal([]);
  });
});

describe('access: members of a page', () => {
  it('are every active member, those at 0 too; a guest sees only the own entry', async () => {
    const team = await newTeam();
    const page = await team.page('Page');
    await team.grant(page, team.member, 0);
    await team.grant(page, team.guest, 100);
    const ids = async (colleague: Colleague) =>
      (await colleague.access.members({ ...team.at, pageId: page })).map(({ memberId }) => memberId);
    expect(await ids(team.admin)).to.deep.equal(
      [team.owner, team.admin, team.member, team.guest].map(({ memberId }) => memberId),
    );
    expect(await ids(team.guest)).to.deep.equal([team.guest.memberId]);
    await team.owner.members.update({ ...team.at, memberId: team.admin.memberId, position: 'Head' });
    expect(await ids(team.admin)).to.deep.equal((await ids(team.admin)).toSorted());
  });
});

describe('access: granting and revoking', () => {
  it('answers with the entry, replaces, and does nothing twice', async () => {
    const team = await newTeam();
    const page = await team.page('Page');
    for (const access of [100, 100, 0, 400] as const) {
      expect(
        await team.owner.access.grant({ ...team.at, pageId: page, memberId: team.member.memberId, access }),
      ).to.deep.equal({
        memberId: team.member.memberId,
        role: 20,
        access,
        type: 'accepted',
      });
    }
    const before = await revision(team);
    await team.grant(page, team.member, 400);
    expect(await revision(team)).to.equal(before);
  });

  it('refuses what a role cannot have', async () => {
    const team = await newTeam();
    const page = await team.page('Page');
    const grant = (memberId: string, access: Level) =>
      fault(team.owner.access.grant({ ...team.at, pageId: page, memberId, access }));
    expect(await grant(team.owner.memberId, 300)).to.equal('owner-access');
    expect(await grant(team.owner.memberId, 400)).to.equal('ok');
    expect(await grant(team.guest.memberId, 400)).to.equal('unusable-reference /access');
    expect(await grant(team.guest.memberId, 300)).to.equal('ok');
    expect(await grant(team.outsider.userId, 100)).to.equal('unusable-reference /memberId');
    await team.member.members.remove({ ...team.at, memberId: team.member.memberId });
    expect(await grant(team.member.memberId, 100)).to.equal('unusable-reference /memberId');
  });

  it('revokes what is there, and nothing else', async () => {
    const team = await newTeam();
    const page = await team.page('Page');
    const revoke = (memberId: string) => outcome(team.owner.access.revoke({ ...team.at, pageId: page, memberId }));
    expect(await revoke(team.member.memberId)).to.equal('not-found');
    await team.grant(page, team.member, 0);
    expect(await revoke(team.member.memberId)).to.equal('ok');
    expect(await team.access(team.member, page)).to.equal(300);
    expect(await revoke(team.workspaceId)).to.equal('not-found');
  });

  it('needs full access for an entry of one’s own, too', async () => {
    const team = await newTeam();
    const page = await team.page('Page');
    const own = (colleague: Colleague) =>
      outcome(colleague.access.revoke({ ...team.at, pageId: page, memberId: colleague.memberId }));
    for (const [level, result] of [
      [0, 'not-found'],
      [100, 'forbidden'],
      [300, 'forbidden'],
      [400, 'ok'],
    ] as const) {
      await team.grant(page, team.member, level);
      expect(await own(team.member)).to.equal(result);
    }
    await team.grant(page, team.guest, 200);
    expect(await own(team.guest)).to.equal('forbidden');
    expect(await own(team.admin)).to.equal('not-found');
  });
});

describe('access: settings', () => {
  it('inherit by default, and take a level exactly when they do not', async () => {
    const team = await newTeam();
    const page = await team.page('Page');
    const put = (body: object) => team.owner.access.changeSettings({ ...team.at, pageId: page, ...body });
    const first = await team.owner.access.settings({ ...team.at, pageId: page });
    expect([first.inherit, first.defaultAccess, first.inheritedFrom]).to.deep.equal([true, null, null]);
    for (const body of [{ inherit: false }, { defaultAccess: 100 }, { inherit: true, defaultAccess: 100 }]) {
      expect(await fault(put(body))).to.equal('invalid-input /defaultAccess');
    }
    const cut = await put({ inherit: false, defaultAccess: 100 });
    expect([cut.inherit, cut.defaultAccess]).to.deep.equal([false, 100]);
    expect(await outcome(put({ defaultAccess: null }))).to.equal('invalid-input');
    expect((await put({ defaultAccess: 200 })).defaultAccess).to.equal(200);
    const back = await put({ inherit: true });
    expect([back.inherit, back.defaultAccess]).to.deep.equal([true, null]);
  });

  it('are written only where they change', async () => {
    const team = await newTeam();
    const page = await team.page('Page');
    const put = (body: object) => team.admin.access.changeSettings({ ...team.at, pageId: page, ...body });
    for (const body of [{ inherit: false, defaultAccess: 200 }, { inherit: true }] as const) {
      const first = await put(body);
      const before = await revision(team);
      expect(await put(body)).to.deep.equal(first);
      expect(await put({})).to.deep.equal(first);
      expect(await revision(team)).to.equal(before);
    }
  });

  it('name the page they inherit from, unless it is hidden', async () => {
    const team = await newTeam();
    const a = await team.page('a');
    const c = await team.page('c', await team.page('b', a));
    const from = async (colleague: Colleague) =>
      (await colleague.access.settings({ ...team.at, pageId: c })).inheritedFrom;
    expect(await from(team.owner)).to.equal(null);
    await settle(team, a, 300);
    expect(await from(team.member)).to.equal(a);
    await team.grant(c, team.member, 100);
    await team.grant(a, team.member, 0);
    expect(await from(team.member)).to.equal(null);
    expect(await from(team.owner)).to.equal(a);
    await settle(team, c, 100);
    expect(await from(team.owner)).to.equal(null);
  });

  it('leave full access with who cuts, and is no owner', async () => {
    const team = await newTeam();
    const page = await team.page('Page');
    const own = async (colleague: Colleague) =>
      (await team.owner.access.members({ ...team.at, pageId: page })).find(
        ({ memberId }) => memberId === colleague.memberId,
      );
    await team.owner.access.changeSettings({ ...team.at, pageId: page, inherit: false, defaultAccess: 400 });
    expect((await own(team.owner))?.type).to.equal('inherited');
    // The settings stay as they are: the put leaves them cut all the same.
    await team.admin.access.changeSettings({ ...team.at, pageId: page });
    expect([(await own(team.admin))?.access, (await own(team.admin))?.type]).to.deep.equal([400, 'accepted']);
    await team.member.access.changeSettings({ ...team.at, pageId: page, defaultAccess: 0 });
    expect([(await own(team.member))?.access, (await own(team.member))?.type]).to.deep.equal([400, 'accepted']);
    await team.owner.access.changeSettings({ ...team.at, pageId: page, inherit: true });
    expect((await own(team.member))?.type).to.equal('accepted');
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
    expect([await rename(card), await rename(paged)]).to.deep.equal(['forbidden', 'ok']);
    await team.grant(board.id, member, 300);
    await team.grant(paged, member, 0);
    expect([await rename(card), await rename(paged)]).to.deep.equal(['ok', 'not-found']);
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
    expect([shown.boardId, shown.statusId, shown.statusOrderKey, shown.tags, shown.boardHidden]).to.deep.equal([
      null,
      null,
      null,
      [],
      true,
    ]);
    expect((await member.tasks.list(at)).items.map(({ id, boardId }) => [id, boardId])).to.deep.equal([[taskId, null]]);
    for (const field of [
      { boardId: board.id },
      { statusId: board.todo },
      { statusOrderKey: 5 },
      { beforeTaskId: other },
      { beforeTaskId: null },
      { afterTaskId: null },
      { tags: [tag] },
    ]) {
      expect(await outcome(member.tasks.update({ ...at, taskId, ...field })), JSON.stringify(field)).to.equal(
        'unusable-reference',
      );
    }
    expect(await outcome(member.tasks.addTag({ ...at, taskId, tagId: tag }))).to.equal('unusable-reference');
    expect(await outcome(member.tasks.removeTag({ ...at, taskId, tagId: tag }))).to.equal('not-found');
    expect(await member.tasks.update({ ...at, ...shown, taskId })).to.deep.equal(shown);
    expect((await member.tasks.update({ ...at, taskId, title: 'Mine', complete: true })).complete).to.equal(true);
    expect((await owner.tasks.get({ ...at, taskId })).tags).to.deep.equal([tag]);
  });
});
