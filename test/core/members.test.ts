import assert from 'node:assert/strict';
import { newTeam } from '../support/world-team.ts';
import { DAY, outcome } from '../support/world.ts';

describe('members', () => {
  it('are listed with the profile of their user; a guest sees only the own row', async () => {
    const team = await newTeam();
    await team.member.me.update({ phone: '123', avatar: 'a.png' });
    const all = await team.member.members.list(team.at);
    assert.deepEqual(
      all.map(({ name, role }) => [name, role]),
      [
        ['Owner', 40],
        ['Admin', 30],
        ['Member', 20],
        ['Guest', 10],
      ],
    );
    const row = all.find(({ id }) => id === team.member.memberId);
    assert.deepEqual(
      [row?.userId, row?.email, row?.phone, row?.avatar, row?.position],
      [team.member.userId, 'member@example.org', '123', 'a.png', ''],
    );
    assert.deepEqual(
      (await team.guest.members.list({ ...team.at, former: true })).map(({ id }) => id),
      [team.guest.memberId],
    );
  });

  it('who left is listed only when asked for, and by those who may list', async () => {
    const team = await newTeam();
    await team.member.members.remove({ ...team.at, memberId: team.member.memberId });
    const ids = async (former: boolean) => (await team.admin.members.list({ ...team.at, former })).map(({ id }) => id);
    assert.ok(!(await ids(false)).includes(team.member.memberId));
    assert.ok((await ids(true)).includes(team.member.memberId));
    assert.equal(await outcome(team.admin.members.remove({ ...team.at, memberId: team.member.memberId })), 'not-found');
    assert.equal(
      await outcome(team.admin.members.update({ ...team.at, memberId: team.member.memberId, role: 10 })),
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
      assert.equal(await team.access(team.member, page), access);
    }
  });

  it('an admin may step down, and not up again', async () => {
    const team = await newTeam();
    const own = { ...team.at, memberId: team.admin.memberId };
    assert.equal(await outcome(team.admin.members.update({ ...own, role: 40 })), 'forbidden');
    assert.equal((await team.admin.members.update({ ...own, role: 20 })).role, 20);
    assert.equal(await outcome(team.admin.members.update({ ...own, role: 30 })), 'forbidden');
  });

  it('activity is noted at most once a minute', async () => {
    const team = await newTeam();
    const seen = async () =>
      (await team.owner.members.list(team.at)).find(({ id }) => id === team.member.memberId)?.lastActivity;
    team.world.pass(DAY);
    await team.member.pages.list(team.at);
    const first = team.world.time();
    assert.equal(await seen(), first);
    team.world.pass(59_000);
    await team.member.pages.list(team.at);
    assert.equal(await seen(), first);
    team.world.pass(1_000);
    await team.member.pages.list(team.at);
    assert.equal(await seen(), team.world.time());
  });

  it('activity changes no version', async () => {
    const team = await newTeam();
    const versions = async () => (await team.owner.members.list(team.at)).map(({ version }) => version);
    const before = await versions();
    team.world.pass(DAY);
    await team.member.pages.list(team.at);
    assert.deepEqual(await versions(), before);
  });

  it('a member of another workspace is not found', async () => {
    const team = await newTeam();
    const other = await team.outsider.workspaces.create({ name: 'Other' });
    assert.equal(await outcome(team.owner.members.remove({ ...team.at, memberId: other.memberId })), 'not-found');
  });
});

describe('the last owner', () => {
  it('can neither leave nor be demoted nor disabled', async () => {
    const team = await newTeam();
    const { owner, at, world } = team;
    const own = { ...at, memberId: owner.memberId };
    assert.equal(await outcome(owner.members.remove(own)), 'last-owner');
    assert.equal(await outcome(owner.members.update({ ...own, role: 30 })), 'last-owner');
    assert.equal(await outcome(world.operator.users.update({ userId: owner.userId, disabled: true })), 'last-owner');
    assert.equal((await owner.members.update({ ...own, position: 'Chief' })).position, 'Chief');
  });

  it('is the last when the other cannot sign in', async () => {
    const team = await newTeam();
    const { owner, at, world } = team;
    const second = await team.join('Second', 40);
    await world.operator.users.update({ userId: second.userId, disabled: true });
    assert.equal(await outcome(owner.members.remove({ ...at, memberId: owner.memberId })), 'last-owner');
    assert.equal(await outcome(owner.members.update({ ...at, memberId: owner.memberId, role: 20 })), 'last-owner');
    assert.equal(await outcome(world.operator.users.update({ userId: owner.userId, disabled: true })), 'last-owner');
    // Whoever cannot sign in may be taken out all the same.
    assert.equal(await outcome(owner.members.remove({ ...at, memberId: second.memberId })), 'ok');
  });

  it('may go when there is another, and of two who go at once one stays', async () => {
    const team = await newTeam();
    const { owner, at } = team;
    const second = await team.join('Second', 40);
    const results = await Promise.all([
      outcome(owner.members.remove({ ...at, memberId: owner.memberId })),
      outcome(second.members.update({ ...at, memberId: second.memberId, role: 20 })),
    ]);
    assert.deepEqual(results.toSorted(), ['last-owner', 'ok']);
  });
});

