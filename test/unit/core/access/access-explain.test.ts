import { expect } from 'chai';
import { newTeam, type Colleague } from '../../../fixtures/world/team.ts';
import { outcome } from '../../../fixtures/world/world.ts';

describe('access: explain and preview', () => {
  it('tells each step, and hides what is hidden', async () => {
    const team = await newTeam();
    const a = await team.page('a');
    const b = await team.page('b', a);
    const c = await team.page('c', b);
    const explain = (colleague: Colleague, pageId: string, memberId?: string) =>
      colleague.access.explain({ ...team.at, pageId, ...(memberId === undefined ? {} : { memberId }) });
    expect((await explain(team.member, b)).steps).to.deep.equal([
      { rule: 'silent', pageId: b, access: null },
      { rule: 'silent', pageId: a, access: null },
      { rule: 'base', pageId: null, access: 300 },
    ]);
    expect((await explain(team.owner, c)).steps).to.deep.equal([{ rule: 'owner', pageId: null, access: 400 }]);
    await team.owner.access.changeSettings({ ...team.at, pageId: a, inherit: false, defaultAccess: 200 });
    expect((await explain(team.member, b)).steps.at(-1)).to.deep.equal({ rule: 'default', pageId: a, access: 200 });
    await team.grant(b, team.member, 0);
    await team.grant(c, team.admin, 400);
    await team.grant(a, team.admin, 0);
    expect((await explain(team.admin, c, team.member.memberId)).steps).to.deep.equal([
      { rule: 'silent', pageId: c, access: null },
      { rule: 'entry', pageId: null, access: 0 },
    ]);
    await team.world.operator.users.update({ userId: team.guest.userId, disabled: true });
    expect((await explain(team.owner, c, team.guest.memberId)).steps).to.deep.equal([
      { rule: 'none', pageId: null, access: 0 },
    ]);
    expect(await outcome(explain(team.owner, c, team.workspaceId))).to.equal('not-found');
  });

  it('explains to others with full access only', async () => {
    const team = await newTeam();
    const page = await team.page('Page');
    const explain = (memberId?: string) =>
      outcome(team.member.access.explain({ ...team.at, pageId: page, ...(memberId && { memberId }) }));
    for (const [level, own, other] of [
      [400, 'ok', 'ok'],
      [300, 'ok', 'forbidden'],
      [100, 'ok', 'forbidden'],
      [0, 'not-found', 'not-found'],
    ] as const) {
      await team.grant(page, team.member, level);
      expect([await explain(), await explain(team.member.memberId), await explain(team.guest.memberId)]).to.deep.equal([
        own,
        own,
        other,
      ]);
    }
  });

  it('previews who would gain and lose what, and writes nothing', async () => {
    const team = await newTeam();
    const page = await team.page('Page');
    const target = await team.page('Target');
    await team.owner.access.changeSettings({ ...team.at, pageId: target, inherit: false, defaultAccess: 100 });
    await team.grant(target, team.guest, 200);
    await team.grant(page, team.admin, 300);
    const { changes } = await team.owner.access.preview({ ...team.at, pageId: page, parentId: target });
    expect(changes).to.deep.equal([
      { memberId: team.member.memberId, role: 20, before: 300, after: 100 },
      { memberId: team.guest.memberId, role: 10, before: 0, after: 200 },
    ]);
    const colleagues = [team.owner, team.admin, team.member, team.guest];
    expect(await Promise.all(colleagues.map((colleague) => team.access(colleague, page)))).to.deep.equal([
      400, 300, 300, 0,
    ]);
    const back = await team.owner.pages.create({ ...team.at, name: 'Below', type: 'folder', parentId: target });
    for (const parentId of [null, undefined]) {
      const up = await team.owner.access.preview({
        ...team.at,
        pageId: back.id,
        ...(parentId === null && { parentId }),
      });
      expect(up.changes).to.deep.equal([
        { memberId: team.admin.memberId, role: 30, before: 100, after: 400 },
        { memberId: team.member.memberId, role: 20, before: 100, after: 300 },
        { memberId: team.guest.memberId, role: 10, before: 200, after: 0 },
      ]);
    }
    expect(await outcome(team.owner.access.preview({ ...team.at, pageId: page, parentId: team.workspaceId }))).to.equal(
      'not-found',
    );
  });
});
