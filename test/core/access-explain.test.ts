import assert from 'node:assert/strict';
import { newTeam, type Mate } from '../support/world-team.ts';
import { outcome } from '../support/world.ts';

describe('access: explain and preview', () => {
  it('tells each step, and hides what is hidden', async () => {
    const team = await newTeam();
    const a = await team.page('a');
    const b = await team.page('b', a);
    const c = await team.page('c', b);
    const explain = (mate: Mate, pageId: string, memberId?: string) =>
      mate.access.explain({ ...team.at, pageId, ...(memberId === undefined ? {} : { memberId }) });
    assert.deepEqual((await explain(team.member, b)).steps, [
      { rule: 'silent', pageId: b, access: null },
      { rule: 'silent', pageId: a, access: null },
      { rule: 'base', pageId: null, access: 300 },
    ]);
    assert.deepEqual((await explain(team.owner, c)).steps, [{ rule: 'owner', pageId: null, access: 400 }]);
    await team.owner.access.changeSettings({ ...team.at, pageId: a, inherit: false, defaultAccess: 200 });
    assert.deepEqual((await explain(team.member, b)).steps.at(-1), { rule: 'default', pageId: a, access: 200 });
    await team.grant(b, team.member, 0);
    await team.grant(c, team.admin, 400);
    await team.grant(a, team.admin, 0);
    assert.deepEqual((await explain(team.admin, c, team.member.memberId)).steps, [
      { rule: 'silent', pageId: c, access: null },
      { rule: 'entry', pageId: null, access: 0 },
    ]);
    await team.world.operator.users.update({ userId: team.guest.userId, disabled: true });
    assert.deepEqual((await explain(team.owner, c, team.guest.memberId)).steps, [
      { rule: 'none', pageId: null, access: 0 },
    ]);
    assert.equal(await outcome(explain(team.owner, c, team.workspaceId)), 'not-found');
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
      assert.deepEqual(
        [await explain(), await explain(team.member.memberId), await explain(team.guest.memberId)],
        [own, own, other],
      );
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
    assert.deepEqual(changes, [
      { memberId: team.member.memberId, role: 20, before: 300, after: 100 },
      { memberId: team.guest.memberId, role: 10, before: 0, after: 200 },
    ]);
    const mates = [team.owner, team.admin, team.member, team.guest];
    assert.deepEqual(await Promise.all(mates.map((mate) => team.access(mate, page))), [400, 300, 300, 0]);
    const back = await team.owner.pages.create({ ...team.at, name: 'Below', type: 'folder', parentId: target });
    for (const parentId of [null, undefined]) {
      const up = await team.owner.access.preview({
        ...team.at,
        pageId: back.id,
        ...(parentId === null && { parentId }),
      });
      assert.deepEqual(up.changes, [
        { memberId: team.admin.memberId, role: 30, before: 100, after: 400 },
        { memberId: team.member.memberId, role: 20, before: 100, after: 300 },
        { memberId: team.guest.memberId, role: 10, before: 200, after: 0 },
      ]);
    }
    assert.equal(
      await outcome(team.owner.access.preview({ ...team.at, pageId: page, parentId: team.workspaceId })),
      'not-found',
    );
  });
});
