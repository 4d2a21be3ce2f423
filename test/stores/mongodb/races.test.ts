import { assert, expect } from 'chai';
import type { BoardView } from '../../../core/board/view.ts';
import { createEngine } from '../../../core/engine.ts';
import { eventually } from '../../fixtures/mongod.ts';
import { emptyMongodbStore, mongodbPeer, mongodbUrl } from '../../fixtures/mongodb.ts';
import { raceForPlaces } from '../../fixtures/quota-race.ts';
import { outcome, type Person } from '../../fixtures/world.ts';
import { type Service, serviceOn } from './service.ts';

/**
 * Each race is run both ways: one call is held in one process when all its work is done and nothing is
 * committed, the other is started in a second process and has met the first or is done before that goes on.
 */
describe('races between two processes', function () {
  this.timeout(60_000);
  let one: Service;
  let other: Service;

  before(async function () {
    await mongodbUrl(this);
  });

  beforeEach(async () => {
    one = await serviceOn((options) => emptyMongodbStore('races', options));
    other = await serviceOn((options) => mongodbPeer('races', options));
  });

  afterEach(async () => {
    await Promise.all([one.store.close(), other.store.close()]);
  });

  /** Both calls, the first held until the second has run into it or is through. */
  async function race(first: () => Promise<unknown>, second: () => Promise<unknown>): Promise<[string, string]> {
    const hold = one.holdNext();
    const held = outcome(first());
    await Promise.race([hold.reached, held]);
    const before = other.conflicts();
    let through = false;
    const meanwhile = outcome(second()).finally(() => (through = true));
    await eventually(async () => assert(through || other.conflicts() > before));
    hold.goOn();
    const results: [string, string] = [await held, await meanwhile];
    const report = await one.engine.doctor.check({ caller: { kind: 'operator' } });
    expect(report.findings).to.deep.equal([]);
    return results;
  }

  async function newWorkspace() {
    const operator = { caller: { kind: 'operator' } } as const;
    const user = async (name: string) => (await one.engine.users.create(operator, { name, email: `${name}@x.org` })).id;
    const [ada, bob] = [await user('ada'), await user('bob')];
    const asAda = one.as(ada);
    const { id: workspaceId } = await asAda.workspaces.create({ name: 'Acme' });
    const board = await asAda.boards.create({ workspaceId, name: 'Kanban' });
    const status = await asAda.statuses.create({ workspaceId, boardId: board.id, name: 'Open' });
    return { operator, user, ada, bob, asAda, workspaceId, board, status };
  }

  async function member(workspaceId: string, by: Person, userId: string, role: 10 | 20 | 30 | 40 = 20) {
    const invitation = await by.invitations.create({ workspaceId, role });
    return one.as(userId).invitations.join({ invitationId: invitation.id });
  }

  const task = (workspaceId: string, board: Pick<BoardView, 'id'>) => ({ workspaceId, boardId: board.id, title: 'T' });

  it('two moves that would make a cycle', async () => {
    const { ada, asAda, workspaceId } = await newWorkspace();
    const page = (name: string) => asAda.pages.create({ workspaceId, name, type: 'folder' });
    const [a, b] = [await page('A'), await page('B')];
    const results = await race(
      () => asAda.pages.update({ workspaceId, pageId: a.id, parentId: b.id }),
      () => other.as(ada).pages.update({ workspaceId, pageId: b.id, parentId: a.id }),
    );
    expect(results).to.deep.equal(['ok', 'page-cycle']);
  });

  it('two links that would make a cycle', async () => {
    const { ada, asAda, workspaceId, board } = await newWorkspace();
    const [a, b] = [
      await asAda.tasks.create(task(workspaceId, board)),
      await asAda.tasks.create(task(workspaceId, board)),
    ];
    for (const type of ['parent', 'blocks'] as const) {
      const link = (by: Person, from: { id: string }, to: { id: string }) =>
        by.tasks.link({ workspaceId, fromTaskId: from.id, type, taskId: to.id });
      const results = await race(
        () => link(asAda, a, b),
        () => link(other.as(ada), b, a),
      );
      expect(results).to.deep.equal(['ok', 'link-cycle']);
    }
  });

  it('many tasks are changed while one of them is', async () => {
    const { ada, asAda, workspaceId, board } = await newWorkspace();
    for (const manyFirst of [true, false]) {
      const made = [task(workspaceId, board), task(workspaceId, board)];
      const taskIds = (await asAda.tasks.createMany({ workspaceId, tasks: made })).map(({ id }) => id);
      const many = (by: Person) => by.tasks.updateMany({ workspaceId, taskIds, set: { priority: 5 } });
      const single = (by: Person) => by.tasks.update({ workspaceId, taskId: taskIds[0]!, title: 'renamed' });
      const [first, second] = manyFirst ? [many, single] : [single, many];
      const results = await race(
        () => first(asAda),
        () => second(other.as(ada)),
      );
      expect(results).to.deep.equal(['ok', 'ok']);
      const { title, priority, version } = await asAda.tasks.get({ workspaceId, taskId: taskIds[0]! });
      expect([title, priority, version]).to.deep.equal(['renamed', 5, 3]);
    }
  });

  it('many tasks are changed by a filter while it comes to find another', async () => {
    const { ada, asAda, workspaceId, board } = await newWorkspace();
    await asAda.tasks.create(task(workspaceId, board));
    const filter = { boardId: [board.id] };
    const results = await race(
      () => asAda.tasks.create(task(workspaceId, board)),
      () => other.as(ada).tasks.updateMany({ workspaceId, filter, count: 1, set: { priority: 5 } }),
    );
    expect(results).to.deep.equal(['ok', 'count-mismatch']);
    const again = await race(
      () => asAda.tasks.updateMany({ workspaceId, filter, count: 2, set: { priority: 5 } }),
      () => other.as(ada).tasks.create(task(workspaceId, board)),
    );
    expect(again).to.deep.equal(['ok', 'ok']);
    const { items } = await asAda.tasks.list({ workspaceId });
    expect(items.map(({ priority }) => priority)).to.deep.equal([5, 5, 0]);
  });

  it('many tasks are deleted while one of them is', async () => {
    const { ada, asAda, workspaceId, board } = await newWorkspace();
    for (const manyFirst of [true, false]) {
      const made = [task(workspaceId, board), task(workspaceId, board)];
      const taskIds = (await asAda.tasks.createMany({ workspaceId, tasks: made })).map(({ id }) => id);
      const many = (by: Person) => by.tasks.deleteMany({ workspaceId, taskIds });
      const single = (by: Person) => by.tasks.delete({ workspaceId, taskId: taskIds[0]! });
      const [first, second] = manyFirst ? [many, single] : [single, many];
      const results = await race(
        () => first(asAda),
        () => second(other.as(ada)),
      );
      expect(results).to.deep.equal(['ok', manyFirst ? 'not-found' : 'unusable-reference']);
      expect((await asAda.tasks.list({ workspaceId, count: true })).total).to.equal(manyFirst ? 0 : 1);
    }
  });

  it('a board is copied while it is deleted, or its target is', async () => {
    const { ada, asAda, workspaceId, board } = await newWorkspace();
    await asAda.tasks.create(task(workspaceId, board));
    const folder = await asAda.pages.create({ workspaceId, name: 'F', type: 'folder' });
    const copy = (by: Person) =>
      by.boards
        .copy({ workspaceId, boardId: board.id, parentId: folder.id, tasks: true })
        .then(({ board: made }) => made);
    for (const pageId of [folder.id, board.id]) {
      const remove = (by: Person) => by.pages.delete({ workspaceId, pageId });
      const restore = () => asAda.trash.restore({ workspaceId, trashId: pageId });
      const first = await race(
        () => copy(asAda),
        () => remove(other.as(ada)),
      );
      expect(first[0]).to.be.oneOf(['ok', 'copy-failed', 'not-found']);
      await restore();
      const second = await race(
        () => remove(asAda),
        () => copy(other.as(ada)),
      );
      expect(second).to.deep.equal(['ok', pageId === board.id ? 'not-found' : 'unusable-reference']);
      await restore();
    }
  });

  it('something is restored twice, or while it is deleted for good', async () => {
    const { ada, asAda, workspaceId, board } = await newWorkspace();
    await asAda.tasks.create(task(workspaceId, board));
    const at = { workspaceId, trashId: board.id };
    const restore = (by: Person) => by.trash.restore(at);
    await asAda.boards.delete({ workspaceId, boardId: board.id });
    const twice = await race(
      () => restore(asAda),
      () => restore(other.as(ada)),
    );
    expect(twice).to.deep.equal(['ok', 'not-found']);
    expect((await asAda.tasks.list({ workspaceId, count: true })).total).to.equal(1);
    await asAda.boards.delete({ workspaceId, boardId: board.id });
    const gone = await race(
      () => asAda.trash.delete(at),
      () => restore(other.as(ada)),
    );
    expect(gone).to.deep.equal(['ok', 'not-found']);
  });

  it('a deletion against a creation under it', async () => {
    const { ada, asAda, workspaceId } = await newWorkspace();
    for (const deleting of [true, false]) {
      const parent = await asAda.pages.create({ workspaceId, name: 'P', type: 'folder' });
      const remove = (by: Person) => by.pages.delete({ workspaceId, pageId: parent.id });
      const create = (by: Person) => by.pages.create({ workspaceId, name: 'C', type: 'folder', parentId: parent.id });
      const [first, second] = deleting ? [remove, create] : [create, remove];
      const results = await race(
        () => first(asAda),
        () => second(other.as(ada)),
      );
      expect(results).to.deep.equal(deleting ? ['ok', 'unusable-reference'] : ['ok', 'ok']);
      expect((await asAda.pages.list({ workspaceId })).filter(({ type }) => type === 'folder').length).to.equal(0);
    }
  });

  it('a board is deleted while a task is made on it', async () => {
    const { ada, asAda, workspaceId, board } = await newWorkspace();
    const results = await race(
      () => asAda.boards.delete({ workspaceId, boardId: board.id }),
      () => other.as(ada).tasks.create(task(workspaceId, board)),
    );
    expect(results).to.deep.equal(['ok', 'unusable-reference']);
  });

  it('a status is removed while a task goes into it', async () => {
    const { ada, asAda, workspaceId, board } = await newWorkspace();
    for (const removing of [true, false]) {
      const status = await asAda.statuses.create({ workspaceId, boardId: board.id, name: 'Next' });
      const remove = (by: Person) => by.statuses.delete({ workspaceId, boardId: board.id, statusId: status.id });
      const create = (by: Person) => by.tasks.create({ ...task(workspaceId, board), statusId: status.id });
      const [first, second] = removing ? [remove, create] : [create, remove];
      const results = await race(
        () => first(asAda),
        () => second(other.as(ada)),
      );
      expect(results).to.deep.equal(removing ? ['ok', 'unusable-reference'] : ['ok', 'status-not-empty']);
    }
  });

  it('a tag is removed while it is put on a task', async () => {
    const { ada, asAda, workspaceId, board } = await newWorkspace();
    const { id: taskId } = await asAda.tasks.create(task(workspaceId, board));
    for (const removing of [true, false]) {
      const tag = await asAda.tags.create({ workspaceId, boardId: board.id, name: 'red' });
      const remove = (by: Person) => by.tags.delete({ workspaceId, boardId: board.id, tagId: tag.id });
      const add = (by: Person) => by.tasks.addTag({ workspaceId, taskId, tagId: tag.id });
      const [first, second] = removing ? [remove, add] : [add, remove];
      const results = await race(
        () => first(asAda),
        () => second(other.as(ada)),
      );
      expect(results).to.deep.equal(removing ? ['ok', 'unusable-reference'] : ['ok', 'ok']);
      expect((await asAda.tasks.get({ workspaceId, taskId })).tags).to.deep.equal([]);
    }
  });

  it('an invitation is taken twice, by one user and by two', async () => {
    const { user, bob, asAda, workspaceId } = await newWorkspace();
    const eve = await user('eve');
    const first = await asAda.invitations.create({ workspaceId });
    const join = (service: Service, userId: string, id: string) =>
      service.as(userId).invitations.join({ invitationId: id });
    const once = await race(
      () => join(one, bob, first.id),
      () => join(other, bob, first.id),
    );
    expect(once).to.deep.equal(['ok', 'invitation-unusable']);
    const second = await asAda.invitations.create({ workspaceId });
    const twice = await race(
      () => join(one, eve, second.id),
      () => join(other, bob, second.id),
    );
    expect(twice).to.deep.equal(['ok', 'invitation-unusable']);
    expect((await asAda.members.list({ workspaceId })).length).to.equal(3);
  });

  it('the last two owners leave', async () => {
    const { bob, asAda, workspaceId } = await newWorkspace();
    const { id: bobs } = await member(workspaceId, asAda, bob, 40);
    const { memberId } = await asAda.workspaces.get({ workspaceId });
    const results = await race(
      () => asAda.members.remove({ workspaceId, memberId }),
      () => other.as(bob).members.remove({ workspaceId, memberId: bobs }),
    );
    expect(results).to.deep.equal(['ok', 'last-owner']);
  });

  it('an owner leaves while the other one is disabled', async () => {
    const { operator, bob, asAda, workspaceId } = await newWorkspace();
    await member(workspaceId, asAda, bob, 40);
    const { memberId } = await asAda.workspaces.get({ workspaceId });
    const results = await race(
      () => asAda.members.remove({ workspaceId, memberId }),
      () => other.engine.users.update(operator, { userId: bob, disabled: true }),
    );
    expect(results).to.deep.equal(['ok', 'last-owner']);
  });

  it('two administrators step down', async () => {
    const { operator, ada, bob } = await newWorkspace();
    for (const userId of [ada, bob]) await one.engine.users.update(operator, { userId, administrator: true });
    const results = await race(
      () => one.engine.users.update(operator, { userId: ada, administrator: false }),
      () => other.engine.users.update(operator, { userId: bob, administrator: false }),
    );
    expect(results.toSorted()).to.deep.equal(['last-administrator', 'ok']);
  });

  it('access is revoked while it is used', async () => {
    const { bob, asAda, workspaceId, board } = await newWorkspace();
    const { id: memberId } = await member(workspaceId, asAda, bob, 10);
    const grant = { workspaceId, pageId: board.id, memberId };
    await asAda.access.grant({ ...grant, access: 300 });
    const results = await race(
      () => asAda.access.revoke(grant),
      () => other.as(bob).tasks.create(task(workspaceId, board)),
    );
    expect(results).to.deep.equal(['ok', 'unusable-reference']);
  });

  it('a token is revoked, or its user disabled, while it is used: nothing comes after', async () => {
    const { operator, bob, asAda, workspaceId, board } = await newWorkspace();
    await member(workspaceId, asAda, bob);
    const token = await one.engine.tokens.createFor(operator, { userId: bob, name: 'laptop' });
    const caller = { kind: 'token', hash: `hash of ${token.token}` } as const;
    const use = () => one.engine.tasks.create({ caller }, task(workspaceId, board));
    const revoked = await race(use, () => other.as(bob).tokens.revoke({ tokenId: token.id }));
    expect(revoked).to.deep.equal(['unauthenticated', 'ok']);
    const disabled = await race(
      () => one.as(bob).tasks.create(task(workspaceId, board)),
      () => other.engine.users.update(operator, { userId: bob, disabled: true }),
    );
    expect(disabled).to.deep.equal(['unauthenticated', 'ok']);
    expect((await asAda.tasks.list({ workspaceId })).items).to.deep.equal([]);
  });

  it('many at once go for the last places that a quota leaves', () =>
    raceForPlaces(async (quotas) => [one, other].map(({ ports }) => createEngine({ ...ports, quotas }))));

  it('a revocation holds in the other process at its next request', async () => {
    const { bob, asAda, workspaceId, board } = await newWorkspace();
    const { id: memberId } = await member(workspaceId, asAda, bob, 10);
    const grant = { workspaceId, pageId: board.id, memberId };
    const there = other.as(bob);
    for (let round = 0; round < 20; round += 1) {
      await asAda.access.grant({ ...grant, access: 100 });
      expect((await there.boards.get({ workspaceId, boardId: board.id })).id).to.equal(board.id);
      await asAda.access.revoke(grant);
      expect(await outcome(there.boards.get({ workspaceId, boardId: board.id }))).to.equal('not-found');
    }
  });
});
