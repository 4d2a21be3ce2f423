import { assert, expect } from 'chai';
import { createEngine } from '../../../../core/engine.ts';
import { JobRunner } from '../../../../core/jobs/runner.ts';
import { sessionOf } from '../../../../core/session.ts';
import { finishJobs } from '../../../fixtures/jobs.ts';
import { newTeam } from '../../../fixtures/world/team.ts';
import { DAY, newWorld, outcome, personOf } from '../../../fixtures/world/world.ts';

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
      expect(await outcome(who.users.create({ ...fields, email }))).to.equal(expected);
      expect(await outcome(who.users.list({}))).to.equal(expected);
      expect(await outcome(who.users.get({ userId }))).to.equal(expected);
      expect(await outcome(who.users.update({ userId, phone: String(who === root) }))).to.equal(expected);
      expect(await outcome(who.tokens.createFor({ userId, name: 'ci' }))).to.equal(expected);
    }
    const user = await root.users.create(fields);
    expect([user.name, user.email, user.emailVerified, user.disabled]).to.deep.equal([
      'New',
      'new@example.org',
      true,
      false,
    ]);
  });

  it('leave one job however often they change their profile, and every workspace hears of all of it', async () => {
    const world = newWorld();
    const ada = await world.user('Ada');
    const ids: string[] = [];
    for (let n = 0; n < 10; n += 1) ids.push((await ada.workspaces.create({ name: `W${n}` })).id);
    const jobs = () => world.store.read((tx) => tx.jobs.list('all', {}, { limit: 99 }));
    for (let n = 0; n < 20; n += 1) await ada.me.update({ name: `Ada ${n}` });
    expect(await jobs()).to.have.length(1);
    // The first eight workspaces are told, and then there is more to tell.
    await new JobRunner(world.ports).step();
    for (let n = 0; n < 20; n += 1) await ada.me.update({ phone: String(n) });
    expect(await jobs()).to.have.length(1);
    world.pass(6_000);
    expect(await finishJobs(world.ports)).to.be.at.most(4);
    expect(await jobs()).to.deep.equal([]);
    for (const workspaceId of ids) {
      const logged = await world.store.read((tx) => tx.changeLog.list(workspaceId, 0, 99));
      const told = logged.filter(({ kind, action }) => kind === 'member' && action === 'update');
      expect(told).to.have.length(2);
      expect(new Set(told.flatMap(({ fields }) => fields))).to.deep.equal(new Set(['name', 'phone']));
      expect(told.at(-1)!.fields).to.include('phone');
    }
  });

  it('are found by their address, by those who may list them', async () => {
    const { root, ada } = await withAdministrator();
    const user = await root.users.create({ name: 'New', email: 'new@example.org' });
    expect(await root.users.list({ email: 'NEW@example.org' })).to.deep.equal({ items: [user], next: null });
    expect(await root.users.list({ email: 'nobody@example.org' })).to.deep.equal({ items: [], next: null });
    expect(await outcome(ada.users.list({ email: 'new@example.org' }))).to.equal('forbidden');
  });

  it('do not change the own address, which would count as verified', async () => {
    const { world, root, ada } = await withAdministrator();
    const { userId } = root;
    expect(await outcome(root.users.update({ userId, email: 'ceo@example.org' }))).to.equal('own-email');
    expect(await outcome(root.users.update({ userId, email: 'ROOT@example.org', phone: '1' }))).to.equal('ok');
    await world.operator.users.update({ userId: ada.userId, administrator: true });
    expect(await outcome(ada.users.update({ userId, email: 'ceo@example.org' }))).to.equal('ok');
    expect(await outcome(world.operator.users.update({ userId, email: 'root@example.org' }))).to.equal('ok');
    // As an import leaves it.
    const unverified = { ...(await root.me.get()), emailVerified: false };
    await world.store.write((tx) => tx.users.replace({ ...unverified, version: unverified.version + 1 }));
    expect(await outcome(root.users.update({ userId, email: 'ROOT@example.org' }))).to.equal('own-email');
    expect(await outcome(root.users.update({ userId, email: 'root@example.org' }))).to.equal('ok');
    expect((await root.me.get()).emailVerified).to.equal(false);
    expect(await outcome(ada.users.update({ userId, email: 'ROOT@example.org' }))).to.equal('ok');
    expect((await root.me.get()).emailVerified).to.equal(true);
  });

  it('are not impersonated where that is switched off; the operator still makes their tokens', async () => {
    const { world, root, ada } = await withAdministrator();
    const engine = createEngine({ ...world.ports, impersonation: false });
    const [admin, operator] = [personOf(engine, root.userId, ''), sessionOf(engine, { kind: 'operator' })];
    const forAda = { userId: ada.userId, name: 'help' };
    expect(await outcome(admin.tokens.createFor(forAda))).to.equal('impersonation-off');
    expect(await outcome(admin.tokens.createFor({ ...forAda, userId: root.userId }))).to.equal('ok');
    expect(await outcome(operator.tokens.createFor(forAda))).to.equal('ok');
    expect(await outcome(root.tokens.createFor(forAda))).to.equal('ok');
    expect(await outcome(personOf(engine, ada.userId, '').tokens.createFor(forAda))).to.equal('forbidden');
  });

  it('have an address of their own', async () => {
    const { root, ada } = await withAdministrator();
    expect(await outcome(root.users.create({ name: 'X', email: 'ADA@example.org' }))).to.equal('email-taken');
    expect(await outcome(root.users.update({ userId: ada.userId, email: 'Root@example.org' }))).to.equal('email-taken');
    expect(await outcome(root.users.update({ userId: ada.userId, email: 'ADA@example.org' }))).to.equal('ok');
    expect((await root.users.update({ userId: ada.userId, email: 'Countess@example.org' })).email).to.equal(
      'countess@example.org',
    );
    expect(await outcome(root.users.create({ name: 'X', email: 'ada@example.org' }))).to.equal('ok');
  });

  it('change their own profile and nothing else', async () => {
    const { ada } = await withAdministrator();
    const me = await ada.me.update({ name: ' Lovelace ', avatar: 'a.png', phone: '1' });
    expect([me.name, me.avatar, me.phone, me.version]).to.deep.equal(['Lovelace', 'a.png', '1', 2]);
    expect((await ada.me.update({ avatar: null })).avatar).to.deep.equal(null);
    for (const wrong of [
      { email: 'x@example.org' },
      { administrator: true },
      { disabled: true },
      { emailVerified: false },
    ]) {
      expect(await outcome(ada.me.update(wrong as object))).to.equal('invalid-input');
    }
  });

  it('keep one administrator', async () => {
    const { world, root } = await withAdministrator();
    const userId = root.userId;
    expect(await outcome(root.users.update({ userId, administrator: false }))).to.equal('last-administrator');
    expect(await outcome(root.users.update({ userId, disabled: true }))).to.equal('last-administrator');
    const second = await world.user('Second');
    await root.users.update({ userId: second.userId, administrator: true });
    const results = await Promise.all([
      outcome(world.operator.users.update({ userId, administrator: false })),
      outcome(world.operator.users.update({ userId: second.userId, disabled: true })),
    ]);
    expect(results.toSorted()).to.deep.equal(['last-administrator', 'ok']);
  });

  it('an administrator may disable themselves when another is there', async () => {
    const { world, root, ada } = await withAdministrator();
    await root.users.update({ userId: ada.userId, administrator: true });
    expect((await root.users.update({ userId: root.userId, disabled: true })).disabled).to.equal(true);
    expect(await outcome(root.me.get())).to.equal('unauthenticated');
    expect((await world.operator.users.get({ userId: root.userId })).disabled).to.equal(true);
  });

  it('who are administrators have no power in workspaces', async () => {
    const team = await newTeam();
    await team.world.operator.users.update({ userId: team.outsider.userId, administrator: true });
    expect(await outcome(team.outsider.workspaces.get(team.at))).to.equal('not-found');
    expect(await team.outsider.workspaces.list()).to.deep.equal([]);
  });

  it('who are disabled keep their membership, at 0, until they are enabled', async () => {
    const team = await newTeam();
    const page = await team.page('Page');
    await team.grant(page, team.member, 400);
    const disable = (disabled: boolean) => team.world.operator.users.update({ userId: team.member.userId, disabled });
    await disable(true);
    expect(
      (await team.owner.access.members({ ...team.at, pageId: page })).find(
        ({ memberId }) => memberId === team.member.memberId,
      ),
    ).to.deep.equal({ memberId: team.member.memberId, role: 20, access: 0, type: 'accepted' });
    await disable(false);
    expect(await team.access(team.member, page)).to.equal(400);
  });

  it('are listed in parts', async () => {
    const { world, root } = await withAdministrator();
    for (let n = 0; n < 5; n += 1) await world.user(`U${n}`);
    const whole = await root.users.list({ limit: 500 });
    const first = await root.users.list({ limit: 4 });
    const rest = await root.users.list({ limit: 4, cursor: first.next! });
    expect([...first.items, ...rest.items]).to.deep.equal(whole.items);
    expect([whole.next, rest.next]).to.deep.equal([null, null]);
  });
});

