import assert from 'node:assert/strict';
import { newTeam } from '../support/world-team.ts';
import { DAY, fault, HOUR, outcome } from '../support/world.ts';

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
      fault(owner.invitations.create({ ...at, expiresAt: world.time(milliseconds) }));
    assert.deepEqual(
      [await until(HOUR - 1), await until(HOUR), await until(90 * DAY), await until(90 * DAY + 1)],
      ['invalid-input /expiresAt', 'ok', 'ok', 'invalid-input /expiresAt'],
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

  it('that were used or revoked stay so when their time is over', async () => {
    const { owner, outsider, at, world } = await newTeam();
    const [used, revoked] = [await owner.invitations.create(at), await owner.invitations.create(at)];
    await outsider.invitations.join({ invitationId: used.id });
    await owner.invitations.revoke({ ...at, invitationId: revoked.id });
    world.pass(8 * DAY);
    const status = async ({ id }: { id: string }) => (await owner.invitations.get({ ...at, invitationId: id })).status;
    assert.deepEqual([await status(used), await status(revoked)], ['accepted', 'revoked']);
  });

  it('are for a role of at most one’s own', async () => {
    const { owner, admin, member, at } = await newTeam();
    for (const [who, role, expected] of [
      [owner, 40, 'ok'],
      [admin, 40, 'forbidden'],
      [admin, 30, 'ok'],
      [member, 10, 'forbidden'],
    ] as const) {
      assert.equal(await outcome(who.invitations.create({ ...at, role })), expected, `${who.name} to ${role}`);
    }
    const { id } = await owner.invitations.create({ ...at, role: 30 });
    assert.equal(await outcome(admin.invitations.get({ ...at, invitationId: id })), 'ok');
    assert.equal(await outcome(admin.invitations.revoke({ ...at, invitationId: id })), 'ok');
  });

  it('addressed to someone else tell who may read them that they are members, and others nothing', async () => {
    const { owner, admin, member, guest, at, join } = await newTeam();
    const former = await join('Former', 30);
    await former.members.remove({ ...at, memberId: former.memberId });
    for (const [role, expected] of [
      [20, ['already-member', 'already-member', 'not-found', 'not-found', 'not-found']],
      [30, ['already-member', 'already-member', 'not-found', 'not-found', 'not-found']],
      [40, ['already-member', 'not-found', 'not-found', 'not-found', 'not-found']],
    ] as const) {
      const { id } = await owner.invitations.create({ ...at, role, email: 'x@example.org' });
      const all = [owner, admin, member, guest, former].map((who) =>
        outcome(who.invitations.join({ invitationId: id })),
      );
      assert.deepEqual(await Promise.all(all), expected, String(role));
    }
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
    assert.equal((await owner.invitations.get({ ...at, invitationId: id })).status, 'revoked');
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

  it('that do not exist are not found', async () => {
    const { owner, at, workspaceId } = await newTeam();
    for (const call of [
      owner.invitations.get,
      owner.invitations.revoke,
      owner.invitations.read,
      owner.invitations.join,
    ]) {
      assert.equal(await outcome(call({ ...at, invitationId: workspaceId })), 'not-found');
    }
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
    for (const role of [40, 40, 20, 40, 30, 30, 40, 20, 20, 40, 40] as const) {
      world.pass(1);
      await owner.invitations.create({ ...at, role });
    }
    for (const who of [owner, admin]) {
      const whole = (await who.invitations.list(at)).items;
      assert.deepEqual(
        whole.map(({ createdAt }) => createdAt),
        whole.map(({ createdAt }) => createdAt).toSorted(),
      );
      assert.equal(whole.length, who === owner ? 14 : 8);
      for (const limit of [1, 2, 3, 4, 5]) {
        const parts: string[][] = [];
        let cursor: string | null = null;
        do {
          const slice: Awaited<ReturnType<typeof who.invitations.list>> = await who.invitations.list({
            ...at,
            limit,
            ...(cursor === null ? {} : { cursor }),
          });
          parts.push(slice.items.map(({ id }) => id));
          cursor = slice.next;
        } while (cursor !== null);
        assert.deepEqual(
          parts.flat(),
          whole.map(({ id }) => id),
        );
        assert.ok(parts.slice(0, -1).every((part) => part.length === limit));
      }
    }
  });
});
