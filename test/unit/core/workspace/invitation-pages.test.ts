import { expect } from 'chai';
import { newTeam, type Team } from '../../../fixtures/world/team.ts';
import { fault, outcome } from '../../../fixtures/world/world.ts';

describe('invitations with pages', () => {
  it('grant on joining', async () => {
    const team = await newTeam();
    const { owner, outsider, at } = team;
    const page = await team.page('Page');
    const { id, pages } = await owner.invitations.create({ ...at, role: 10, pages: [{ pageId: page, access: 200 }] });
    expect(pages).to.deep.equal([{ pageId: page, access: 200 }]);
    expect((await outsider.invitations.read({ invitationId: id })).pages).to.deep.equal([]);
    await outsider.invitations.join({ invitationId: id });
    expect((await outsider.pages.get({ ...at, pageId: page })).access).to.equal(200);
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
      expect(await invite()).to.equal(expected);
    }
    await team.owner.pages.delete({ ...at, pageId: page });
    expect(await invite()).to.equal('unusable-reference /pages/0/pageId');
  });

  it('give a guest no full access and an owner nothing less', async () => {
    const team = await newTeam();
    const page = await team.page('Page');
    const invite = (role: 10 | 20 | 40, access: 300 | 400) =>
      fault(team.owner.invitations.create({ ...team.at, role, pages: [{ pageId: page, access }] }));
    expect(await invite(10, 400)).to.equal('unusable-reference /pages/0/access');
    expect(await invite(10, 300)).to.equal('ok');
    expect(await invite(40, 300)).to.equal('owner-access');
    expect(await invite(40, 400)).to.equal('ok');
  });

  it('name a page once', async () => {
    const team = await newTeam();
    const page = await team.page('Page');
    const pages = [100, 200].map((access) => ({ pageId: page, access: access as 100 | 200 }));
    expect(await fault(team.owner.invitations.create({ ...team.at, pages }))).to.equal('invalid-input /pages/1/pageId');
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
      expect(await outcome(team.outsider.invitations.join({ invitationId: id }))).to.equal('invitation-unusable');
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
    expect(await outcome(team.outsider.invitations.join({ invitationId: high.id }))).to.equal('invitation-unusable');
    expect(await outcome(team.outsider.invitations.join({ invitationId: low.id }))).to.equal('ok');
  });

  for (const [what, lose] of losses) {
    it(`cannot be used when the issuer lost ${what}`, async () => {
      const team = await newTeam();
      const page = await team.page('Page');
      const { id } = await team.admin.invitations.create({ ...team.at, pages: [{ pageId: page, access: 100 }] });
      await lose(team, page);
      expect(await outcome(team.outsider.invitations.join({ invitationId: id }))).to.equal('invitation-unusable');
      expect(await outcome(team.outsider.workspaces.get(team.at))).to.equal('not-found');
    });
  }

  describe('of somebody who comes back', () => {
    /** The member has left, at another time than anything else happens. */
    async function left(level?: 0 | 100 | 200 | 300 | 400) {
      const team = await newTeam();
      const page = await team.page('Page');
      if (level !== undefined) await team.grant(page, team.member, level);
      const invite = async (access: 0 | 100 | 200 | 300 | 400, email: string | null) => {
        const invitation = await team.owner.invitations.create({
          ...team.at,
          email,
          pages: [{ pageId: page, access }],
        });
        team.world.pass(1_000);
        return async () => {
          await team.member.invitations.join({ invitationId: invitation.id });
          return team.access(team.member, page);
        };
      };
      const leave = async () => {
        await team.member.members.remove({ ...team.at, memberId: team.member.memberId });
        team.world.pass(1_000);
      };
      return { team, invite, leave };
    }

    const EMAIL = 'member@example.org';

    it('bind in full when it is addressed and was made after they left', async () => {
      for (const [before, access] of [
        [100, 400],
        [300, 0],
        [undefined, 400],
      ] as const) {
        const { invite, leave } = await left(before);
        await leave();
        expect(await (await invite(access, EMAIL))().catch(() => 0)).to.equal(access);
      }
    });

    it('only lower when it was made before, or has no address', async () => {
      for (const [before, access, after] of [
        [100, 400, 100],
        [200, 100, 100],
        [undefined, 100, 100],
        [undefined, 400, 300],
      ] as const) {
        const early = await left(before);
        const join = await early.invite(access, EMAIL);
        await early.leave();
        expect(await join()).to.equal(after);
        const open = await left(before);
        await open.leave();
        expect(await (await open.invite(access, null))()).to.equal(after);
      }
    });
  });
});
