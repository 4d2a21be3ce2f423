import { assert, expect } from 'chai';
import type { ExternalCaller, IdempotencyKey } from '../../../core/ports/context.ts';
import type { SnapshotItem } from '../../../core/changes/snapshot/item.ts';
import type { Session } from '../../../core/session.ts';
import type { Store } from '../../../core/ports/store.ts';
import { newWorld, outcome, type Person, type World } from '../../fixtures/world/world.ts';

const ISSUER = 'https://issuer.example.org';

/** What must hold of users for whom an issuer vouches, on any store. */
export function externalUsers(open: () => Promise<Store>): void {
  let world: World;
  let ada: Person;
  let workspaceId: string;

  beforeEach(async () => {
    world = newWorld(await open());
    ada = await world.user('Ada');
    workspaceId = (await ada.workspaces.create({ name: 'Acme' })).id;
  });
  afterEach(() => world.store.close());

  const external = (subject: string, given: Partial<ExternalCaller> = {}, once?: IdempotencyKey): Session => {
    const told = { issuer: ISSUER, subject, name: subject, verifiedEmail: null, links: false, ...given };
    return world.as({ caller: { kind: 'external', ...told }, ...(once && { idempotencyKey: once }) });
  };
  const mailed = (subject: string, links = false, once?: IdempotencyKey) =>
    external(subject, { verifiedEmail: `${subject.toUpperCase()}@example.org`, links }, once);
  const users = async () => (await world.operator.users.list({ limit: 100 })).items;
  const audit = () =>
    world.store.read((tx) => tx.audit.list('ofWorkspace', { workspaceId: null }, { limit: 100, descending: true }));
  const at = () => ({ workspaceId });
  const invite = async (email: string) => (await ada.invitations.create({ workspaceId, email })).id;

  it('are made by their first call, be it a read or a write, and are the same from then on', async () => {
    const bob = mailed('bob');
    const me = await bob.me.get();
    const { name, email, emailVerified, administrator, version } = me;
    expect([name, email, emailVerified, administrator, version]).to.deep.equal([
      'bob',
      'bob@example.org',
      true,
      false,
      1,
    ]);
    const eve = mailed('eve');
    const own = await eve.workspaces.create({ name: 'Own' });
    expect((await eve.members.list({ workspaceId: own.id }))[0]?.email).to.equal('eve@example.org');
    expect(await bob.me.get()).to.deep.equal(me);
    expect((await users()).length).to.equal(3);
  });

  it('are one user when they call for the first time many times at once', async () => {
    const calls = Array.from({ length: 12 }, (_, i) =>
      i % 2 === 0 ? mailed('bob').me.get() : mailed('bob').me.update({ phone: String(i) }),
    );
    const ids = (await Promise.all(calls)).map(({ id }) => id);
    expect(new Set(ids).size).to.equal(1);
    expect((await users()).length).to.equal(2);
    const others = await Promise.all(Array.from({ length: 8 }, () => external('gus').me.get()));
    expect(new Set(others.map(({ id }) => id)).size).to.equal(1);
  });

  it('are told apart by issuer and subject, not by what they are called', async () => {
    const ids = await Promise.all(
      [
        external('bob'),
        external('Bob'),
        external('bob', { issuer: `${ISSUER}/` }),
        external('bob', { issuer: 'https://other.example.org', name: 'bob' }),
      ].map(async (one) => (await one.me.get()).id),
    );
    expect(new Set(ids).size).to.equal(4);
  });

  it('are written down as made by themselves', async () => {
    const { id } = await mailed('bob').me.get();
    const own = (await audit()).filter(({ userId }) => userId === id).map(({ action, after }) => [action, after]);
    expect(Object.fromEntries(own)).to.deep.equal({
      'identity.create': { userId: id, issuer: ISSUER, subject: 'bob' },
      'user.create': { email: 'bob@example.org', emailVerified: true, administrator: false, disabled: false },
    });
  });

  it('leave an unverified address to the user who has it, and take their own once it is verified', async () => {
    const { id, email, emailVerified } = await external('bob').me.get();
    expect([email, emailVerified]).to.deep.equal([`${id}@unverified.invalid`, false]);
    expect((await mailed('bob').me.get()).email).to.equal('bob@example.org');
    expect((await users()).map((user) => user.email)).to.deep.equal(['ada@example.org', 'bob@example.org']);
    const gus = await external('gus').me.get();
    const taken = external('gus', { verifiedEmail: 'ada@example.org', links: true });
    expect(await taken.me.get()).to.deep.equal(gus);
  });

  it('are changed in their workspaces where they take an address', async () => {
    const { id } = await external('gus').invitations.join({ invitationId: (await ada.invitations.create(at())).id });
    let since = '';
    const caller = { kind: 'user', userId: ada.userId } as const;
    await world.as({ caller, onCursor: (cursor) => void (since = cursor) }).workspaces.get(at());
    await mailed('gus').me.get();
    await world.purge();
    const { items } = await ada.changes.list({ ...at(), since });
    const told = items.map((event) => [event.type, event.id, event.fields, event.byId]);
    expect(told).to.deep.equal([['member.update', id, ['email'], id]]);
  });

  it('go on with a long read while their address comes free', async () => {
    const told = { issuer: ISSUER, subject: 'gus', name: 'gus', links: false };
    const caller: ExternalCaller = { kind: 'external', ...told, verifiedEmail: 'ada@example.org' };
    await external('gus').invitations.join({ invitationId: (await ada.invitations.create(at())).id });
    const setFree = () => world.operator.users.update({ userId: ada.userId, email: 'ada@other.example.org' });
    const stream = await world.engine.changes.watch({ caller }, at());
    const kinds: string[] = [];
    const sink = async ({ kind }: SnapshotItem) => {
      if (kinds.push(kind) !== 2) return;
      await setFree();
      // So that access is looked at again.
      world.pass(1_000);
    };
    await world.engine.changes.snapshot({ caller }, { ...at(), sink });
    expect(kinds.filter((kind) => kind === 'head').length).to.equal(1);
    await ada.workspaces.update({ ...at(), description: 'New' });
    expect((await stream.next())?.items.map(({ type }) => type)).to.deep.equal(['workspace.update']);
    stream.close();
  });

  it('keep name and address when the issuer tells others later', async () => {
    const before = await mailed('bob').me.get();
    const later = external('bob', { name: 'Robert', verifiedEmail: 'robert@example.org', links: true });
    expect(await later.me.get()).to.deep.equal(before);
    expect(await outcome(later.invitations.read({ invitationId: await invite('robert@example.org') }))).to.equal(
      'not-found',
    );
  });

  it('are a user who is there already only where the issuer is trusted with it', async () => {
    const before = [await users(), await audit()];
    for (const call of [(one: Session) => one.me.get(), (one: Session) => one.workspaces.create({ name: 'X' })]) {
      expect(await outcome(call(mailed('ada')))).to.equal('unauthenticated');
    }
    expect([await users(), await audit()]).to.deep.equal(before);
    expect((await external('ada', { links: true }).me.get()).id).to.not.equal(ada.userId);
    const linked = external('ada@work', { verifiedEmail: 'Ada@Example.org', links: true });
    expect(await linked.me.get()).to.deep.equal(await ada.me.get());
    expect((await linked.workspaces.list()).length).to.equal(1);
    const unlinked = external('ada@work', { verifiedEmail: 'Ada@Example.org' });
    expect((await unlinked.me.get()).id).to.equal(ada.userId);
  });

  it('are not linked to a user whose address was never verified here', async () => {
    const { id: _, ...imported } = await ada.me.get();
    const stranger = { ...imported, id: world.ports.ids.next(), email: 'gus@example.org', emailVerified: false };
    await world.store.write((tx) => tx.users.insert(stranger));
    expect(await outcome(mailed('gus', true).me.get())).to.equal('unauthenticated');
  });

  it('are not linked to a user whom the issuer knows as somebody else', async () => {
    const before = await mailed('bob', true).me.get();
    const next = external('another', { verifiedEmail: 'bob@example.org', links: true });
    expect(await outcome(next.me.get())).to.equal('unauthenticated');
    const elsewhere = external('another', {
      issuer: 'https://other.example.org',
      verifiedEmail: 'bob@example.org',
      links: true,
    });
    expect((await elsewhere.me.get()).id).to.equal(before.id);
  });

  it('link once, when two people of one issuer come with one address at the same time', async () => {
    const both = ['one', 'two'].map((subject) => external(subject, { verifiedEmail: 'ada@example.org', links: true }));
    const outcomes = await Promise.all(both.map((one) => outcome(one.me.get())));
    expect(outcomes.toSorted()).to.deep.equal(['ok', 'unauthenticated']);
  });

  it('are refused from the moment they are disabled, and not linked to who is', async () => {
    const bob = mailed('bob');
    const { id: userId } = await bob.me.get();
    await world.operator.users.update({ userId, disabled: true });
    expect(await outcome(bob.me.get())).to.equal('unauthenticated');
    expect(await outcome(bob.workspaces.create({ name: 'X' }))).to.equal('unauthenticated');
    const linking = external('bob', { issuer: 'https://other', verifiedEmail: 'bob@example.org', links: true });
    expect(await outcome(linking.me.get())).to.equal('unauthenticated');
    expect(
      (await world.store.read((tx) => tx.identities.list('ofUser', { userId }, { limit: 1_000 }))).length,
    ).to.equal(1);
    await world.operator.users.update({ userId, disabled: false });
    expect(await outcome(bob.me.get())).to.equal('ok');
  });

  it('take no address once they are disabled', async () => {
    const { id: userId } = await external('gus').me.get();
    await world.operator.users.update({ userId, disabled: true });
    const before = [await users(), await audit()];
    expect(await outcome(mailed('gus').me.get())).to.equal('unauthenticated');
    expect([await users(), await audit()]).to.deep.equal(before);
    await world.operator.users.update({ userId, disabled: false });
    expect((await mailed('gus').me.get()).email).to.equal('gus@example.org');
  });

  it('need a verified address to read and take up an invitation that is addressed', async () => {
    const invitationId = await invite('Bob@example.org');
    const table = [
      [external('bob'), 'not-found'],
      [external('bob', { name: 'bob@example.org' }), 'not-found'],
      [external('robert', { verifiedEmail: 'robert@example.org' }), 'not-found'],
      [mailed('bob'), 'ok'],
    ] as const;
    for (const [who, expected] of table) {
      expect(await outcome(who.invitations.read({ invitationId }))).to.equal(expected);
      expect(await outcome(who.invitations.join({ invitationId }))).to.equal(expected);
    }
    expect((await ada.members.list({ workspaceId })).length).to.equal(2);
    const open = (await ada.invitations.create({ workspaceId })).id;
    expect(await outcome(external('gus').invitations.join({ invitationId: open }))).to.equal('ok');
  });

  it('can join with their very first call, which happens once', async () => {
    const invitationId = await invite('bob@example.org');
    const once = { key: 'k', digest: 'd' };
    const join = () => mailed('bob', false, once).invitations.join({ invitationId });
    expect(await join()).to.deep.equal(await join());
    expect((await ada.members.list({ workspaceId })).length).to.equal(2);
  });

  it('make tokens of their own, and are never administrators by what the issuer says', async () => {
    const claims = { administrator: true, admin: true, role: 40, roles: ['administrator'] } as Partial<ExternalCaller>;
    const bob = external('bob', claims);
    expect((await bob.me.get()).administrator).to.equal(false);
    expect(await outcome(bob.users.list({}))).to.equal('forbidden');
    const { token } = await bob.tokens.create({ name: 'ci' });
    const bearer = world.as({ caller: { kind: 'token', hash: `hash of ${token}` } });
    expect((await bearer.me.get()).id).to.equal((await bob.me.get()).id);
    expect((await bob.tokens.list({})).items.length).to.equal(1);
  });

  it('are not told by an export', async () => {
    const bob = mailed('bob');
    await bob.invitations.join({ invitationId: await invite('bob@example.org') });
    const lines: string[] = [];
    await world.operator.exports.workspace({ workspaceId, sink: (record) => void lines.push(JSON.stringify(record)) });
    assert(lines.some((line) => line.includes('bob@example.org')));
    assert(!lines.some((line) => line.includes(ISSUER)));
  });
}
