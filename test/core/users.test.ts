import assert from 'node:assert/strict';
import { createEngine } from '../../core/engine.ts';
import { sessionOf } from '../../core/session.ts';
import { newTeam } from '../support/world-team.ts';
import { DAY, newWorld, outcome, personOf } from '../support/world.ts';

async function withAdministrator() {
  const world = newWorld();
  const root = await world.user('Root');
  await world.operator.users.update({ userId: root.userId, administrator: true });
  return { world, root, ada: await world.user('Ada') };
}

describe('users', () => {
  it('are managed by administrators and the operator', async () => {
    const { world, root, ada } = await withAdministrator();
    const fields = { name: ' New ', email: 'NEW@example.org' };
    for (const [who, expected] of [
      [ada, 'forbidden'],
      [root, 'ok'],
      [world.operator, 'ok'],
    ] as const) {
      const userId = ada.userId;
      const email = `${expected}-${who === root}@example.org`;
      assert.equal(await outcome(who.users.create({ ...fields, email })), expected);
      assert.equal(await outcome(who.users.list({})), expected);
      assert.equal(await outcome(who.users.get({ userId })), expected);
      assert.equal(await outcome(who.users.update({ userId, phone: String(who === root) })), expected);
      assert.equal(await outcome(who.tokens.createFor({ userId, name: 'ci' })), expected);
    }
    const user = await root.users.create(fields);
    assert.deepEqual(
      [user.name, user.email, user.emailVerified, user.disabled],
      ['New', 'new@example.org', true, false],
    );
  });

  it('do not change the own address, which would count as verified', async () => {
    const { world, root, ada } = await withAdministrator();
    const { userId } = root;
    assert.equal(await outcome(root.users.update({ userId, email: 'ceo@example.org' })), 'own-email');
    assert.equal(await outcome(root.users.update({ userId, email: 'ROOT@example.org', phone: '1' })), 'ok');
    await world.operator.users.update({ userId: ada.userId, administrator: true });
    assert.equal(await outcome(ada.users.update({ userId, email: 'ceo@example.org' })), 'ok');
    assert.equal(await outcome(world.operator.users.update({ userId, email: 'root@example.org' })), 'ok');
  });

  it('are not impersonated where that is switched off; the operator still makes their tokens', async () => {
    const { world, root, ada } = await withAdministrator();
    const engine = createEngine({ ...world.ports, impersonation: false });
    const [admin, operator] = [personOf(engine, root.userId, ''), sessionOf(engine, { kind: 'operator' })];
    const forAda = { userId: ada.userId, name: 'help' };
    assert.equal(await outcome(admin.tokens.createFor(forAda)), 'impersonation-off');
    assert.equal(await outcome(admin.tokens.createFor({ ...forAda, userId: root.userId })), 'ok');
    assert.equal(await outcome(operator.tokens.createFor(forAda)), 'ok');
    assert.equal(await outcome(root.tokens.createFor(forAda)), 'ok');
    assert.equal(await outcome(personOf(engine, ada.userId, '').tokens.createFor(forAda)), 'forbidden');
  });

  it('have an address of their own', async () => {
    const { root, ada } = await withAdministrator();
    assert.equal(await outcome(root.users.create({ name: 'X', email: 'ADA@example.org' })), 'email-taken');
    assert.equal(await outcome(root.users.update({ userId: ada.userId, email: 'Root@example.org' })), 'email-taken');
    assert.equal(await outcome(root.users.update({ userId: ada.userId, email: 'ADA@example.org' })), 'ok');
    assert.equal(
      (await root.users.update({ userId: ada.userId, email: 'Countess@example.org' })).email,
      'countess@example.org',
    );
    assert.equal(await outcome(root.users.create({ name: 'X', email: 'ada@example.org' })), 'ok');
  });

  it('change their own profile and nothing else', async () => {
    const { ada } = await withAdministrator();
    const me = await ada.me.update({ name: ' Lovelace ', avatar: 'a.png', phone: '1' });
    assert.deepEqual([me.name, me.avatar, me.phone, me.version], ['Lovelace', 'a.png', '1', 2]);
    assert.deepEqual((await ada.me.update({ avatar: null })).avatar, null);
    for (const wrong of [
      { email: 'x@example.org' },
      { administrator: true },
      { disabled: true },
      { emailVerified: false },
    ]) {
      assert.equal(await outcome(ada.me.update(wrong as object)), 'invalid-input');
    }
  });

  it('keep one administrator', async () => {
    const { world, root } = await withAdministrator();
    const userId = root.userId;
    assert.equal(await outcome(root.users.update({ userId, administrator: false })), 'last-administrator');
    assert.equal(await outcome(root.users.update({ userId, disabled: true })), 'last-administrator');
    const second = await world.user('Second');
    await root.users.update({ userId: second.userId, administrator: true });
    const results = await Promise.all([
      outcome(world.operator.users.update({ userId, administrator: false })),
      outcome(world.operator.users.update({ userId: second.userId, disabled: true })),
    ]);
    assert.deepEqual(results.toSorted(), ['last-administrator', 'ok']);
  });

  it('an administrator may disable themselves when another is there', async () => {
    const { world, root, ada } = await withAdministrator();
    await root.users.update({ userId: ada.userId, administrator: true });
    assert.equal((await root.users.update({ userId: root.userId, disabled: true })).disabled, true);
    assert.equal(await outcome(root.me.get()), 'unauthenticated');
    assert.equal((await world.operator.users.get({ userId: root.userId })).disabled, true);
  });

  it('who are administrators have no power in workspaces', async () => {
    const team = await newTeam();
    await team.world.operator.users.update({ userId: team.outsider.userId, administrator: true });
    assert.equal(await outcome(team.outsider.workspaces.get(team.at)), 'not-found');
    assert.deepEqual(await team.outsider.workspaces.list(), []);
  });

  it('who are disabled keep their membership, at 0, until they are enabled', async () => {
    const team = await newTeam();
    const page = await team.page('Page');
    await team.grant(page, team.member, 400);
    const disable = (disabled: boolean) => team.world.operator.users.update({ userId: team.member.userId, disabled });
    await disable(true);
    assert.deepEqual(
      (await team.owner.access.members({ ...team.at, pageId: page })).find(
        ({ memberId }) => memberId === team.member.memberId,
      ),
      { memberId: team.member.memberId, role: 20, access: 0, type: 'accepted' },
    );
    await disable(false);
    assert.equal(await team.access(team.member, page), 400);
  });

  it('are listed in parts', async () => {
    const { world, root } = await withAdministrator();
    for (let n = 0; n < 5; n += 1) await world.user(`U${n}`);
    const whole = await root.users.list({ limit: 500 });
    const first = await root.users.list({ limit: 4 });
    const rest = await root.users.list({ limit: 4, cursor: first.next! });
    assert.deepEqual([...first.items, ...rest.items], whole.items);
    assert.deepEqual([whole.next, rest.next], [null, null]);
  });
});

