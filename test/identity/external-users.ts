import assert from 'node:assert/strict';
import type { ExternalCaller, IdempotencyKey } from '../../core/ports/context.ts';
import type { Session } from '../../core/session.ts';
import type { Store } from '../../core/ports/store.ts';
import { newWorld, outcome, type Person, type World } from '../support/world.ts';

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
    return world.as({ caller: { kind: 'external', ...told }, ...(once && { once }) });
  };
  const mailed = (subject: string, links = false, once?: IdempotencyKey) =>
    external(subject, { verifiedEmail: `${subject.toUpperCase()}@example.org`, links }, once);
  const users = async () => (await world.operator.users.list({ limit: 100 })).items;
  const audit = () => world.store.read((tx) => tx.audit.list(null, null, 100));
  const invite = async (email: string) => (await ada.invitations.create({ workspaceId, email })).id;

  it('are made by their first call, be it a read or a write, and are the same from then on', async () => {
    const bob = mailed('bob');
    const me = await bob.me.get();
    const { name, email, emailVerified, administrator, version } = me;
    assert.deepEqual([name, email, emailVerified, administrator, version], ['bob', 'bob@example.org', true, false, 1]);
    const eve = mailed('eve');
    const own = await eve.workspaces.create({ name: 'Own' });
    assert.equal((await eve.members.list({ workspaceId: own.id }))[0]?.email, 'eve@example.org');
    assert.deepEqual(await bob.me.get(), me);
    assert.equal((await users()).length, 3);
  });

  it('are one user when they call for the first time many times at once', async () => {
    const calls = Array.from({ length: 12 }, (_, i) =>
      i % 2 === 0 ? mailed('bob').me.get() : mailed('bob').me.update({ phone: String(i) }),
    );
    const ids = (await Promise.all(calls)).map(({ id }) => id);
    assert.equal(new Set(ids).size, 1);
    assert.equal((await users()).length, 2);
    const others = await Promise.all(Array.from({ length: 8 }, () => external('gus').me.get()));
    assert.equal(new Set(others.map(({ id }) => id)).size, 1);
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
    assert.equal(new Set(ids).size, 4);
  });

  it('are written down as made by themselves', async () => {
    const { id } = await mailed('bob').me.get();
    const own = (await audit()).filter(({ userId }) => userId === id).map(({ action, after }) => [action, after]);
    assert.deepEqual(Object.fromEntries(own), {
      'identity.create': { userId: id, issuer: ISSUER, subject: 'bob' },
      'user.create': { email: 'bob@example.org', emailVerified: true, administrator: false, disabled: false },
    });
  });

  it('leave an unverified address to whoever has it, and take their own once it is verified', async () => {
    const { id, email, emailVerified } = await external('bob').me.get();
    assert.deepEqual([email, emailVerified], [`${id}@unverified.invalid`, false]);
    assert.equal((await mailed('bob').me.get()).email, 'bob@example.org');
    assert.deepEqual(
      (await users()).map((user) => user.email),
      ['ada@example.org', 'bob@example.org'],
    );
    const gus = await external('gus').me.get();
    const taken = external('gus', { verifiedEmail: 'ada@example.org', links: true });
    assert.deepEqual(await taken.me.get(), gus);
  });

  it('keep name and address when the issuer tells others later', async () => {
    const before = await mailed('bob').me.get();
    const later = external('bob', { name: 'Robert', verifiedEmail: 'robert@example.org', links: true });
    assert.deepEqual(await later.me.get(), before);
    assert.equal(
      await outcome(later.invitations.read({ invitationId: await invite('robert@example.org') })),
      'not-found',
    );
  });

  it('are a user who is there already only where the issuer is trusted with it', async () => {
    const before = [await users(), await audit()];
    for (const call of [(one: Session) => one.me.get(), (one: Session) => one.workspaces.create({ name: 'X' })]) {
      assert.equal(await outcome(call(mailed('ada'))), 'unauthenticated');
    }
    assert.deepEqual([await users(), await audit()], before);
    assert.notEqual((await external('ada', { links: true }).me.get()).id, ada.userId);
    const linked = external('ada@work', { verifiedEmail: 'Ada@Example.org', links: true });
    assert.deepEqual(await linked.me.get(), await ada.me.get());
    assert.equal((await linked.workspaces.list()).length, 1);
    const unlinked = external('ada@work', { verifiedEmail: 'Ada@Example.org' });
    assert.equal((await unlinked.me.get()).id, ada.userId);
  });

  it('are not linked to a user whose address was never verified here', async () => {
    const { id: _, ...imported } = await ada.me.get();
    const stranger = { ...imported, id: world.ports.ids.next(), email: 'gus@example.org', emailVerified: false };
    await world.store.write((tx) => tx.users.insert(stranger));
    assert.equal(await outcome(mailed('gus', true).me.get()), 'unauthenticated');
  });

  it('are not linked to a user whom the issuer knows as somebody else', async () => {
    const before = await mailed('bob', true).me.get();
    const next = external('another', { verifiedEmail: 'bob@example.org', links: true });
    assert.equal(await outcome(next.me.get()), 'unauthenticated');
    const elsewhere = external('another', {
      issuer: 'https://other.example.org',
      verifiedEmail: 'bob@example.org',
      links: true,
    });
    assert.equal((await elsewhere.me.get()).id, before.id);
  });

  it('link once, when two people of one issuer come with one address at the same time', async () => {
    const both = ['one', 'two'].map((subject) => external(subject, { verifiedEmail: 'ada@example.org', links: true }));
    const outcomes = await Promise.all(both.map((one) => outcome(one.me.get())));
    assert.deepEqual(outcomes.toSorted(), ['ok', 'unauthenticated']);
  });

  it('are refused from the moment they are disabled, and not linked to who is', async () => {
    const bob = mailed('bob');
    const { id: userId } = await bob.me.get();
    await world.operator.users.update({ userId, disabled: true });
    assert.equal(await outcome(bob.me.get()), 'unauthenticated');
    assert.equal(await outcome(bob.workspaces.create({ name: 'X' })), 'unauthenticated');
    const linking = external('bob', { issuer: 'https://other', verifiedEmail: 'bob@example.org', links: true });
    assert.equal(await outcome(linking.me.get()), 'unauthenticated');
    assert.equal((await world.store.read((tx) => tx.identities.ofUser(userId))).length, 1);
    await world.operator.users.update({ userId, disabled: false });
    assert.equal(await outcome(bob.me.get()), 'ok');
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
      assert.equal(await outcome(who.invitations.read({ invitationId })), expected);
      assert.equal(await outcome(who.invitations.join({ invitationId })), expected);
    }
    assert.equal((await ada.members.list({ workspaceId })).length, 2);
    const open = (await ada.invitations.create({ workspaceId })).id;
    assert.equal(await outcome(external('gus').invitations.join({ invitationId: open })), 'ok');
  });

  it('can join with their very first call, which happens once', async () => {
    const invitationId = await invite('bob@example.org');
    const once = { key: 'k', digest: 'd' };
    const join = () => mailed('bob', false, once).invitations.join({ invitationId });
    assert.deepEqual(await join(), await join());
    assert.equal((await ada.members.list({ workspaceId })).length, 2);
  });

  it('make tokens of their own, and are never administrators by what the issuer says', async () => {
    const claims = { administrator: true, admin: true, role: 40, roles: ['administrator'] } as Partial<ExternalCaller>;
    const bob = external('bob', claims);
    assert.equal((await bob.me.get()).administrator, false);
    assert.equal(await outcome(bob.users.list({})), 'forbidden');
    const { token } = await bob.tokens.create({ name: 'ci' });
    const bearer = world.as({ caller: { kind: 'token', hash: `hash of ${token}` } });
    assert.equal((await bearer.me.get()).id, (await bob.me.get()).id);
    assert.equal((await bob.tokens.list({})).items.length, 1);
  });

  it('are not told by an export', async () => {
    const bob = mailed('bob');
    await bob.invitations.join({ invitationId: await invite('bob@example.org') });
    const lines: string[] = [];
    await world.operator.exports.workspace({ workspaceId, sink: (record) => void lines.push(JSON.stringify(record)) });
    assert.ok(lines.some((line) => line.includes('bob@example.org')));
    assert.ok(!lines.some((line) => line.includes(ISSUER)));
  });
}
