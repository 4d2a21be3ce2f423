import { expect } from 'chai';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { createEngine } from '../../../../core/engine.ts';
import { countingStore } from '../../../fixtures/store/counting-store.ts';
import { newTrashTeam } from '../../../fixtures/suite/trash-team.ts';
import { personOf } from '../../../fixtures/world/world.ts';

const DEPTH = 30;
const TASKS = 100;

describe('the steps of restoring a board', () => {
  it('look up few pages each, where the pages of its tasks stood far down in what is gone', async () => {
    const { store, asked } = countingStore(memoryStore());
    const { owner, at, world, page, board: newBoard, pagedTask } = await newTrashTeam(store);
    const board = await newBoard('Board');
    const folder = await page('Folder');
    let parentId = folder;
    for (let n = 1; n < DEPTH; n += 1) parentId = await page(`Folder ${n}`, parentId);
    const taskIds: string[] = [];
    for (let n = 0; n < TASKS; n += 1) taskIds.push(await pagedTask(board.id, parentId));
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
    expect(most).to.be.below((DEPTH * TASKS) / 4);

    const pages = await owner.pages.list(at);
    const below = pages.filter((each) => each.parentId === board.id).map(({ id }) => id);
    expect(below.toSorted()).to.deep.equal(taskIds.toSorted());
  });
});
