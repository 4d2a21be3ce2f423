import { assert } from 'chai';
import { board, member, newId, page, task, workspace } from '../../../contract/records.ts';
import { emptyMongodbStore, mongodbUrl } from '../../../fixtures/mongodb/mongodb.ts';
import { type Service, serviceOn } from '../service.ts';
import { documentsExamined, profiled } from './examined.ts';

const NONE: ReadonlySet<string> = new Set();

describe('what the database reads', function () {
  this.timeout(60_000);
  let service: Service;

  before(async function () {
    await mongodbUrl(this);
    service = await serviceOn((options) => emptyMongodbStore('examined', options));
  });

  after(() => service?.store.close());

  it('a list by position reads little more than it gives behind many empty columns', async () => {
    const operator = { caller: { kind: 'operator' } } as const;
    const { id: userId } = await service.engine.users.create(operator, { name: 'Dan', email: 'dan@example.org' });
    const dan = service.as(userId);
    const { id: workspaceId } = await dan.workspaces.create({ name: 'Empty' });
    const { id: boardId } = await dan.boards.create({ workspaceId, name: 'Empty' });
    for (let n = 0; n < 40; n += 1) await dan.statuses.create({ workspaceId, boardId, name: `S${n}` });
    const { statuses } = await dan.boards.get({ workspaceId, boardId });
    const tasks = Array.from({ length: 600 }, (_, i) => ({
      boardId,
      title: 'T',
      statusId: statuses[36 + (i % 3)]!.id,
    }));
    await dan.tasks.createMany({ workspaceId, tasks });
    const list = { workspaceId, sort: ['position'], limit: 10 } as const;
    const examined = await documentsExamined('examined', async () => {
      const { items, next } = await dan.tasks.list(list);
      const { items: more } = await dan.tasks.list({ ...list, cursor: next! });
      assert.deepEqual(
        [...items, ...more].map(({ num }) => num),
        Array.from({ length: 20 }, (_, i) => 3 * i + 1),
      );
    });
    assert(examined.length >= 2 && Math.max(...examined) < 50, `${String(examined)} documents were read`);
  });

  it('a list of tasks that are seen without their boards takes no more than it gives from the database', async () => {
    const operator = { caller: { kind: 'operator' } } as const;
    const { id: userId } = await service.engine.users.create(operator, { name: 'Hal', email: 'hal@example.org' });
    const { id: guestId } = await service.engine.users.create(operator, { name: 'Ian', email: 'ian@example.org' });
    const [hal, guest] = [service.as(userId), service.as(guestId)];
    const { id: workspaceId } = await hal.workspaces.create({ name: 'Alone' });
    const { id: boardId } = await hal.boards.create({ workspaceId, name: 'Alone' });
    await hal.statuses.create({ workspaceId, boardId, name: 'One' });
    const folder = await hal.pages.create({ workspaceId, name: 'Shared', type: 'folder', parentId: boardId });
    for (let n = 0; n < 60; n += 1)
      await hal.pages.create({ workspaceId, name: `T${n}`, type: 'task', parentId: folder.id });
    const { id: invitationId } = await hal.invitations.create({ workspaceId, role: 10 });
    const { id: memberId } = await guest.invitations.join({ invitationId });
    await hal.access.grant({ workspaceId, pageId: folder.id, memberId, access: 100 });
    await guest.tasks.list({ workspaceId });
    for (const sort of ['num', '-num', 'title', 'updatedAt', '-updatedAt', 'position', '-position'] as const) {
      const queries = await profiled('examined', async () => {
        const { items, next } = await guest.tasks.list({ workspaceId, sort: [sort], limit: 5 });
        const { items: more } = await guest.tasks.list({ workspaceId, sort: [sort], limit: 5, cursor: next! });
        assert(new Set([...items, ...more].map(({ id }) => id)).size === 10);
      });
      const given = queries.map((query) => query['nreturned'] as number);
      assert(given.length >= 2 && Math.max(...given) < 10, `${String(given)} documents were given by ${sort}`);
    }
  });

  it('a list by number of many tasks that are seen without their boards reads little more than it gives', async () => {
    const home = board(newId());
    const tasks = Array.from({ length: 2_200 }, (_, i) => task(home, i + 1));
    await service.store.write(async (tx) => {
      for (const one of tasks) await tx.tasks.insert(one);
    });
    const withoutBoard = new Set(tasks.filter((_, i) => i % 2 === 1).map(({ id }) => id));
    const query = { workspaceId: home.workspaceId, scope: { boards: NONE, hidden: NONE, withoutBoard }, filters: [] };
    const sort = (['num', 'id'] as const).map((field) => ({ field, descending: false }));
    const examined = await documentsExamined('examined', async () => {
      const after = [1_000, tasks[999]!.id];
      const found = await service.store.read((tx) => tx.tasks.find({ ...query, sort, after, limit: 3 }));
      assert.deepEqual(
        found.map(({ num, boardId }) => [num, boardId]),
        [1_002, 1_004, 1_006].map((num) => [num, null]),
      );
    });
    assert(examined.length >= 1 && Math.max(...examined) < 30, `${String(examined)} documents were read`);
  });

  it('a part of the stored pages below a page reads little more than it gives', async () => {
    const home = workspace();
    const [top, beside] = [page(home.id), page(home.id)];
    const below = Array.from({ length: 300 }, (_, i) => page(home.id, { parentId: top.id, orderKey: (i * 7) % 100 }));
    await service.store.write(async (tx) => {
      const structure = await tx.structures.insert(home, member(home.id));
      await tx.structures.change(structure, { pages: [top, beside, ...below] });
    });
    const inOrder = below.toSorted((a, b) => a.orderKey - b.orderKey || (a.id < b.id ? -1 : 1));
    const examined = await documentsExamined('examined', async () => {
      for (const after of [null, inOrder[100]!, inOrder[200]!]) {
        const found = await service.store.read((tx) => tx.structures.storedChildren(home.id, top.id, after, 10));
        const from = after === null ? 0 : inOrder.indexOf(after) + 1;
        assert.deepEqual(
          found.map(({ id }) => id),
          inOrder.slice(from, from + 10).map(({ id }) => id),
        );
      }
    });
    assert(examined.length >= 3 && Math.max(...examined) < 30, `${String(examined)} documents were read`);
  });
});
