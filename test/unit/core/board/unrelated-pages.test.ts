import { expect } from 'chai';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import type { ReadTransaction } from '../../../../core/ports/store.ts';
import { watchedCalls, wrappedStore } from '../../../fixtures/store/wrapped-store.ts';
import { newTeam } from '../../../fixtures/world/team.ts';
import { newWorld } from '../../../fixtures/world/world.ts';

/** The methods of structures that are called, in a team of their own. */
async function watchedTeam() {
  const called: string[] = [];
  const read = (tx: ReadTransaction): ReadTransaction => {
    const get: typeof tx.structures.get = async (...given) => {
      const structure = await tx.structures.get(...given);
      return structure && watchedCalls(structure, (method) => void called.push(method));
    };
    const structures = new Proxy(tx.structures, {
      get: (target, name) => (name === 'get' ? get : Reflect.get(target, name)),
    });
    return new Proxy(tx, {
      get: (target, name) => (name === 'structures' ? structures : Reflect.get(target, name)),
    });
  };
  return { called, team: await newTeam(newWorld(wrappedStore(memoryStore(), { read }))) };
}

const DEPTH = 20;
const PAGES = 30;

describe('what is asked of one board after a change of pages', () => {
  it('is answered without a walk through the tree', async () => {
    const { called, team } = await watchedTeam();
    const visited = () => called.filter((method) => method === 'pages' || method === 'children');
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
    expect(visited()).to.deep.equal([]);
    await owner.pages.list(at);
    expect(visited()).not.to.deep.equal([]);
  });

  it('is answered without a walk up the tree for each page of a task', async () => {
    const { called, team } = await watchedTeam();
    const { member, at } = team;
    let parentId: string | null = null;
    for (let depth = 0; depth < DEPTH; depth += 1) parentId = await team.page('Folder', parentId);
    const { id: boardId } = await team.board('Board', parentId);
    for (let n = 0; n < PAGES; n += 1) await team.pagedTask(boardId, parentId);
    called.length = 0;
    const { statuses } = await member.boards.get({ ...at, boardId });
    expect(statuses.map(({ taskCount }) => taskCount)).to.deep.equal([PAGES]);
    expect(called.filter((method) => method === 'page').length).to.be.within(DEPTH, 4 * DEPTH);
  });
});
