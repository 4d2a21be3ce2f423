import { expect } from 'chai';
import { newId, purge } from '../../../contract/records.ts';
import { type Person } from '../../../fixtures/world/world.ts';
import { type Service } from '../service.ts';
import { betweenTwoProcesses, newTask } from './race.ts';

describe('races of content between two processes', function () {
  this.timeout(60_000);
  const processes = betweenTwoProcesses();

  it('two go by what is stored of a workspace that is only being made', async () => {
    const workspaceId = newId();
    const seen: number[] = [];
    const write = ({ store }: Service) =>
      store.write(async (tx) => {
        seen.push((await tx.jobs.list('ofWorkspace', { workspaceId }, { limit: 9 })).length);
        await tx.jobs.insert(purge(workspaceId));
      });
    const hold = processes.one.holdNext();
    const held = write(processes.one);
    await hold.reached;
    await write(processes.other);
    hold.goOn();
    await held;
    expect(seen).to.deep.equal([0, 0, 1]);
  });

  it('two moves that would make a cycle', async () => {
    const { ada, asAda, workspaceId } = await processes.newWorkspace();
    const page = (name: string) => asAda.pages.create({ workspaceId, name, type: 'folder' });
    const [a, b] = [await page('A'), await page('B')];
    const results = await processes.run(
      () => asAda.pages.update({ workspaceId, pageId: a.id, parentId: b.id }),
      () => processes.other.as(ada).pages.update({ workspaceId, pageId: b.id, parentId: a.id }),
    );
    expect(results).to.deep.equal(['ok', 'page-cycle']);
  });

  it('two links that would make a cycle', async () => {
    const { ada, asAda, workspaceId, board } = await processes.newWorkspace();
    const [a, b] = [
      await asAda.tasks.create(newTask(workspaceId, board)),
      await asAda.tasks.create(newTask(workspaceId, board)),
    ];
    for (const type of ['parent', 'blocks'] as const) {
      const link = (by: Person, from: { id: string }, to: { id: string }) =>
        by.tasks.link({ workspaceId, fromTaskId: from.id, type, taskId: to.id });
      const results = await processes.run(
        () => link(asAda, a, b),
        () => link(processes.other.as(ada), b, a),
      );
      expect(results).to.deep.equal(['ok', 'link-cycle']);
    }
  });

  it('many tasks are changed while one of them is', async () => {
    const { ada, asAda, workspaceId, board } = await processes.newWorkspace();
    for (const manyFirst of [true, false]) {
      const made = [newTask(workspaceId, board), newTask(workspaceId, board)];
      const taskIds = (await asAda.tasks.createMany({ workspaceId, tasks: made })).map(({ id }) => id);
      const many = (by: Person) => by.tasks.updateMany({ workspaceId, taskIds, set: { priority: 5 } });
      const single = (by: Person) => by.tasks.update({ workspaceId, taskId: taskIds[0]!, title: 'renamed' });
      const [first, second] = manyFirst ? [many, single] : [single, many];
      const results = await processes.run(
        () => first(asAda),
        () => second(processes.other.as(ada)),
      );
      expect(results).to.deep.equal(['ok', 'ok']);
      const { title, priority, version } = await asAda.tasks.get({ workspaceId, taskId: taskIds[0]! });
      expect([title, priority, version]).to.deep.equal(['renamed', 5, 3]);
    }
  });

  it('many tasks are changed by a filter while it comes to find another', async () => {
    const { ada, asAda, workspaceId, board } = await processes.newWorkspace();
    await asAda.tasks.create(newTask(workspaceId, board));
    const filter = { boardId: [board.id] };
    const results = await processes.run(
      () => asAda.tasks.create(newTask(workspaceId, board)),
      () => processes.other.as(ada).tasks.updateMany({ workspaceId, filter, count: 1, set: { priority: 5 } }),
    );
    expect(results).to.deep.equal(['ok', 'count-mismatch']);
    const again = await processes.run(
      () => asAda.tasks.updateMany({ workspaceId, filter, count: 2, set: { priority: 5 } }),
      () => processes.other.as(ada).tasks.create(newTask(workspaceId, board)),
    );
    expect(again).to.deep.equal(['ok', 'ok']);
    const { items } = await asAda.tasks.list({ workspaceId });
    expect(items.map(({ priority }) => priority)).to.deep.equal([5, 5, 0]);
  });

  it('many tasks are deleted while one of them is', async () => {
    const { ada, asAda, workspaceId, board } = await processes.newWorkspace();
    for (const manyFirst of [true, false]) {
      const made = [newTask(workspaceId, board), newTask(workspaceId, board)];
      const taskIds = (await asAda.tasks.createMany({ workspaceId, tasks: made })).map(({ id }) => id);
      const many = (by: Person) => by.tasks.deleteMany({ workspaceId, taskIds });
      const single = (by: Person) => by.tasks.delete({ workspaceId, taskId: taskIds[0]! });
      const [first, second] = manyFirst ? [many, single] : [single, many];
      const results = await processes.run(
        () => first(asAda),
        () => second(processes.other.as(ada)),
      );
      expect(results).to.deep.equal(['ok', manyFirst ? 'not-found' : 'unusable-reference']);
      expect((await asAda.tasks.list({ workspaceId, count: true })).total).to.equal(manyFirst ? 0 : 1);
    }
  });

  it('a board is copied while it is deleted, or its target is', async () => {
    const { ada, asAda, workspaceId, board } = await processes.newWorkspace();
    await asAda.tasks.create(newTask(workspaceId, board));
    const folder = await asAda.pages.create({ workspaceId, name: 'F', type: 'folder' });
    const copy = (by: Person) =>
      by.boards
        .copy({ workspaceId, boardId: board.id, parentId: folder.id, tasks: true })
        .then(({ board: made }) => made);
    for (const pageId of [folder.id, board.id]) {
      const remove = (by: Person) => by.pages.delete({ workspaceId, pageId });
      const restore = () => asAda.trash.restore({ workspaceId, trashId: pageId });
      const first = await processes.run(
        () => copy(asAda),
        () => remove(processes.other.as(ada)),
      );
      expect(first[0]).to.be.oneOf(['ok', 'copy-failed', 'not-found']);
      await restore();
      const second = await processes.run(
        () => remove(asAda),
        () => copy(processes.other.as(ada)),
      );
      expect(second).to.deep.equal(['ok', pageId === board.id ? 'not-found' : 'unusable-reference']);
      await restore();
    }
  });

  it('something is restored twice, or while it is deleted for good', async () => {
    const { ada, asAda, workspaceId, board } = await processes.newWorkspace();
    await asAda.tasks.create(newTask(workspaceId, board));
    const at = { workspaceId, trashId: board.id };
    const restore = (by: Person) => by.trash.restore(at);
    await asAda.boards.delete({ workspaceId, boardId: board.id });
    const twice = await processes.run(
      () => restore(asAda),
      () => restore(processes.other.as(ada)),
    );
    expect(twice).to.deep.equal(['ok', 'not-found']);
    expect((await asAda.tasks.list({ workspaceId, count: true })).total).to.equal(1);
    await asAda.boards.delete({ workspaceId, boardId: board.id });
    const gone = await processes.run(
      () => asAda.trash.delete(at),
      () => restore(processes.other.as(ada)),
    );
    expect(gone).to.deep.equal(['ok', 'not-found']);
  });

  it('a deletion against a creation under it', async () => {
    const { ada, asAda, workspaceId } = await processes.newWorkspace();
    for (const deleting of [true, false]) {
      const parent = await asAda.pages.create({ workspaceId, name: 'P', type: 'folder' });
      const remove = (by: Person) => by.pages.delete({ workspaceId, pageId: parent.id });
      const create = (by: Person) => by.pages.create({ workspaceId, name: 'C', type: 'folder', parentId: parent.id });
      const [first, second] = deleting ? [remove, create] : [create, remove];
      const results = await processes.run(
        () => first(asAda),
        () => second(processes.other.as(ada)),
      );
      expect(results).to.deep.equal(deleting ? ['ok', 'unusable-reference'] : ['ok', 'ok']);
      expect((await asAda.pages.list({ workspaceId })).filter(({ type }) => type === 'folder').length).to.equal(0);
    }
  });

  it('a board is deleted while a task is made on it', async () => {
    const { ada, asAda, workspaceId, board } = await processes.newWorkspace();
    const results = await processes.run(
      () => asAda.boards.delete({ workspaceId, boardId: board.id }),
      () => processes.other.as(ada).tasks.create(newTask(workspaceId, board)),
    );
    expect(results).to.deep.equal(['ok', 'unusable-reference']);
  });

  it('a status is removed while a task goes into it', async () => {
    const { ada, asAda, workspaceId, board } = await processes.newWorkspace();
    for (const removing of [true, false]) {
      const status = await asAda.statuses.create({ workspaceId, boardId: board.id, name: 'Next' });
      const remove = (by: Person) => by.statuses.delete({ workspaceId, boardId: board.id, statusId: status.id });
      const create = (by: Person) => by.tasks.create({ ...newTask(workspaceId, board), statusId: status.id });
      const [first, second] = removing ? [remove, create] : [create, remove];
      const results = await processes.run(
        () => first(asAda),
        () => second(processes.other.as(ada)),
      );
      expect(results).to.deep.equal(removing ? ['ok', 'unusable-reference'] : ['ok', 'status-not-empty']);
    }
  });

  it('a tag is removed while it is put on a task', async () => {
    const { ada, asAda, workspaceId, board } = await processes.newWorkspace();
    const { id: taskId } = await asAda.tasks.create(newTask(workspaceId, board));
    for (const removing of [true, false]) {
      const tag = await asAda.tags.create({ workspaceId, boardId: board.id, name: 'red' });
      const remove = (by: Person) => by.tags.delete({ workspaceId, boardId: board.id, tagId: tag.id });
      const add = (by: Person) => by.tasks.addTag({ workspaceId, taskId, tagId: tag.id });
      const [first, second] = removing ? [remove, add] : [add, remove];
      const results = await processes.run(
        () => first(asAda),
        () => second(processes.other.as(ada)),
      );
      expect(results).to.deep.equal(removing ? ['ok', 'unusable-reference'] : ['ok', 'ok']);
      expect((await asAda.tasks.get({ workspaceId, taskId })).tags).to.deep.equal([]);
    }
  });
});
