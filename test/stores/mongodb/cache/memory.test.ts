import { assert, expect } from 'chai';
import { emptyMongodbStore, mongodbPeer, mongodbUrl } from '../../../fixtures/mongodb/mongodb.ts';
import { outcome } from '../../../fixtures/world/world.ts';
import { type Service, serviceOn } from '../service.ts';

/** A process goes on with what its last transaction knew. Here others, or writers beside it, have changed that. */
describe('what a process remembers between its writes', function () {
  this.timeout(60_000);
  const operator = { caller: { kind: 'operator' } } as const;
  let one: Service;
  let other: Service;

  before(async function () {
    await mongodbUrl(this);
    one = await serviceOn((options) => emptyMongodbStore('memory', options));
    other = await serviceOn((options) => mongodbPeer('memory', options));
  });

  after(() => Promise.all([one?.store.close(), other?.store.close()]));

  async function newWorkspace() {
    const email = `ada-${process.hrtime.bigint()}@x.org`;
    const { id: userId } = await one.engine.users.create(operator, { name: 'Ada', email });
    const made = await one.engine.tokens.createFor(operator, { userId, name: 'laptop' });
    const call = { caller: { kind: 'token', hash: `hash of ${made.token}` } } as const;
    const { id: workspaceId } = await one.engine.workspaces.create(call, { name: 'Acme' });
    const { id: boardId } = await one.engine.boards.create(call, { workspaceId, name: 'Kanban' });
    const status = await one.engine.statuses.create(call, { workspaceId, boardId, name: 'Open' });
    const create = (service: Service, title = 'T') =>
      service.engine.tasks.create(call, { workspaceId, boardId, title });
    for (let i = 0; i < 3; i += 1) await create(one);
    return { userId, call, tokenId: made.id, workspaceId, boardId, status, create };
  }

  it('is no token that another process has revoked, nor a user that it has disabled', async () => {
    const first = await newWorkspace();
    await other.engine.tokens.revoke({ caller: { kind: 'user', userId: first.userId } }, { tokenId: first.tokenId });
    expect(await outcome(first.create(one))).to.equal('unauthenticated');
    const second = await newWorkspace();
    const { userId: eve } = await newWorkspace();
    const invitation = await one.engine.invitations.create(second.call, { workspaceId: second.workspaceId, role: 40 });
    await one.as(eve).invitations.join({ invitationId: invitation.id });
    expect(await outcome(second.create(one))).to.equal('ok');
    await other.engine.users.update(operator, { userId: second.userId, disabled: true });
    expect(await outcome(second.create(one))).to.equal('unauthenticated');
    await other.engine.users.update(operator, { userId: second.userId, disabled: false });
    expect(await outcome(second.create(one))).to.equal('ok');
  });

  it('is no refusal that no longer holds', async () => {
    const { userId, call, workspaceId } = await newWorkspace();
    const use = () => one.engine.users.create(call, { name: 'Bob', email: `${process.hrtime.bigint()}@x.org` });
    expect(await outcome(use())).to.equal('forbidden');
    await other.engine.users.update(operator, { userId, administrator: true });
    expect(await outcome(use())).to.equal('ok');
    await one.engine.workspaces.get(call, { workspaceId });
  });

  it('is no token that is revoked in the same moment', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { call, tokenId, create } = await newWorkspace();
      const calls = [create(one), one.engine.tokens.revoke(call, { tokenId }), create(one), create(one)];
      const [, revoked, ...later] = await Promise.all(calls.map(outcome));
      expect(revoked).to.equal('ok');
      for (const result of later) assert(['ok', 'unauthenticated'].includes(result), result);
      expect(await outcome(create(one))).to.equal('unauthenticated');
    }
  });

  it('is no board, no place and no number of before others wrote', async () => {
    const { call, workspaceId, boardId, status, create } = await newWorkspace();
    await create(other);
    await create(one);
    const next = await other.engine.statuses.create(call, { workspaceId, boardId, name: 'First', orderKey: 0 });
    const { statusId } = await create(one);
    expect(statusId).to.equal(next.id);
    await other.engine.statuses.delete(call, { workspaceId, boardId, statusId: next.id, moveTo: status.id });
    await create(one);
    const { items } = await one.engine.tasks.list(call, { workspaceId, sort: ['position'] });
    expect(items.map(({ num }) => num)).to.deep.equal([1, 2, 3, 4, 5, 6, 7]);
    expect((await one.engine.doctor.check(operator)).findings).to.deep.equal([]);
  });
});
