import { expect } from 'chai';
import { behaviour, fails, NOTHING, type Behaviour } from './behaviour.ts';

export const PEOPLE_BEHAVIOURS: readonly Behaviour[] = [
  behaviour('one changes the own profile, and nobody else has one', async ({ people: { ada, nobody } }) => {
    const me = await ada.me.get();
    expect((await ada.me.update({ phone: '1' })).version).to.equal(me.version + 1);
    await fails('invalid-input', ada.me.update({ name: '' }));
    await fails('version-mismatch', ada.me.update({ phone: '2' }, { ifVersion: [me.version] }));
    await fails('unauthenticated', nobody.me.get());
  }),
  behaviour('administrators keep users, others do not', async ({ people: { ada, ben } }) => {
    const { id: userId } = await ada.users.create({ name: 'Dan', email: 'Dan@example.org' });
    expect((await ada.users.get({ userId })).email).to.equal('dan@example.org');
    expect(await ada.users.update({ userId, disabled: true })).to.include({ disabled: true });
    expect((await ada.users.list({ limit: 2 })).next).to.be.a('string');
    await fails('email-taken', ada.users.create({ name: 'Dan', email: 'dan@example.org' }));
    await fails('not-found', ada.users.get({ userId: NOTHING }));
    await fails('last-administrator', ada.users.update({ userId: (await ada.me.get()).id, administrator: false }));
    await fails('forbidden', ben.users.list());
  }),
  behaviour('quotas are set for the service by administrators', async ({ people: { ada, ben, nobody } }) => {
    const before = await ada.quotas.get();
    expect(await ada.quotas.update({ tags: 7 })).to.include({ tags: 7, version: before.version + 1 });
    expect(await ada.quotas.get()).to.include({ tags: 7 });
    expect(await ada.quotas.update({ tags: before.tags })).to.include({ tags: before.tags });
    await fails('invalid-input', ada.quotas.update({ tags: 0 }));
    await fails('forbidden', ben.quotas.update({ tags: 8 }));
    await fails('forbidden', ben.quotas.get());
    await fails('unauthenticated', nobody.quotas.get());
  }),
  behaviour('tokens are made, listed and revoked', async ({ people: { ada, ben, nobody } }) => {
    const { id: tokenId, token } = await ben.tokens.create({ name: 'laptop' });
    expect(token).to.match(/^esp_/);
    expect((await ben.tokens.list()).items.map(({ name }) => name)).to.include('laptop');
    await ben.tokens.revoke({ tokenId });
    await fails('not-found', ben.tokens.revoke({ tokenId }));
    await fails('invalid-input', ben.tokens.create({ name: '', expiresAt: 'soon' }));
    await fails('unauthenticated', nobody.tokens.list());
    const { id: userId } = await ben.me.get();
    await ada.tokens.createFor({ userId, name: 'help' });
    await fails('forbidden', ben.tokens.createFor({ userId, name: 'help' }));
    expect((await ada.audit.service({ limit: 1 })).items[0]).to.include({ action: 'token.create' });
    await fails('forbidden', ben.audit.service({}));
  }),
  behaviour('workspaces belong to their members', async ({ people: { ada, ben, nobody }, workspaceId }) => {
    expect((await ben.workspaces.list()).map(({ id }) => id)).to.include(workspaceId);
    expect(await ben.workspaces.get({ workspaceId })).to.include({ name: 'Acme', role: 20 });
    await ada.workspaces.update({ workspaceId, description: 'Supplies' });
    const other = await ada.workspaces.create({ name: 'Other' });
    await fails('alias-taken', ada.workspaces.create({ name: 'Other', alias: other.alias }));
    await fails('not-found', ben.workspaces.get({ workspaceId: other.id }));
    await fails('forbidden', ben.workspaces.update({ workspaceId, name: 'Mine' }));
    await fails('forbidden', ben.workspaces.delete({ workspaceId }));
    await fails('unauthenticated', nobody.workspaces.list());
    await ada.workspaces.delete({ workspaceId: other.id });
    await fails('not-found', ada.workspaces.get({ workspaceId: other.id }));
  }),
  behaviour('members are promoted, and the last owner stays', async ({ people, workspaceId, members }) => {
    const { ada, ben } = people;
    expect(await ada.members.update({ workspaceId, memberId: members.ben, position: 'Builder' })).to.include({
      position: 'Builder',
    });
    expect((await ben.members.list({ workspaceId })).map(({ name }) => name)).to.have.members(['Ada', 'Ben', 'Cleo']);
    await fails('last-owner', ada.members.remove({ workspaceId, memberId: members.ada }));
    await fails('forbidden', ben.members.update({ workspaceId, memberId: members.ben, role: 30 }));
    await ada.members.remove({ workspaceId, memberId: members.ben });
    await fails('not-found', ben.members.list({ workspaceId }));
    expect(await ada.members.list({ workspaceId, former: true })).to.have.length(3);
  }),
  behaviour('invitations are read by anyone who has the id, and used once', async ({ people, workspaceId }) => {
    const { ada, ben } = people;
    const { id: invitationId } = await ada.invitations.create({ workspaceId, role: 10 });
    expect(await ben.invitations.read({ invitationId })).to.include({ workspaceName: 'Acme' });
    await fails('already-member', ben.invitations.join({ invitationId }));
    await ada.invitations.revoke({ workspaceId, invitationId });
    await fails('invitation-unusable', ben.invitations.join({ invitationId }));
    await fails('not-found', ben.invitations.read({ invitationId: NOTHING }));
    expect(await ada.invitations.get({ workspaceId, invitationId })).to.include({ status: 'revoked' });
    expect((await ada.invitations.list({ workspaceId, limit: 2 })).items).to.have.length(2);
    await fails('forbidden', ben.invitations.create({ workspaceId }));
    await fails('forbidden', ben.invitations.list({ workspaceId }));
    await fails('not-found', ada.invitations.get({ workspaceId, invitationId: NOTHING }));
    await fails('not-found', ada.invitations.revoke({ workspaceId, invitationId: NOTHING }));
  }),
];
