import { expect } from 'chai';
import { createEngine } from '../../../../core/engine.ts';
import { newTeam, type Colleague, type Team } from '../../../fixtures/world/team.ts';
import { HOUR, outcome, type Person } from '../../../fixtures/world/world.ts';
import { FULL, under, withBoard } from '../../../fixtures/world/quotas.ts';

describe('quotas', () => {
  describe('of members', () => {
    const invited = async (team: Team, person: Person) => {
      const { id } = await team.owner.invitations.create({ ...team.at });
      return outcome(person.invitations.join({ invitationId: id }));
    };

    it('count who joins and who comes back, not who has left', async () => {
      const team = await newTeam();
      const limited = under({ members: 4 }, team);
      const remove = ({ memberId }: Colleague) => limited.as(team.owner).members.remove({ ...team.at, memberId });
      expect(await invited(team, limited.as(team.outsider))).to.equal(FULL);
      await remove(team.guest);
      expect(await invited(team, limited.as(team.outsider))).to.equal('ok');
      expect(await invited(team, limited.as(team.guest))).to.equal(FULL);
      await remove(team.member);
      expect(await invited(team, limited.as(team.guest))).to.equal('ok');
      expect(await invited(team, limited.as(team.guest))).to.equal('already-member');
    });

    it('leave the invitation pending', async () => {
      const team = await newTeam();
      const outsider = under({ members: 1 }, team).as(team.outsider);
      const { id } = await team.owner.invitations.create({ ...team.at });
      expect(await outcome(outsider.invitations.join({ invitationId: id }))).to.equal(FULL);
      expect((await team.outsider.invitations.read({ invitationId: id })).status).to.equal('pending');
      const change = { ...team.at, memberId: team.member.memberId, role: 30 } as const;
      expect(await outcome(under({ members: 1 }, team).as(team.owner).members.update(change))).to.equal('ok');
    });
  });

  describe('of a user', () => {
    it('count memberships, of workspaces made and joined, not of those left or deleted', async () => {
      const team = await newTeam();
      const { outsider } = team;
      const limited = under({ workspaces: 2 }, team).as(outsider);
      const own = await limited.workspaces.create({ name: 'Own' });
      const { id: invitationId } = await team.owner.invitations.create({ ...team.at });
      const joined = await limited.invitations.join({ invitationId });
      expect(await outcome(limited.workspaces.create({ name: 'Third' }))).to.equal(FULL);
      await limited.members.remove({ ...team.at, memberId: joined.id });
      expect(await outcome(limited.workspaces.create({ name: 'Third' }))).to.equal('ok');
      const { id: again } = await team.owner.invitations.create({ ...team.at });
      expect(await outcome(limited.invitations.join({ invitationId: again }))).to.equal(FULL);
      await limited.workspaces.delete({ workspaceId: own.id });
      expect(await outcome(limited.invitations.join({ invitationId: again }))).to.equal('ok');
      expect((await limited.workspaces.list()).length).to.equal(2);
    });

    it('count tokens, those made by an administrator too', async () => {
      const team = await newTeam();
      const limited = under({ tokens: 2 }, team);
      const owner = limited.as(team.owner);
      const { id: tokenId } = await owner.tokens.create({ name: 'a' });
      await limited.operator.tokens.createFor({ userId: team.owner.userId, name: 'b' });
      expect(await outcome(owner.tokens.create({ name: 'c' }))).to.equal(FULL);
      const { userId } = team.owner;
      expect(await outcome(limited.operator.tokens.createFor({ userId, name: 'c' }))).to.equal(FULL);
      expect(await outcome(limited.as(team.admin).tokens.create({ name: 'own' }))).to.equal('ok');
      await owner.tokens.revoke({ tokenId });
      expect(await outcome(owner.tokens.create({ name: 'c' }))).to.equal('ok');
    });

    it('count idempotency keys and bytes for a day, and only kept answers', async () => {
      const { team, at, id } = await withBoard();
      const engine = createEngine({ ...team.world.ports, quotas: { idempotencyKeys: 2, idempotencyBytes: 3_000 } });
      const caller = { kind: 'user', userId: team.owner.userId } as const;
      const create = (key: string, description = '') =>
        outcome(
          engine.tasks.create(
            { caller, idempotencyKey: { key, digest: 'd' } },
            { ...at, boardId: id, title: 't', description },
          ),
        );
      expect(await create('a', 'x'.repeat(3_000))).to.equal(FULL);
      expect(await create('a', 'é'.repeat(1_400))).to.equal(FULL);
      expect([await create('a'), await create('a'), await create('b')]).to.deep.equal(['ok', 'ok', 'ok']);
      expect(await create('c')).to.equal(FULL);
      expect(await outcome(engine.tasks.create({ caller }, { ...at, boardId: id, title: 't' }))).to.equal('ok');
      team.world.pass(25 * HOUR);
      expect(await create('c')).to.equal('ok');
    });
  });

  describe('of invitations', () => {
    it('count what is pending: not accepted, revoked or expired', async () => {
      const team = await newTeam();
      const owner = under({ invitations: 2 }, team).as(team.owner);
      const invite = () => owner.invitations.create({ ...team.at, expiresAt: team.world.time(2 * HOUR) });
      const [first, second] = [await invite(), await invite()];
      expect(await outcome(invite())).to.equal(FULL);
      await owner.invitations.revoke({ ...team.at, invitationId: first.id });
      expect([await outcome(invite()), await outcome(invite())]).to.deep.equal(['ok', FULL]);
      await team.outsider.invitations.join({ invitationId: second.id });
      expect([await outcome(invite()), await outcome(invite())]).to.deep.equal(['ok', FULL]);
      team.world.pass(3 * HOUR);
      expect([await outcome(invite()), await outcome(invite()), await outcome(invite())]).to.deep.equal([
        'ok',
        'ok',
        FULL,
      ]);
    });
  });
});
