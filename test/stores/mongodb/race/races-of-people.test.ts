import { expect } from 'chai';
import { createEngine } from '../../../../core/engine.ts';
import { member, user, workspace } from '../../../contract/records.ts';
import { raceForPlaces } from '../../../fixtures/suite/quota-race.ts';
import { join } from '../../../fixtures/world/workspace.ts';
import { outcome } from '../../../fixtures/world/world.ts';
import { type Service } from '../service.ts';
import { betweenTwoProcesses, newTask } from './race.ts';

describe('races of people between two processes', function () {
  this.timeout(60_000);
  const processes = betweenTwoProcesses();

  it('an invitation is taken twice, by one user and by two', async () => {
    const { user, bob, asAda, workspaceId } = await processes.newWorkspace();
    const eve = await user('eve');
    const first = await asAda.invitations.create({ workspaceId });
    const take = (service: Service, userId: string, id: string) =>
      service.as(userId).invitations.join({ invitationId: id });
    const once = await processes.run(
      () => take(processes.one, bob, first.id),
      () => take(processes.other, bob, first.id),
    );
    expect(once).to.deep.equal(['ok', 'invitation-unusable']);
    const second = await asAda.invitations.create({ workspaceId });
    const twice = await processes.run(
      () => take(processes.one, eve, second.id),
      () => take(processes.other, bob, second.id),
    );
    expect(twice).to.deep.equal(['ok', 'invitation-unusable']);
    expect((await asAda.members.list({ workspaceId })).length).to.equal(3);
  });

  it('the last two owners leave', async () => {
    const { bob, asAda, workspaceId } = await processes.newWorkspace();
    const bobs = await join(asAda, { workspaceId }, processes.one.as(bob), 40);
    const { memberId } = await asAda.workspaces.get({ workspaceId });
    const results = await processes.run(
      () => asAda.members.remove({ workspaceId, memberId }),
      () => processes.other.as(bob).members.remove({ workspaceId, memberId: bobs }),
    );
    expect(results).to.deep.equal(['ok', 'last-owner']);
  });

  it('an owner leaves while the other one is disabled', async () => {
    const { operator, bob, asAda, workspaceId } = await processes.newWorkspace();
    await join(asAda, { workspaceId }, processes.one.as(bob), 40);
    const { memberId } = await asAda.workspaces.get({ workspaceId });
    const results = await processes.run(
      () => asAda.members.remove({ workspaceId, memberId }),
      () => processes.other.engine.users.update(operator, { userId: bob, disabled: true }),
    );
    expect(results).to.deep.equal(['ok', 'last-owner']);
  });

  it('two administrators step down', async () => {
    const { operator, ada, bob } = await processes.newWorkspace();
    for (const userId of [ada, bob]) await processes.one.engine.users.update(operator, { userId, administrator: true });
    const results = await processes.run(
      () => processes.one.engine.users.update(operator, { userId: ada, administrator: false }),
      () => processes.other.engine.users.update(operator, { userId: bob, administrator: false }),
    );
    expect(results.toSorted()).to.deep.equal(['last-administrator', 'ok']);
  });

  it('access is revoked while it is used', async () => {
    const { bob, asAda, workspaceId, board } = await processes.newWorkspace();
    const memberId = await join(asAda, { workspaceId }, processes.one.as(bob), 10);
    const grant = { workspaceId, pageId: board.id, memberId };
    await asAda.access.grant({ ...grant, access: 300 });
    const results = await processes.run(
      () => asAda.access.revoke(grant),
      () => processes.other.as(bob).tasks.create(newTask(workspaceId, board)),
    );
    expect(results).to.deep.equal(['ok', 'unusable-reference']);
  });

  it('a token is revoked, or its user disabled, while it is used: nothing comes after', async () => {
    const { operator, bob, asAda, workspaceId, board } = await processes.newWorkspace();
    await join(asAda, { workspaceId }, processes.one.as(bob), 20);
    const token = await processes.one.engine.tokens.createFor(operator, { userId: bob, name: 'laptop' });
    const caller = { kind: 'token', hash: `hash of ${token.token}` } as const;
    const use = () => processes.one.engine.tasks.create({ caller }, newTask(workspaceId, board));
    const revoked = await processes.run(use, () => processes.other.as(bob).tokens.revoke({ tokenId: token.id }));
    expect(revoked).to.deep.equal(['unauthenticated', 'ok']);
    const disabled = await processes.run(
      () => processes.one.as(bob).tasks.create(newTask(workspaceId, board)),
      () => processes.other.engine.users.update(operator, { userId: bob, disabled: true }),
    );
    expect(disabled).to.deep.equal(['unauthenticated', 'ok']);
    expect((await asAda.tasks.list({ workspaceId })).items).to.deep.equal([]);
  });

  for (const count of [2, 17]) {
    it(`one of ${count} users is disabled while a write relies on all of them`, async () => {
      const users = Array.from({ length: count }, () => user());
      const ids = users.map(({ id }) => id);
      await processes.one.store.write(async (tx) => {
        for (const each of users) await tx.users.insert(each);
      });
      const seen: number[] = [];
      const results = await processes.run(
        () =>
          processes.one.store.write(async (tx) => {
            const found = await tx.users.many(ids);
            seen.push([...found.values()].filter(({ disabled }) => disabled).length);
            await tx.users.insert(user());
          }),
        () => processes.other.store.write((tx) => tx.users.replace({ ...users[0]!, disabled: true })),
      );
      expect([results, seen]).to.deep.equal([
        ['ok', 'ok'],
        [0, 1],
      ]);
    });
  }

  it('two workspaces are made for a user by how many they are in', async () => {
    const { id: userId } = user();
    const seen: number[] = [];
    const make = ({ store }: Service) =>
      store.write(async (tx) => {
        seen.push(await tx.structures.countOfUser(userId, 9));
        const made = workspace();
        await tx.structures.insert(made, member(made.id, { userId }));
      });
    const hold = processes.one.holdNext();
    const held = make(processes.one);
    await hold.reached;
    await make(processes.other);
    hold.goOn();
    await held;
    expect(seen).to.deep.equal([0, 0, 1]);
  });

  it('many at once go for the last places that a quota leaves', () =>
    raceForPlaces(async (quotas) =>
      [processes.one, processes.other].map(({ ports }) => createEngine({ ...ports, quotas })),
    ));

  it('a revocation holds in the other process at its next request', async () => {
    const { bob, asAda, workspaceId, board } = await processes.newWorkspace();
    const memberId = await join(asAda, { workspaceId }, processes.one.as(bob), 10);
    const grant = { workspaceId, pageId: board.id, memberId };
    const there = processes.other.as(bob);
    for (let round = 0; round < 20; round += 1) {
      await asAda.access.grant({ ...grant, access: 100 });
      expect((await there.boards.get({ workspaceId, boardId: board.id })).id).to.equal(board.id);
      await asAda.access.revoke(grant);
      expect(await outcome(there.boards.get({ workspaceId, boardId: board.id }))).to.equal('not-found');
    }
  });
});
