import { assert, expect } from 'chai';
import { newTeam } from '../../../fixtures/world/team.ts';
import { newWorld, outcome } from '../../../fixtures/world/world.ts';

describe('workspaces', () => {
  it('have the defaults of the design, and their creator as owner', async () => {
    const ada = await newWorld().user('Ada');
    const workspace = await ada.workspaces.create({ name: '  Acme Corp ' });
    expect([
      workspace.name,
      workspace.alias,
      workspace.description,
      workspace.defaultAccess,
      workspace.role,
      workspace.version,
    ]).to.deep.equal(['Acme Corp', 'acme-corp', '', 300, 40, 1]);
    const [member] = await ada.members.list({ workspaceId: workspace.id });
    expect([member?.id, member?.userId, member?.role]).to.deep.equal([workspace.memberId, ada.userId, 40]);
  });

  it('get an alias from their name, with a suffix when it is taken', async () => {
    const ada = await newWorld().user('Ada');
    const alias = async (name: string) => (await ada.workspaces.create({ name })).alias;
    expect([
      await alias('Crème brûlée!'),
      await alias('creme brulee'),
      await alias('計画'),
      await alias('計画'),
    ]).to.deep.equal(['creme-brulee', 'creme-brulee-2', 'workspace', 'workspace-2']);
    const long = await alias('x'.repeat(200));
    const longer = await alias('x'.repeat(200));
    assert(long.length <= 63 && longer.length <= 63 && long !== longer);
    expect(await alias('- a b -')).to.match(/^[a-z0-9][a-z0-9-]*[a-z0-9]$/);
  });

  it('keep an alias that is given: unique, and never changed', async () => {
    const ada = await newWorld().user('Ada');
    const workspace = await ada.workspaces.create({ name: 'Acme', alias: 'the-one' });
    expect(workspace.alias).to.equal('the-one');
    expect(await outcome(ada.workspaces.create({ name: 'Other', alias: 'the-one' }))).to.equal('alias-taken');
    const change = { workspaceId: workspace.id, alias: 'other' };
    expect(await outcome(ada.workspaces.update(change))).to.equal('invalid-input');
  });

  it('free their alias when they are deleted', async () => {
    const ada = await newWorld().user('Ada');
    const { id } = await ada.workspaces.create({ name: 'Acme', alias: 'the-one' });
    await ada.workspaces.delete({ workspaceId: id });
    expect(await outcome(ada.workspaces.create({ name: 'Acme', alias: 'the-one' }))).to.equal('ok');
  });

  it('are listed for their members, with the role of each', async () => {
    const team = await newTeam();
    const other = await team.member.workspaces.create({ name: 'Own' });
    expect((await team.member.workspaces.list()).map(({ id, role }) => [id, role])).to.deep.equal([
      [team.workspaceId, 20],
      [other.id, 40],
    ]);
    expect((await team.owner.workspaces.list()).map(({ id }) => id)).to.deep.equal([team.workspaceId]);
  });

  it('change for all at once when the default changes', async () => {
    const team = await newTeam();
    const page = await team.page('Page');
    for (const defaultAccess of [0, 100, 200, 300, 400] as const) {
      await team.admin.workspaces.update({ ...team.at, defaultAccess });
      expect(
        await Promise.all(
          [team.owner, team.admin, team.member, team.guest].map((colleague) => team.access(colleague, page)),
        ),
      ).to.deep.equal([400, 400, defaultAccess, 0]);
    }
  });

  it('are gone for everyone when deleted', async () => {
    const team = await newTeam();
    const page = await team.page('Page');
    const board = await team.board('Board');
    const task = await team.task(board.id, 'Task');
    const invitation = await team.owner.invitations.create(team.at);
    await team.owner.workspaces.delete(team.at);
    for (const call of [
      team.owner.workspaces.get(team.at),
      team.owner.pages.get({ ...team.at, pageId: page }),
      team.owner.boards.get({ ...team.at, boardId: board.id }),
      team.owner.tasks.get({ ...team.at, taskId: task }),
      team.outsider.invitations.read({ invitationId: invitation.id }),
      team.outsider.invitations.join({ invitationId: invitation.id }),
    ]) {
      expect(await outcome(call)).to.equal('not-found');
    }
    expect(await team.member.workspaces.list()).to.deep.equal([]);
  });
});