describe('tokens', () => {
  it('act for their user until they expire or are revoked', async () => {
    const { world, ada } = await withAdministrator();
    const token = await ada.tokens.create({ name: 'ci', expiresAt: world.time(DAY) });
    const hash = `hash of ${token.token}`;
    const bearer = world.as({ caller: { kind: 'token', hash } });
    assert.equal((await bearer.me.get()).id, ada.userId);
    assert.equal((await ada.tokens.list({})).items[0]?.lastUsedAt, world.time());
    world.pass(DAY);
    assert.equal(await outcome(bearer.me.get()), 'unauthenticated');
    const other = await ada.tokens.create({ name: 'laptop' });
    const second = world.as({ caller: { kind: 'token', hash: `hash of ${other.token}` } });
    assert.equal(await outcome(second.me.get()), 'ok');
    await ada.tokens.revoke({ tokenId: other.id });
    assert.equal(await outcome(second.me.get()), 'unauthenticated');
  });

  it('can revoke themselves', async () => {
    const { world, ada } = await withAdministrator();
    const token = await ada.tokens.create({ name: 'ci' });
    const bearer = world.as({ caller: { kind: 'token', hash: `hash of ${token.token}` } });
    assert.equal(await outcome(bearer.tokens.revoke({ tokenId: token.id })), 'ok');
    assert.equal(await outcome(bearer.me.get()), 'unauthenticated');
  });

  it('show their secret once, and never the hash', async () => {
    const { ada } = await withAdministrator();
    const made = await ada.tokens.create({ name: ' ci ' });
    assert.ok(made.token.length > 0);
    assert.equal(made.name, 'ci');
    const listed = JSON.stringify(await ada.tokens.list({}));
    assert.ok(!listed.includes(made.token));
    assert.ok(!JSON.stringify(made).includes('hash'));
    assert.ok(!listed.includes('hash'));
  });

  it('expire in the future', async () => {
    const { world, ada } = await withAdministrator();
    assert.equal(await outcome(ada.tokens.create({ name: 'x', expiresAt: world.time() })), 'invalid-input');
    assert.equal(await outcome(ada.tokens.create({ name: 'x', expiresAt: world.time(1) })), 'ok');
  });

  it('to act as another stand in the list of that user, who can revoke them', async () => {
    const { root, ada } = await withAdministrator();
    const token = await root.tokens.createFor({ userId: ada.userId, name: 'support' });
    const [listed] = (await ada.tokens.list({})).items;
    assert.deepEqual([listed?.id, listed?.createdById], [token.id, root.userId]);
    assert.deepEqual((await root.tokens.list({})).items, []);
    assert.equal(await outcome(root.tokens.revoke({ tokenId: token.id })), 'not-found');
    assert.equal(await outcome(ada.tokens.revoke({ tokenId: token.id })), 'ok');
    assert.equal(await outcome(root.tokens.createFor({ userId: token.id, name: 'x' })), 'not-found');
  });

  it('of a disabled user are worth nothing', async () => {
    const { world, ada } = await withAdministrator();
    const token = await ada.tokens.create({ name: 'ci' });
    const bearer = world.as({ caller: { kind: 'token', hash: `hash of ${token.token}` } });
    await world.operator.users.update({ userId: ada.userId, disabled: true });
    assert.equal(await outcome(bearer.me.get()), 'unauthenticated');
  });
});
