import assert from 'node:assert/strict';
import { newTeam, type Team } from '../support/world-team.ts';
import { fault, outcome } from '../support/world.ts';

describe('invitations with pages', () => {
  it('grant on joining', async () => {
    const team = await newTeam();
    const { owner, outsider, at } = team;
    const page = await team.page('Page');
    const { id, pages } = await owner.invitations.create({ ...at, role: 10, pages: [{ pageId: page, access: 200 }] });
    assert.deepEqual(pages, [{ pageId: page, access: 200 }]);
    assert.deepEqual((await outsider.invitations.read({ invitationId: id })).pages, []);
    await outsider.invitations.join({ invitationId: id });
    assert.equal((await outsider.pages.get({ ...at, pageId: page })).access, 200);
  });

  it('need full access to them', async () => {
    const team = await newTeam();
    const { admin, at } = team;
    const page = await team.page('Page');
    const invite = () => fault(admin.invitations.create({ ...at, pages: [{ pageId: page, access: 100 }] }));
    for (const [level, expected] of [
      [0, 'unusable-reference /pages/0/pageId'],
      [300, 'forbidden'],
      [400, 'ok'],
    ] as const) {
      await team.grant(page, admin, level);
      assert.equal(await invite(), expected);
    }
    await team.owner.pages.delete({ ...at, pageId: page });
    assert.equal(await invite(), 'unusable-reference /pages/0/pageId');
  });

  it('give a guest no full access and an owner nothing less', async () => {
    const team = await newTeam();
    const page = await team.page('Page');
    const invite = (role: 10 | 20 | 40, access: 300 | 400) =>
      fault(team.owner.invitations.create({ ...team.at, role, pages: [{ pageId: page, access }] }));
    assert.equal(await invite(10, 400), 'unusable-reference /pages/0/access');
    assert.equal(await invite(10, 300), 'ok');
    assert.equal(await invite(40, 300), 'owner-access');
    assert.equal(await invite(40, 400), 'ok');
  });

  it('name a page once', async () => {
    const team = await newTeam();
    const page = await team.page('Page');
    const pages = [100, 200].map((access) => ({ pageId: page, access: access as 100 | 200 }));
    assert.equal(await fault(team.owner.invitations.create({ ...team.at, pages })), 'invalid-input /pages/1/pageId');
  });

  const losses: readonly (readonly [
    string,
    (team: Team, page: string) => Promise<unknown>,
    /** Whether it is lost without any page, too. */
    boolean,
  ])[] = [
    ['the role', (t) => t.owner.members.update({ ...t.at, memberId: t.admin.memberId, role: 20 }), true],
    ['full access to a page', (t, page) => t.grant(page, t.admin, 300), false],
    ['the page', (t, page) => t.owner.pages.delete({ ...t.at, pageId: page }), false],
    ['the membership', (t) => t.owner.members.remove({ ...t.at, memberId: t.admin.memberId }), true],
    ['the right to sign in', (t) => t.world.operator.users.update({ userId: t.admin.userId, disabled: true }), true],
  ];
  for (const [what, lose] of losses.filter(([, , without]) => without)) {
    it(`without pages cannot be used when the issuer lost ${what}`, async () => {
      const team = await newTeam();
      const { id } = await team.admin.invitations.create({ ...team.at, role: 10 });
      await lose(team, '');
      assert.equal(await outcome(team.outsider.invitations.join({ invitationId: id })), 'invitation-unusable');
    });
  }

  it('cannot be used when its role is above what the issuer has left', async () => {
    const team = await newTeam();
    const second = await team.join('Second', 40);
    const [high, low] = [
      await second.invitations.create({ ...team.at, role: 40 }),
      await second.invitations.create({ ...team.at, role: 30 }),
    ];
    await team.owner.members.update({ ...team.at, memberId: second.memberId, role: 30 });
    assert.equal(await outcome(team.outsider.invitations.join({ invitationId: high.id })), 'invitation-unusable');
    assert.equal(await outcome(team.outsider.invitations.join({ invitationId: low.id })), 'ok');
  });

  for (const [what, lose] of losses) {
    it(`cannot be used when the issuer lost ${what}`, async () => {
      const team = await newTeam();
      const page = await team.page('Page');
      const { id } = await team.admin.invitations.create({ ...team.at, pages: [{ pageId: page, access: 100 }] });
      await lose(team, page);
      assert.equal(await outcome(team.outsider.invitations.join({ invitationId: id })), 'invitation-unusable');
      assert.equal(await outcome(team.outsider.workspaces.get(team.at)), 'not-found');
    });
  }
});
