import { assert, expect } from 'chai';
import { join } from 'node:path';
import { embeddedStore } from '../../../../adapters/store-embedded/index.ts';
import { temporaryFolder } from '../../../fixtures/temporary-folder.ts';
import { newTeam } from '../../../fixtures/world/team.ts';
import { DAY, newWorld, outcome } from '../../../fixtures/world/world.ts';

describe('members', () => {
  const folder = temporaryFolder();

  it('are listed with the profile of their user; a guest sees only the own row', async () => {
    const team = await newTeam();
    await team.member.me.update({ phone: '123', avatar: 'a.png' });
    const all = await team.member.members.list(team.at);
    expect(all.map(({ name, role }) => [name, role])).to.deep.equal([
      ['Owner', 40],
      ['Admin', 30],
      ['Member', 20],
      ['Guest', 10],
    ]);
    const row = all.find(({ id }) => id === team.member.memberId);
    expect([row?.userId, row?.email, row?.phone, row?.avatar, row?.position]).to.deep.equal([
      team.member.userId,
      'member@example.org',
      '123',
      'a.png',
      '',
    ]);
    expect((await team.guest.members.list({ ...team.at, former: true })).map(({ id }) => id)).to.deep.equal([
      team.guest.memberId,
    ]);
  });

  it('who left is listed only when asked for, and by those who may list', async () => {
    const team = await newTeam();
    await team.member.members.remove({ ...team.at, memberId: team.member.memberId });
    const ids = async (former: boolean) => (await team.admin.members.list({ ...team.at, former })).map(({ id }) => id);
    assert(!(await ids(false)).includes(team.member.memberId));
    assert((await ids(true)).includes(team.member.memberId));
    expect(await outcome(team.admin.members.remove({ ...team.at, memberId: team.member.memberId }))).to.equal(
      'not-found',
    );
    expect(await outcome(team.admin.members.update({ ...team.at, memberId: team.member.memberId, role: 10 }))).to.equal(
      'not-found',
    );
  });

  it('a change of role holds at once', async () => {
    const team = await newTeam();
    const page = await team.page('Page');
    const to = (role: 10 | 20 | 30 | 40) =>
      team.owner.members.update({ ...team.at, memberId: team.member.memberId, role });
    for (const [role, access] of [
      [10, 0],
      [30, 400],
      [40, 400],
      [20, 300],
    ] as const) {
      await to(role);
      expect(await team.access(team.member, page)).to.equal(access);
    }
  });

  it('an admin may step down, and not up again', async () => {
    const team = await newTeam();
    const own = { ...team.at, memberId: team.admin.memberId };
    expect(await outcome(team.admin.members.update({ ...own, role: 40 }))).to.equal('forbidden');
    expect((await team.admin.members.update({ ...own, role: 20 })).role).to.equal(20);
    expect(await outcome(team.admin.members.update({ ...own, role: 30 }))).to.equal('forbidden');
  });

  it('activity is noted at most once a minute', async () => {
    const team = await newTeam();
    const seen = async () => {
      await team.world.activityNoted();
      return (await team.owner.members.list(team.at)).find(({ id }) => id === team.member.memberId)?.lastActivity;
    };
    team.world.pass(DAY);
    await team.member.pages.list(team.at);
    const first = team.world.time();
    expect(await seen()).to.equal(first);
    team.world.pass(59_000);
    await team.member.pages.list(team.at);
    expect(await seen()).to.equal(first);
    team.world.pass(1_000);
    await team.member.pages.list(team.at);
    expect(await seen()).to.equal(team.world.time());
  });

  it('activity changes no version', async () => {
    const team = await newTeam();
    const versions = async () => (await team.owner.members.list(team.at)).map(({ version }) => version);
    const before = await versions();
    team.world.pass(DAY);
    await team.member.pages.list(team.at);
    await team.world.activityNoted();
    expect(await versions()).to.deep.equal(before);
  });

  it('a read does not wait until its activity is noted behind the writes of others', async () => {
    const team = await newTeam();
    team.world.pass(DAY);
    let end = (): void => undefined;
    const writing = team.world.store.write(() => new Promise<void>((resolve) => (end = resolve)));
    await team.member.pages.list(team.at);
    end();
    await writing;
    await team.world.activityNoted();
    const [member] = (await team.owner.members.list(team.at)).filter(({ id }) => id === team.member.memberId);
    expect(member!.lastActivity).to.equal(team.world.time());
  });

  it('activity is kept where the store is closed right after the call', async () => {
    const path = join(folder, 'closed.db');
    const team = await newTeam(newWorld(embeddedStore({ path })));
    team.world.pass(DAY);
    await team.member.pages.list(team.at);
    await team.world.store.close();
    const store = embeddedStore({ path });
    const { memberId } = team.member;
    expect((await store.read((tx) => tx.activity.of([memberId]))).get(memberId)).to.equal(team.world.time());
    await store.close();
  });

  it('a member of another workspace is not found', async () => {
    const team = await newTeam();
    const other = await team.outsider.workspaces.create({ name: 'Other' });
    expect(await outcome(team.owner.members.remove({ ...team.at, memberId: other.memberId }))).to.equal('not-found');
  });
});

describe('the last owner', () => {
  it('can neither leave nor be demoted nor disabled', async () => {
    const team = await newTeam();
    const { owner, at, world } = team;
    const own = { ...at, memberId: owner.memberId };
    expect(await outcome(owner.members.remove(own))).to.equal('last-owner');
    expect(await outcome(owner.members.update({ ...own, role: 30 }))).to.equal('last-owner');
    expect(await outcome(world.operator.users.update({ userId: owner.userId, disabled: true }))).to.equal('last-owner');
    expect((await owner.members.update({ ...own, position: 'Chief' })).position).to.equal('Chief');
  });

  it('is the last when the other cannot sign in', async () => {
    const team = await newTeam();
    const { owner, at, world } = team;
    const second = await team.join('Second', 40);
    await world.operator.users.update({ userId: second.userId, disabled: true });
    expect(await outcome(owner.members.remove({ ...at, memberId: owner.memberId }))).to.equal('last-owner');
    expect(await outcome(owner.members.update({ ...at, memberId: owner.memberId, role: 20 }))).to.equal('last-owner');
    expect(await outcome(world.operator.users.update({ userId: owner.userId, disabled: true }))).to.equal('last-owner');
    // An owner who cannot sign in does not count, and may be removed.
    expect(await outcome(owner.members.remove({ ...at, memberId: second.memberId }))).to.equal('ok');
  });

  it('may go when there is another, and of two who go at once one stays', async () => {
    const team = await newTeam();
    const { owner, at } = team;
    const second = await team.join('Second', 40);
    const results = await Promise.all([
      outcome(owner.members.remove({ ...at, memberId: owner.memberId })),
      outcome(second.members.update({ ...at, memberId: second.memberId, role: 20 })),
    ]);
    expect(results.toSorted()).to.deep.equal(['last-owner', 'ok']);
  });
});
