import { expect } from 'chai';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { createEngine } from '../../../../core/engine.ts';
import { page, task } from '../../../contract/records.ts';
import { countingStore } from '../../../fixtures/store/counting-store.ts';
import { newTrashTeam } from '../../../fixtures/suite/trash-team.ts';
import { personOf } from '../../../fixtures/world/world.ts';

const DEPTH = 10;
/** Several times as many as are read at once. */
const TASKS = 2_500;

describe('the steps of restoring a board', () => {
  it('look at few pages each, where very many pages of its tasks stood far down in what is gone', async () => {
    const { store, asked } = countingStore(memoryStore());
    const { owner, at, workspaceId, world, page: newPage, board: newBoard } = await newTrashTeam(store);
    const board = await newBoard('Board');
    const folder = await newPage('Folder');
    let parentId = folder;
    for (let n = 1; n < DEPTH; n += 1) parentId = await newPage(`Folder ${n}`, parentId);
    const ids = await world.store.write(async (tx) => {
      const on = (await tx.boards.get(workspaceId, board.id))!;
      await tx.tasks.reserveNums(workspaceId, TASKS);
      const tasks = Array.from({ length: TASKS }, (_, n) => task(on, n + 1));
      for (const each of tasks) await tx.tasks.insert(each);
      const pages = tasks.map(({ id, num }) =>
        page(workspaceId, { id, type: 'task', contentId: id, boardId: on.id, parentId, orderKey: num }),
      );
      await tx.structures.change((await tx.structures.get(workspaceId))!, { pages });
      return tasks.map(({ id }) => id);
    });
    await owner.pages.delete({ ...at, pageId: board.id });
    await owner.pages.delete({ ...at, pageId: folder });

    let [most, before] = [0, asked.pages];
    const step = () => {
      most = Math.max(most, asked.pages - before);
      before = asked.pages;
      return null;
    };
    const engine = createEngine({ ...world.ports, yielder: () => ({ step }) });
    await personOf(engine, owner.userId, 'Owner').trash.restore({ ...at, trashId: board.id });
    expect(most).to.be.below(TASKS / 2);

    const after = await owner.pages.list(at);
    const below = after.filter((each) => each.parentId === board.id).map(({ id }) => id);
    expect(below.toSorted()).to.deep.equal(ids.toSorted());
  });
});
