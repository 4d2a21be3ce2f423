import assert from 'node:assert/strict';
import { newTeam } from '../support/world-team.ts';
import { DAY, HOUR, outcome } from '../support/world.ts';

describe('invitations', () => {
  it('have the defaults of the design', async () => {
    const { owner, at, world } = await newTeam();
    const invitation = await owner.invitations.create(at);
    assert.deepEqual(
      [
        invitation.role,
        invitation.email,
        invitation.status,
        invitation.pages,
        invitation.expiresAt,
        invitation.workspaceName,
      ],
      [20, null, 'pending', [], world.time(7 * DAY), 'Acme'],
    );
    assert.equal(invitation.createdById, owner.memberId);
    assert.deepEqual([invitation.acceptedAt, invitation.memberId], [null, null]);
  });

  it('last 1 hour to 90 days', async () => {
    const { owner, at, world } = await newTeam();
    const until = (milliseconds: number) =>
      outcome(owner.invitations.create({ ...at, expiresAt: world.time(milliseconds) }));
    assert.deepEqual(
      [await until(HOUR - 1), await until(HOUR), await until(90 * DAY), await until(90 * DAY + 1)],
      ['invalid-input', 'ok', 'ok', 'invalid-input'],
    );
  });

  it('expire at their time', async () => {
    const { owner, outsider, at, world } = await newTeam();
    const { id } = await owner.invitations.create({ ...at, expiresAt: world.time(HOUR) });
    world.pass(HOUR - 1);
    assert.equal((await outsider.invitations.read({ invitationId: id })).status, 'pending');
    world.pass(1);
    assert.equal((await outsider.invitations.read({ invitationId: id })).status, 'expired');
    assert.equal(await outcome(outsider.invitations.join({ invitationId: id })), 'invitation-unusable');
    assert.equal(await outcome(owner.invitations.revoke({ ...at, invitationId: id })), 'invitation-unusable');
  });

  it('open to one address, are hidden from every other', async () => {
    const team = await newTeam();
    const { owner, admin, member, outsider, at, world } = team;
    const eve = await world.user('Eve');
    const { id } = await owner.invitations.create({ ...at, email: 'OUTSIDER@Example.org' });
    const read = async (who: typeof eve) => outcome(who.invitations.read({ invitationId: id }));
    assert.deepEqual(await Promise.all([eve, member, outsider, admin].map(read)), [
      'not-found',
      'not-found',
      'ok',
      'ok',
    ]);
    assert.equal(await outcome(eve.invitations.join({ invitationId: id })), 'not-found');
    assert.equal(await outcome(outsider.invitations.join({ invitationId: id })), 'ok');
  });

  it('take a verified address', async () => {
    const { owner, outsider, at, world } = await newTeam();
    const { id } = await owner.invitations.create({ ...at, email: 'outsider@example.org' });
    const setVerified = (emailVerified: boolean) =>
      world.store.write(async (tx) => {
        const user = await tx.users.get(outsider.userId);
        await tx.users.replace({ ...user!, emailVerified });
      });
    await setVerified(false);
    assert.equal(await outcome(outsider.invitations.read({ invitationId: id })), 'not-found');
    assert.equal(await outcome(outsider.invitations.join({ invitationId: id })), 'not-found');
    await setVerified(true);
    assert.equal(await outcome(outsider.invitations.join({ invitationId: id })), 'ok');
  });

  it('without an address are for whoever has the id', async () => {
    const { owner, outsider, at } = await newTeam();
    const { id } = await owner.invitations.create(at);
    const member = await outsider.invitations.join({ invitationId: id });
    assert.deepEqual([member.role, member.name, member.active], [20, 'Outsider', true]);
    const after = await owner.invitations.get({ ...at, invitationId: id });
    assert.deepEqual([after.status, after.memberId], ['accepted', member.id]);
    assert.notEqual(after.acceptedAt, null);
  });

  it('serve once', async () => {
    const { owner, outsider, at, world } = await newTeam();
    const eve = await world.user('Eve');
    const { id } = await owner.invitations.create(at);
    const results = await Promise.all(
      [outsider, eve].map((who) => outcome(who.invitations.join({ invitationId: id }))),
    );
    assert.deepEqual(results.toSorted(), ['invitation-unusable', 'ok']);
  });

  it('stay pending when a member uses one', async () => {
    const { owner, member, admin, outsider, at } = await newTeam();
    const { id } = await owner.invitations.create(at);
    for (const who of [member, admin, owner]) {
      assert.equal(await outcome(who.invitations.join({ invitationId: id })), 'already-member');
    }
    assert.equal((await owner.invitations.get({ ...at, invitationId: id })).status, 'pending');
    assert.equal((await owner.members.list(at)).find(({ id: memberId }) => memberId === admin.memberId)?.role, 30);
    assert.equal(await outcome(outsider.invitations.join({ invitationId: id })), 'ok');
  });

  it('can be revoked while pending', async () => {
    const { owner, outsider, at } = await newTeam();
    const { id } = await owner.invitations.create(at);
    await owner.invitations.revoke({ ...at, invitationId: id });
    assert.equal(await outcome(outsider.invitations.join({ invitationId: id })), 'invitation-unusable');
    assert.equal(await outcome(owner.invitations.revoke({ ...at, invitationId: id })), 'invitation-unusable');
  });

  it('of a higher role are hidden from an admin', async () => {
    const { owner, admin, at } = await newTeam();
    const { id } = await owner.invitations.create({ ...at, role: 40, email: 'x@example.org' });
    assert.equal(await outcome(admin.invitations.get({ ...at, invitationId: id })), 'not-found');
    assert.equal(await outcome(admin.invitations.revoke({ ...at, invitationId: id })), 'not-found');
    assert.equal(await outcome(admin.invitations.read({ invitationId: id })), 'not-found');
    const shown = (await admin.invitations.list({ ...at, limit: 500 })).items.map((one) => one.id);
    assert.ok(!shown.includes(id));
    assert.ok((await owner.invitations.list({ ...at, limit: 500 })).items.some((one) => one.id === id));
  });

  it('of another workspace are not found here', async () => {
    const { owner, outsider, at } = await newTeam();
    const other = await outsider.workspaces.create({ name: 'Other' });
    const { id } = await outsider.invitations.create({ workspaceId: other.id, email: 'x@example.org' });
    assert.equal(await outcome(owner.invitations.get({ ...at, invitationId: id })), 'not-found');
    assert.equal(await outcome(owner.invitations.revoke({ ...at, invitationId: id })), 'not-found');
  });

  it('are listed in parts, oldest first', async () => {
    const { owner, admin, at, world } = await newTeam();
    for (let n = 0; n < 7; n += 1) {
      world.pass(1);
      await owner.invitations.create({ ...at, role: n % 2 === 0 ? 40 : 20 });
    }
    for (const who of [owner, admin]) {
      const whole = (await who.invitations.list({ ...at, limit: 500 })).items.map(({ id }) => id);
      const parts: string[] = [];
      let cursor: string | null = null;
      do {
        const slice: Awaited<ReturnType<typeof who.invitations.list>> = await who.invitations.list({
          ...at,
          limit: 2,
          ...(cursor === null ? {} : { cursor }),
        });
        parts.push(...slice.items.map(({ id }) => id));
        cursor = slice.next;
      } while (cursor !== null);
      assert.deepEqual(parts, whole);
    }
  });
});

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
    const invite = () => outcome(admin.invitations.create({ ...at, pages: [{ pageId: page, access: 100 }] }));
    for (const [level, expected] of [
      [0, 'unusable-reference'],
      [300, 'forbidden'],
      [400, 'ok'],
    ] as const) {
      await team.grant(page, admin, level);
      assert.equal(await invite(), expected);
    }
  });

  it('give a guest no full access and an owner nothing less', async () => {
    const team = await newTeam();
    const page = await team.page('Page');
    const invite = (role: 10 | 20 | 40, access: 300 | 400) =>
      outcome(team.owner.invitations.create({ ...team.at, role, pages: [{ pageId: page, access }] }));
    assert.equal(await invite(10, 400), 'unusable-reference');
    assert.equal(await invite(10, 300), 'ok');
    assert.equal(await invite(40, 300), 'owner-access');
    assert.equal(await invite(40, 400), 'ok');
  });

  it('name a page once', async () => {
    const team = await newTeam();
    const page = await team.page('Page');
    const pages = [100, 200].map((access) => ({ pageId: page, access: access as 100 | 200 }));
    assert.equal(await outcome(team.owner.invitations.create({ ...team.at, pages })), 'invalid-input');
  });

  const losses: readonly (readonly [
    string,
    (team: Awaited<ReturnType<typeof newTeam>>, page: string) => Promise<unknown>,
  ])[] = [
    ['the role', (t) => t.owner.members.update({ ...t.at, memberId: t.admin.memberId, role: 20 })],
    ['full access to a page', (t, page) => t.grant(page, t.admin, 300)],
    ['the page', (t, page) => t.owner.pages.delete({ ...t.at, pageId: page })],
    ['the membership', (t) => t.owner.members.remove({ ...t.at, memberId: t.admin.memberId })],
    ['the right to sign in', (t) => t.world.operator.users.update({ userId: t.admin.userId, disabled: true })],
  ];
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