describe('leaving', () => {
  it('takes assignments, pending invitations and raising entries along; lowering ones wait', async () => {
    const team = await newTeam();
    const { owner, admin, at, world } = team;
    const board = await team.board('Board');
    const task = await team.task(board.id, 'Task');
    await owner.tasks.assign({ ...at, taskId: task, memberId: admin.memberId });
    const pending = await admin.invitations.create(at);
    const raised = await team.page('Raised');
    const lowered = await team.page('Lowered');
    await owner.access.changeSettings({ ...at, pageId: raised, inherit: false, defaultAccess: 100 });
    await team.grant(raised, admin, 300);
    await team.grant(lowered, admin, 100);
    await admin.members.remove({ ...at, memberId: admin.memberId });

    assert.deepEqual((await owner.tasks.get({ ...at, taskId: task })).assignees, []);
    assert.equal((await owner.invitations.get({ ...at, invitationId: pending.id })).status, 'revoked');
    assert.ok(
      !(await owner.access.members({ ...at, pageId: lowered })).some(({ memberId }) => memberId === admin.memberId),
    );
    assert.equal(await outcome(owner.access.revoke({ ...at, pageId: lowered, memberId: admin.memberId })), 'not-found');

    const { id } = await owner.invitations.create({ ...at, role: 30 });
    const back = await admin.invitations.join({ invitationId: id });
    assert.equal(back.id, admin.memberId);
    assert.equal(await team.access(admin, raised), 100);
    assert.equal(await team.access(admin, lowered), 100);
    assert.ok(world.time() >= back.updatedAt);
  });

  it('takes along what raised under the role that one had, whatever the role on returning', async () => {
    const team = await newTeam();
    const { owner, guest, at } = team;
    const page = await team.page('Page');
    await team.grant(page, guest, 200);
    await guest.members.remove({ ...at, memberId: guest.memberId });
    const { id } = await owner.invitations.create({ ...at, role: 20 });
    await guest.invitations.join({ invitationId: id });
    assert.equal(await team.access(guest, page), 300);
  });

  it('takes along what raises under the role that one returns with', async () => {
    const team = await newTeam();
    const { owner, admin, at } = team;
    const page = await team.page('Page');
    await team.grant(page, admin, 200);
    await admin.members.remove({ ...at, memberId: admin.memberId });
    const { id } = await owner.invitations.create({ ...at, role: 10 });
    await admin.invitations.join({ invitationId: id });
    assert.equal(await team.access(admin, page), 0);
  });

  it('keeps authorship, and a return with another role is the same member', async () => {
    const team = await newTeam();
    const { owner, member, at } = team;
    const board = await team.board('Board');
    const task = await member.tasks.create({ ...at, boardId: board.id, title: 'Mine' });
    await member.comments.create({ ...at, taskId: task.id, content: 'Mine' });
    await owner.members.update({ ...at, memberId: member.memberId, position: 'Cook' });
    await owner.members.remove({ ...at, memberId: member.memberId });
    const read = await owner.tasks.get({ ...at, taskId: task.id });
    assert.deepEqual([read.createdById, read.comments[0]?.authorId], [member.memberId, member.memberId]);
    const { id } = await owner.invitations.create({ ...at, role: 10 });
    const back = await member.invitations.join({ invitationId: id });
    assert.deepEqual([back.id, back.role, back.position, back.active], [member.memberId, 10, 'Cook', true]);
    assert.equal(await outcome(member.tasks.get({ ...at, taskId: task.id })), 'not-found');
  });

  it('a removed member loses what they were given, and the same by hand of an admin', async () => {
    const team = await newTeam();
    const { owner, admin, guest, at } = team;
    const page = await team.page('Page');
    await team.grant(page, guest, 300);
    await admin.members.remove({ ...at, memberId: guest.memberId });
    const { id } = await owner.invitations.create({ ...at, role: 10 });
    await guest.invitations.join({ invitationId: id });
    assert.equal(await outcome(guest.pages.get({ ...at, pageId: page })), 'not-found');
  });
});
