import { assert, expect } from 'chai';
import type { ReadTransaction } from '../../../../core/ports/store.ts';
import { newTeam, type Colleague, type Team } from '../../../fixtures/world/team.ts';
import { outcome } from '../../../fixtures/world/world.ts';

function pagesOf(tx: ReadTransaction, workspaceId: string) {
  return tx.structures.get(workspaceId).then((structure) => [...structure!.pages()]);
}

async function invitation(team: Team, role: 10 | 20 | 30): Promise<string> {
  return (await team.owner.invitations.create({ ...team.at, role })).id;
}

/** By an invitation without an address. */
async function comeBack(team: Team, colleague: Colleague, role: 10 | 20 | 30): Promise<void> {
  const back = await colleague.invitations.join({ invitationId: await invitation(team, role) });
  expect(back.id).to.equal(colleague.memberId);
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

    expect((await owner.tasks.get({ ...at, taskId: task })).assignees).to.deep.equal([]);
    expect((await owner.invitations.get({ ...at, invitationId: pending.id })).status).to.equal('revoked');
    assert(
      !(await owner.access.members({ ...at, pageId: lowered })).some(({ memberId }) => memberId === admin.memberId),
    );
    expect(await outcome(owner.access.revoke({ ...at, pageId: lowered, memberId: admin.memberId }))).to.equal(
      'not-found',
    );

    await comeBack(team, admin, 30);
    expect(await team.access(admin, raised)).to.equal(100);
    expect(await team.access(admin, lowered)).to.equal(100);
  });

  it('rewrites no page', async () => {
    const team = await newTeam();
    const { admin, at, world } = team;
    await team.grant(await team.page('Page'), admin, 100);
    const kept = () => world.store.read((tx) => pagesOf(tx, at.workspaceId));
    const before = await kept();
    await admin.members.remove({ ...at, memberId: admin.memberId });
    await comeBack(team, admin, 30);
    expect(await kept()).to.deep.equal(before);
  });

  it('revokes very many invitations at once, and notes it in steps', async () => {
    const team = await newTeam();
    const { owner, admin, at, world, outsider } = team;
    const ids: string[] = [];
    for (let i = 0; i < 120; i += 1) ids.push((await admin.invitations.create({ ...at, role: 10 })).id);
    const pending = (membership: number) =>
      world.store.read(async (tx) => {
        const issued = { workspaceId: at.workspaceId, createdById: admin.memberId };
        const all = await tx.invitations.list('pendingBy', issued, { limit: 500 });
        return all.filter(({ issuerMembership }) => issuerMembership === membership).length;
      });
    await admin.members.remove({ ...at, memberId: admin.memberId });
    await comeBack(team, admin, 30);
    const { id: later } = await admin.invitations.create({ ...at, role: 10 });
    assert((await pending(1)) > 100);
    const statuses = async () => {
      const { items } = await owner.invitations.list({ ...at, limit: 500 });
      return new Set(items.filter(({ id }) => ids.includes(id)).map(({ status }) => status));
    };
    expect(await statuses()).to.deep.equal(new Set(['revoked']));
    for (const invitationId of ids) {
      expect(await outcome(outsider.invitations.join({ invitationId }))).to.equal('invitation-unusable');
    }
    await world.purge();
    expect([await pending(1), await pending(2)]).to.deep.equal([0, 1]);
    expect(await statuses()).to.deep.equal(new Set(['revoked']));
    expect((await owner.invitations.get({ ...at, invitationId: later })).status).to.equal('pending');
  });

  it('leaves what one set oneself lower in force, whatever role one takes and comes back with', async () => {
    for (const [role, level, first, second] of [
      [30, 100, 10, 30],
      [20, 200, 10, 20],
    ] as const) {
      const team = await newTeam();
      const { at } = team;
      const colleague = role === 30 ? team.admin : team.member;
      const page = await team.page('Page');
      await team.grant(page, colleague, level);
      if (role === 30) await colleague.members.update({ ...at, memberId: colleague.memberId, role: first });
      expect(await outcome(colleague.access.revoke({ ...at, pageId: page, memberId: colleague.memberId }))).to.equal(
        'forbidden',
      );
      const open = [await invitation(team, first), await invitation(team, second)];
      for (const invitationId of role === 30 ? open.slice(1) : open) {
        await colleague.members.remove({ ...at, memberId: colleague.memberId });
        await colleague.invitations.join({ invitationId });
      }
      expect(await team.access(colleague, page)).to.equal(level);
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
    expect(await levels()).to.deep.equal([200, 200, 200, 300]);
    await team.grant(middle, member, 300);
    expect(await levels()).to.deep.equal([200, 300, 300, 300]);
    await team.grant(top, member, 100);
    await owner.access.revoke({ ...at, pageId: middle, memberId: member.memberId });
    expect(await levels()).to.deep.equal([100, 100, 100, 300]);
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
    expect(await types()).to.deep.equal(['accepted', 'inherited']);
    expect((await member.access.explain({ ...at, pageId: page })).steps).to.deep.equal([
      { rule: 'cap', pageId: page, access: 100 },
      { rule: 'base', pageId: null, access: 100 },
    ]);
    expect(await outcome(owner.access.revoke({ ...address, pageId: full }))).to.equal('not-found');
    // The same level again is another entry: it counts where the page stops inheriting, too.
    await owner.access.changeSettings({ ...at, pageId: page, inherit: false, defaultAccess: 0 });
    expect(await outcome(member.pages.get({ ...at, pageId: page }))).to.equal('not-found');
    await team.grant(page, member, 100);
    expect(await team.access(member, page)).to.equal(100);
    const { items } = await owner.audit.list(at);
    expect([items[0]?.before, items[0]?.after]).to.deep.equal([
      { entries: { [member.memberId]: 100 } },
      { entries: { [member.memberId]: 100 } },
    ]);
    await owner.access.revoke(address);
    await owner.access.changeSettings({ ...at, pageId: page, inherit: true });
    expect(await team.access(member, page)).to.equal(300);
  });

  it('counts an entry of an earlier membership as none where inheritance is cut', async () => {
    const team = await newTeam();
    const { at, admin } = team;
    const page = await team.page('Page');
    await team.grant(page, admin, 400);
    await admin.members.remove({ ...at, memberId: admin.memberId });
    await comeBack(team, admin, 30);
    await admin.access.changeSettings({ ...at, pageId: page, inherit: false, defaultAccess: 100 });
    expect([await team.access(admin, page), (await admin.pages.get({ ...at, pageId: page })).accessType]).to.deep.equal(
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
    expect([read.createdById, read.comments[0]?.authorId]).to.deep.equal([member.memberId, member.memberId]);
    const { id } = await owner.invitations.create({ ...at, role: 10 });
    const back = await member.invitations.join({ invitationId: id });
    expect([back.id, back.role, back.position, back.active]).to.deep.equal([member.memberId, 10, 'Cook', true]);
    expect(await outcome(member.tasks.get({ ...at, taskId: task.id }))).to.equal('not-found');
  });

  it('a removed member loses what they were given, and the same by hand of an admin', async () => {
    const team = await newTeam();
    const { owner, admin, guest, at } = team;
    const page = await team.page('Page');
    await team.grant(page, guest, 300);
    await admin.members.remove({ ...at, memberId: guest.memberId });
    const { id } = await owner.invitations.create({ ...at, role: 10 });
    await guest.invitations.join({ invitationId: id });
    expect(await outcome(guest.pages.get({ ...at, pageId: page }))).to.equal('not-found');
  });
});
