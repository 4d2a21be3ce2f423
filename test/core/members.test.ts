import assert from 'node:assert/strict';
import type { ReadTransaction } from '../../core/ports/store.ts';
import { newTeam, type Mate, type Team } from '../support/world-team.ts';
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

function pagesOf(tx: ReadTransaction, workspaceId: string) {
  return tx.structures.get(workspaceId).then((structure) => [...structure!.pages()]);
}

async function invitation(team: Team, role: 10 | 20 | 30): Promise<string> {
  return (await team.owner.invitations.create({ ...team.at, role })).id;
}

/** With an invitation for whoever comes. */
async function comeBack(team: Team, mate: Mate, role: 10 | 20 | 30): Promise<void> {
  const back = await mate.invitations.join({ invitationId: await invitation(team, role) });
  assert.equal(back.id, mate.memberId);
}

describe('leaving', () => {
  it('takes assignments and pending invitations along; what was set is a cap after the return', async () => {
    const team = await newTeam();
    const { owner, admin, at } = team;
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

    await comeBack(team, admin, 30);
    assert.equal(await team.access(admin, raised), 100);
    assert.equal(await team.access(admin, lowered), 100);
  });

  it('rewrites no page', async () => {
    const team = await newTeam();
    const { admin, at, world } = team;
    await team.grant(await team.page('Page'), admin, 100);
    const kept = () => world.store.read((tx) => pagesOf(tx, at.workspaceId));
    const before = await kept();
    await admin.members.remove({ ...at, memberId: admin.memberId });
    await comeBack(team, admin, 30);
    assert.deepEqual(await kept(), before);
  });

  it('revokes very many invitations at once, and notes it in steps', async () => {
    const team = await newTeam();
    const { owner, admin, at, world, outsider } = team;
    const ids: string[] = [];
    for (let i = 0; i < 120; i += 1) ids.push((await admin.invitations.create({ ...at, role: 10 })).id);
    const pending = (membership: number) =>
      world.store.read(
        async (tx) => (await tx.invitations.pendingBy(at.workspaceId, admin.memberId, membership, 500)).length,
      );
    await admin.members.remove({ ...at, memberId: admin.memberId });
    await comeBack(team, admin, 30);
    const { id: later } = await admin.invitations.create({ ...at, role: 10 });
    assert.ok((await pending(1)) > 100);
    const statuses = async () => {
      const { items } = await owner.invitations.list({ ...at, limit: 500 });
      return new Set(items.filter(({ id }) => ids.includes(id)).map(({ status }) => status));
    };
    assert.deepEqual(await statuses(), new Set(['revoked']));
    for (const invitationId of ids) {
      assert.equal(await outcome(outsider.invitations.join({ invitationId })), 'invitation-unusable');
    }
    await world.purge();
    assert.deepEqual([await pending(1), await pending(2)], [0, 1]);
    assert.deepEqual(await statuses(), new Set(['revoked']));
    assert.equal((await owner.invitations.get({ ...at, invitationId: later })).status, 'pending');
  });

  it('leaves what one set oneself lower in force, whatever role one takes and comes back with', async () => {
    for (const [role, level, first, second] of [
      [30, 100, 10, 30],
      [20, 200, 10, 20],
    ] as const) {
      const team = await newTeam();
      const { at } = team;
      const mate = role === 30 ? team.admin : team.member;
      const page = await team.page('Page');
      await team.grant(page, mate, level);
      if (role === 30) await mate.members.update({ ...at, memberId: mate.memberId, role: first });
      assert.equal(await outcome(mate.access.revoke({ ...at, pageId: page, memberId: mate.memberId })), 'forbidden');
      const open = [await invitation(team, first), await invitation(team, second)];
      for (const invitationId of role === 30 ? open.slice(1) : open) {
        await mate.members.remove({ ...at, memberId: mate.memberId });
        await mate.invitations.join({ invitationId });
      }
      assert.equal(await team.access(mate, page), level);
    }
  });

  it('caps by what is set above, too, as far as nothing nearer was set since', async () => {
    const team = await newTeam();
    const { at, member, owner } = team;
    const top = await team.page('Top');
    const middle = await team.page('Middle', top);
    const low = await team.page('Low', middle);
    const cut = await team.page('Cut', middle);
    await team.grant(top, member, 200);
    await team.grant(low, member, 400);
    await owner.access.changeSettings({ ...at, pageId: cut, inherit: false, defaultAccess: 300 });
    await member.members.remove({ ...at, memberId: member.memberId });
    await comeBack(team, member, 20);
    const levels = () => Promise.all([top, middle, low, cut].map((page) => team.access(member, page)));
    assert.deepEqual(await levels(), [200, 200, 200, 300]);
    await team.grant(middle, member, 300);
    assert.deepEqual(await levels(), [200, 300, 300, 300]);
    await team.grant(top, member, 100);
    await owner.access.revoke({ ...at, pageId: middle, memberId: member.memberId });
    assert.deepEqual(await levels(), [100, 100, 100, 300]);
  });

  it('lets a cap be granted anew, revoked and explained', async () => {
    const team = await newTeam();
    const { at, member, owner } = team;
    const page = await team.page('Page');
    const full = await team.page('Full');
    const address = { ...at, pageId: page, memberId: member.memberId };
    await team.grant(page, member, 100);
    await team.grant(full, member, 400);
    await member.members.remove({ ...at, memberId: member.memberId });
    await comeBack(team, member, 20);
    const types = async () => {
      const pages = await member.pages.list(at);
      return [page, full].map((id) => pages.find((one) => one.id === id)?.accessType);
    };
    assert.deepEqual(await types(), ['accepted', 'inherited']);
    assert.deepEqual((await member.access.explain({ ...at, pageId: page })).steps, [
      { rule: 'cap', pageId: page, access: 100 },
      { rule: 'base', pageId: null, access: 100 },
    ]);
    assert.equal(await outcome(owner.access.revoke({ ...address, pageId: full })), 'not-found');
    // The same level again is another entry: it counts where the page stops inheriting, too.
    await owner.access.changeSettings({ ...at, pageId: page, inherit: false, defaultAccess: 0 });
    assert.equal(await outcome(member.pages.get({ ...at, pageId: page })), 'not-found');
    await team.grant(page, member, 100);
    assert.equal(await team.access(member, page), 100);
    const { items } = await owner.audit.list(at);
    assert.deepEqual(
      [items[0]?.before, items[0]?.after],
      [{ entries: { [member.memberId]: 100 } }, { entries: { [member.memberId]: 100 } }],
    );
    await owner.access.revoke(address);
    await owner.access.changeSettings({ ...at, pageId: page, inherit: true });
    assert.equal(await team.access(member, page), 300);
  });

  it('counts an entry of an earlier membership as none where inheritance is cut', async () => {
    const team = await newTeam();
    const { at, admin } = team;
    const page = await team.page('Page');
    await team.grant(page, admin, 400);
    await admin.members.remove({ ...at, memberId: admin.memberId });
    await comeBack(team, admin, 30);
    await admin.access.changeSettings({ ...at, pageId: page, inherit: false, defaultAccess: 100 });
    assert.deepEqual(
      [await team.access(admin, page), (await admin.pages.get({ ...at, pageId: page })).accessType],
      [400, 'accepted'],
    );
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
