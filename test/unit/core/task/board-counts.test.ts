import { withParts } from '../../../../core/ports/lazy-transaction.ts';
import { expect } from 'chai';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import type { ReadTransaction, Store } from '../../../../core/ports/store.ts';
import { join } from '../../../fixtures/world/workspace.ts';
import { wrappedStore } from '../../../fixtures/store/wrapped-store.ts';
import { newWorld } from '../../../fixtures/world/world.ts';

/** The store, counting how many tasks are looked at one by one to be left out of counts by status. */
function watched(store: Store): { readonly store: Store; readonly asked: number[] } {
  const asked: number[] = [];
  const watching = (tasks: ReadTransaction['tasks']): ReadTransaction['tasks'] =>
    new Proxy(tasks, {
      get(target, name) {
        if (name !== 'countAmong') return (Reflect.get(target, name) as () => unknown).bind(target);
        return (workspaceId: string, boardId: string, ids: ReadonlySet<string>) => {
          asked.push(ids.size);
          return target.countAmong(workspaceId, boardId, ids);
        };
      },
    });
  return {
    asked,
    store: wrappedStore(store, { read: (tx) => withParts(tx, { tasks: () => watching(tx.tasks) }) }),
  };
}

describe('the tasks of a board that their own pages hide', () => {
  it('are looked at again when one of them may have moved, and not for other changes', async () => {
    const { store, asked } = watched(memoryStore());
    const world = newWorld(store);
    const [ada, ben] = [await world.user('Ada'), await world.user('Ben')];
    const at = { workspaceId: (await ada.workspaces.create({ name: 'Acme' })).id };
    const memberId = await join(ada, at, ben, 20);
    const { id: boardId } = await ada.boards.create({ ...at, name: 'Dev' });
    const statuses: string[] = [];
    for (const name of ['Todo', 'Doing']) statuses.push((await ada.statuses.create({ ...at, boardId, name })).id);
    const tasks: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      const { id: taskId } = await ada.tasks.create({ ...at, boardId, title: `Task ${n}` });
      tasks.push(taskId);
      if (n > 2) continue;
      const page = await ada.pages.create({ ...at, name: `Task ${n}`, type: 'task', taskId, parentId: boardId });
      if (n < 2) await ada.access.grant({ ...at, pageId: page.id, memberId, access: 0 });
    }
    const counts = async (person: typeof ben) =>
      (await person.boards.get({ ...at, boardId })).statuses.map(({ taskCount }) => taskCount);
    const move = (n: number, status: number) =>
      ada.tasks.update({ ...at, taskId: tasks[n]!, statusId: statuses[status]! });

    expect(await counts(ada)).to.deep.equal([5, 0]);
    expect(asked).to.deep.equal([]);
    expect(await counts(ben)).to.deep.equal([3, 0]);
    expect(asked).to.deep.equal([2]);
    await move(4, 1);
    await ada.tasks.create({ ...at, boardId, title: 'One more' });
    await ada.tasks.delete({ ...at, taskId: tasks[3]! });
    expect(await counts(ben)).to.deep.equal([2, 1]);
    expect(asked).to.deep.equal([2]);
    await move(0, 1);
    expect(await counts(ben)).to.deep.equal([2, 1]);
    expect(await counts(ben)).to.deep.equal([2, 1]);
    expect(asked).to.deep.equal([2, 2]);
    await ada.tasks.delete({ ...at, taskId: tasks[0]! });
    expect(await counts(ben)).to.deep.equal([2, 1]);
    expect(await counts(ada)).to.deep.equal([3, 1]);
    expect(asked).to.deep.equal([2, 2, 1]);
  });
});