describe('tokens', () => {
  it('act for their user until they expire or are revoked', async () => {
    const { world, ada } = await withAdministrator();
    const token = await ada.tokens.create({ name: 'ci', expiresAt: world.time(DAY) });
    const hash = `hash of ${token.token}`;
    const bearer = world.as({ caller: { kind: 'token', hash } });
    expect((await bearer.me.get()).id).to.equal(ada.userId);
    await world.activityNoted();
    expect((await ada.tokens.list({})).items[0]?.lastUsedAt).to.equal(world.time());
    world.pass(DAY);
    expect(await outcome(bearer.me.get())).to.equal('unauthenticated');
    const other = await ada.tokens.create({ name: 'laptop' });
    const second = world.as({ caller: { kind: 'token', hash: `hash of ${other.token}` } });
    expect(await outcome(second.me.get())).to.equal('ok');
    await ada.tokens.revoke({ tokenId: other.id });
    expect(await outcome(second.me.get())).to.equal('unauthenticated');
  });

  it('can revoke themselves', async () => {
    const { world, ada } = await withAdministrator();
    const token = await ada.tokens.create({ name: 'ci' });
    const bearer = world.as({ caller: { kind: 'token', hash: `hash of ${token.token}` } });
    expect(await outcome(bearer.tokens.revoke({ tokenId: token.id }))).to.equal('ok');
    expect(await outcome(bearer.me.get())).to.equal('unauthenticated');
  });

  it('show their secret once, and never the hash', async () => {
    const { ada } = await withAdministrator();
    const made = await ada.tokens.create({ name: ' ci ' });
    assert(made.token.length > 0);
    expect(made.name).to.equal('ci');
    const listed = JSON.stringify(await ada.tokens.list({}));
    assert(!listed.includes(made.token));
    assert(!JSON.stringify(made).includes('hash'));
    assert(!listed.includes('hash'));
  });

  it('expire in the future', async () => {
    const { world, ada } = await withAdministrator();
    expect(await outcome(ada.tokens.create({ name: 'x', expiresAt: world.time() }))).to.equal('invalid-input');
    expect(await outcome(ada.tokens.create({ name: 'x', expiresAt: world.time(1) }))).to.equal('ok');
  });

  it('to act as another stand in the list of that user, who can revoke them', async () => {
    const { root, ada } = await withAdministrator();
    const token = await root.tokens.createFor({ userId: ada.userId, name: 'support' });
    const [listed] = (await ada.tokens.list({})).items;
    expect([listed?.id, listed?.createdById]).to.deep.equal([token.id, root.userId]);
    expect((await root.tokens.list({})).items).to.deep.equal([]);
    expect(await outcome(root.tokens.revoke({ tokenId: token.id }))).to.equal('not-found');
    expect(await outcome(ada.tokens.revoke({ tokenId: token.id }))).to.equal('ok');
    expect(await outcome(root.tokens.createFor({ userId: token.id, name: 'x' }))).to.equal('not-found');
  });

  it('of a disabled user are worth nothing', async () => {
    const { world, ada } = await withAdministrator();
    const token = await ada.tokens.create({ name: 'ci' });
    const bearer = world.as({ caller: { kind: 'token', hash: `hash of ${token.token}` } });
    await world.operator.users.update({ userId: ada.userId, disabled: true });
    expect(await outcome(bearer.me.get())).to.equal('unauthenticated');
  });
});
