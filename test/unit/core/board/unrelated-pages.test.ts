import { expect } from 'chai';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import type { ReadTransaction } from '../../../../core/ports/store.ts';
import { watchedCalls, wrappedStore } from '../../../fixtures/store/wrapped-store.ts';
import { newTeam } from '../../../fixtures/world/team.ts';
import { newWorld } from '../../../fixtures/world/world.ts';

describe('what is asked of one board after a change of pages', () => {
  it('is answered without a walk through the tree', async () => {
    const visited: string[] = [];
    const visit = (method: string): void => {
      if (method === 'pages' || method === 'children') visited.push(method);
    };
    const read = (tx: ReadTransaction): ReadTransaction => {
      const get: typeof tx.structures.get = async (...given) => {
        const structure = await tx.structures.get(...given);
        return structure && watchedCalls(structure, visit);
      };
      const structures = new Proxy(tx.structures, {
        get: (target, name) => (name === 'get' ? get : Reflect.get(target, name)),
      });
      return new Proxy(tx, {
        get: (target, name) => (name === 'structures' ? structures : Reflect.get(target, name)),
      });
    };
    const team = await newTeam(newWorld(wrappedStore(memoryStore(), { read })));
    const { owner, member, guest, at, grant } = team;
    const { id: boardId } = await team.board('Board');
    const { id: other } = await team.board('Other');
    const seen = await team.task(boardId, 'seen');
    const hidden = await team.pagedTask(boardId);
    await owner.access.changeSettings({ ...at, pageId: hidden, inherit: false, defaultAccess: 0 });
    await grant(boardId, guest, 100);
    for (const who of [owner, member, guest]) {
      for (const filter of [{ boardId: [boardId] }, { boardId: [boardId, other] }, { boardId: [boardId], q: 'seen' }]) {
        await team.page('Elsewhere');
        const { items, total } = await who.tasks.list({ ...at, ...filter, sort: ['position'], count: true });
        const ids = who === owner && filter.q === undefined ? [seen, hidden] : [seen];
        expect(items.map(({ id }) => id)).to.have.members(ids);
        expect(total).to.equal(ids.length);
      }
      await team.page('Elsewhere');
      const { statuses } = await who.boards.get({ ...at, boardId });
      expect(statuses.map(({ taskCount }) => taskCount)).to.deep.equal([who === owner ? 2 : 1]);
    }
    expect(visited).to.deep.equal([]);
    await owner.pages.list(at);
    expect(visited).not.to.deep.equal([]);
  });
});
