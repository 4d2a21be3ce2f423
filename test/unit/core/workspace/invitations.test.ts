import { assert, expect } from 'chai';
import { newTeam } from '../../../fixtures/world/team.ts';
import { DAY, fault, HOUR, outcome } from '../../../fixtures/world/world.ts';

describe('invitations', () => {
  it('have the defaults of the design', async () => {
    const { owner, at, world } = await newTeam();
    const invitation = await owner.invitations.create(at);
    expect([
      invitation.role,
      invitation.email,
      invitation.status,
      invitation.pages,
      invitation.expiresAt,
      invitation.workspaceName,
    ]).to.deep.equal([20, null, 'pending', [], world.time(7 * DAY), 'Acme']);
    expect(invitation.createdById).to.equal(owner.memberId);
    expect([invitation.acceptedAt, invitation.memberId]).to.deep.equal([null, null]);
  });

  it('last 1 hour to 90 days', async () => {
    const { owner, at, world } = await newTeam();
    const until = (milliseconds: number) =>
      fault(owner.invitations.create({ ...at, expiresAt: world.time(milliseconds) }));
    expect([await until(HOUR - 1), await until(HOUR), await until(90 * DAY), await until(90 * DAY + 1)]).to.deep.equal([
      'invalid-input /expiresAt',
      'ok',
      'ok',
      'invalid-input /expiresAt',
    ]);
  });

  it('expire at their time', async () => {
    const { owner, outsider, at, world } = await newTeam();
    const { id } = await owner.invitations.create({ ...at, expiresAt: world.time(HOUR) });
    world.pass(HOUR - 1);
    expect((await outsider.invitations.read({ invitationId: id })).status).to.equal('pending');
    world.pass(1);
    expect((await outsider.invitations.read({ invitationId: id })).status).to.equal('expired');
    expect(await outcome(outsider.invitations.join({ invitationId: id }))).to.equal('invitation-unusable');
    expect(await outcome(owner.invitations.revoke({ ...at, invitationId: id }))).to.equal('invitation-unusable');
  });

  it('that were used or revoked stay so when their time is over', async () => {
    const { owner, outsider, at, world } = await newTeam();
    const [used, revoked] = [await owner.invitations.create(at), await owner.invitations.create(at)];
    await outsider.invitations.join({ invitationId: used.id });
    await owner.invitations.revoke({ ...at, invitationId: revoked.id });
    world.pass(8 * DAY);
    const status = async ({ id }: { id: string }) => (await owner.invitations.get({ ...at, invitationId: id })).status;
    expect([await status(used), await status(revoked)]).to.deep.equal(['accepted', 'revoked']);
  });

  it('are for a role of at most one’s own', async () => {
    const { owner, admin, member, at } = await newTeam();
    for (const [who, role, expected] of [
      [owner, 40, 'ok'],
      [admin, 40, 'forbidden'],
      [admin, 30, 'ok'],
      [member, 10, 'forbidden'],
    ] as const) {
      expect(await outcome(who.invitations.create({ ...at, role })), `${who.name} to ${role}`).to.equal(expected);
    }
    const { id } = await owner.invitations.create({ ...at, role: 30 });
    expect(await outcome(admin.invitations.get({ ...at, invitationId: id }))).to.equal('ok');
    expect(await outcome(admin.invitations.revoke({ ...at, invitationId: id }))).to.equal('ok');
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
      expect(await Promise.all(all), String(role)).to.deep.equal(expected);
    }
  });

  it('open to one address, are hidden from every other', async () => {
    const team = await newTeam();
    const { owner, admin, member, outsider, at, world } = team;
    const eve = await world.user('Eve');
    const { id } = await owner.invitations.create({ ...at, email: 'OUTSIDER@Example.org' });
    const read = async (who: typeof eve) => outcome(who.invitations.read({ invitationId: id }));
    expect(await Promise.all([eve, member, outsider, admin].map(read))).to.deep.equal([
      'not-found',
      'not-found',
      'ok',
      'ok',
    ]);
    expect(await outcome(eve.invitations.join({ invitationId: id }))).to.equal('not-found');
    expect(await outcome(outsider.invitations.join({ invitationId: id }))).to.equal('ok');
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
    expect(await outcome(outsider.invitations.read({ invitationId: id }))).to.equal('not-found');
    expect(await outcome(outsider.invitations.join({ invitationId: id }))).to.equal('not-found');
    await setVerified(true);
    expect(await outcome(outsider.invitations.join({ invitationId: id }))).to.equal('ok');
  });

  it('without an address are for anyone who has the id', async () => {
    const { owner, outsider, at } = await newTeam();
    const { id } = await owner.invitations.create(at);
    const member = await outsider.invitations.join({ invitationId: id });
    expect([member.role, member.name, member.active]).to.deep.equal([20, 'Outsider', true]);
    const after = await owner.invitations.get({ ...at, invitationId: id });
    expect([after.status, after.memberId]).to.deep.equal(['accepted', member.id]);
    expect(after.acceptedAt).to.not.equal(null);
  });

  it('serve once', async () => {
    const { owner, outsider, at, world } = await newTeam();
    const eve = await world.user('Eve');
    const { id } = await owner.invitations.create(at);
    const results = await Promise.all(
      [outsider, eve].map((who) => outcome(who.invitations.join({ invitationId: id }))),
    );
    expect(results.toSorted()).to.deep.equal(['invitation-unusable', 'ok']);
  });

  it('stay pending when a member uses one', async () => {
    const { owner, member, admin, outsider, at } = await newTeam();
    const { id } = await owner.invitations.create(at);
    for (const who of [member, admin, owner]) {
      expect(await outcome(who.invitations.join({ invitationId: id }))).to.equal('already-member');
    }
    expect((await owner.invitations.get({ ...at, invitationId: id })).status).to.equal('pending');
    expect((await owner.members.list(at)).find(({ id: memberId }) => memberId === admin.memberId)?.role).to.equal(30);
    expect(await outcome(outsider.invitations.join({ invitationId: id }))).to.equal('ok');
  });

  it('can be revoked while pending', async () => {
    const { owner, outsider, at } = await newTeam();
    const { id } = await owner.invitations.create(at);
    await owner.invitations.revoke({ ...at, invitationId: id });
    expect((await owner.invitations.get({ ...at, invitationId: id })).status).to.equal('revoked');
    expect(await outcome(outsider.invitations.join({ invitationId: id }))).to.equal('invitation-unusable');
    expect(await outcome(owner.invitations.revoke({ ...at, invitationId: id }))).to.equal('invitation-unusable');
  });

  it('of a higher role are hidden from an admin', async () => {
    const { owner, admin, at } = await newTeam();
    const { id } = await owner.invitations.create({ ...at, role: 40, email: 'x@example.org' });
    expect(await outcome(admin.invitations.get({ ...at, invitationId: id }))).to.equal('not-found');
    expect(await outcome(admin.invitations.revoke({ ...at, invitationId: id }))).to.equal('not-found');
    expect(await outcome(admin.invitations.read({ invitationId: id }))).to.equal('not-found');
    const shown = (await admin.invitations.list({ ...at, limit: 500 })).items.map((one) => one.id);
    assert(!shown.includes(id));
    assert((await owner.invitations.list({ ...at, limit: 500 })).items.some((one) => one.id === id));
  });

  it('that do not exist are not found', async () => {
    const { owner, at, workspaceId } = await newTeam();
    for (const call of [
      owner.invitations.get,
      owner.invitations.revoke,
      owner.invitations.read,
      owner.invitations.join,
    ]) {
      expect(await outcome(call({ ...at, invitationId: workspaceId }))).to.equal('not-found');
    }
  });

  it('of another workspace are not found here', async () => {
    const { owner, outsider, at } = await newTeam();
    const other = await outsider.workspaces.create({ name: 'Other' });
    const { id } = await outsider.invitations.create({ workspaceId: other.id, email: 'x@example.org' });
    expect(await outcome(owner.invitations.get({ ...at, invitationId: id }))).to.equal('not-found');
    expect(await outcome(owner.invitations.revoke({ ...at, invitationId: id }))).to.equal('not-found');
  });

  it('are listed in parts, oldest first', async () => {
    const { owner, admin, at, world } = await newTeam();
    for (const role of [40, 40, 20, 40, 30, 30, 40, 20, 20, 40, 40] as const) {
      world.pass(1);
      await owner.invitations.create({ ...at, role });
    }
    for (const who of [owner, admin]) {
      const whole = (await who.invitations.list(at)).items;
      expect(whole.map(({ createdAt }) => createdAt)).to.deep.equal(whole.map(({ createdAt }) => createdAt).toSorted());
      expect(whole.length).to.equal(who === owner ? 14 : 8);
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
        expect(parts.flat()).to.deep.equal(whole.map(({ id }) => id));
        assert(parts.slice(0, -1).every((part) => part.length === limit));
      }
    }
  });
});
