import { expect } from 'chai';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import type { Page } from '../../../../core/model/workspace/page.ts';
import type { TrashAddress } from '../../../../core/trash/items.ts';
import { createEngine } from '../../../../core/engine.ts';
import { board, page, task } from '../../../contract/records.ts';
import { countingStore } from '../../../fixtures/store/counting-store.ts';
import { newTrashTeam } from '../../../fixtures/suite/trash-team.ts';
import type { Colleague } from '../../../fixtures/world/team.ts';
import { personOf, type World } from '../../../fixtures/world/world.ts';

const DEPTH = 10;
/** Several times as many as are read at once. */
const TASKS = 2_500;
const BOARDS = 2_500;

/** The most pages that an owner looks at in one step of restoring an item. */
async function mostPagesInStep(
  { ports }: World,
  asked: { readonly pages: number },
  { userId }: Colleague,
  item: TrashAddress,
) {
  let [most, before] = [0, asked.pages];
  const step = () => {
    most = Math.max(most, asked.pages - before);
    before = asked.pages;
    return null;
  };
  const engine = createEngine({ ...ports, yielder: () => ({ step }) });
  await personOf(engine, userId, 'Owner').trash.restore(item);
  return most;
}

describe('the steps of restoring pages', () => {
  it('look at few each, where very many pages of the tasks of a board stood far down in what is gone', async () => {
    const { store, asked } = countingStore(memoryStore());
    const { owner, at, workspaceId, world, page: newPage, board: newBoard } = await newTrashTeam(store);
    const onBoard = await newBoard('Board');
    const folder = await newPage('Folder');
    let parentId = folder;
    for (let n = 1; n < DEPTH; n += 1) parentId = await newPage(`Folder ${n}`, parentId);
    const ids = await world.store.write(async (tx) => {
      const on = (await tx.boards.get(workspaceId, onBoard.id))!;
      await tx.tasks.reserveNums(workspaceId, TASKS);
      const tasks = Array.from({ length: TASKS }, (_, n) => task(on, n + 1));
      for (const each of tasks) await tx.tasks.insert(each);
      const pages = tasks.map(({ id, num }) =>
        page(workspaceId, { id, type: 'task', contentId: id, boardId: on.id, parentId, orderKey: num }),
      );
      await tx.structures.change((await tx.structures.get(workspaceId))!, { pages });
      return tasks.map(({ id }) => id);
    });
    await owner.pages.delete({ ...at, pageId: onBoard.id });
    await owner.pages.delete({ ...at, pageId: folder });

    const most = await mostPagesInStep(world, asked, owner, { ...at, trashId: onBoard.id });
    expect(most).to.be.below(TASKS / 2);

    const after = await owner.pages.list(at);
    const below = after.filter((each) => each.parentId === onBoard.id).map(({ id }) => id);
    expect(below.toSorted()).to.deep.equal(ids.toSorted());
  });

  it('look at few each, where pages of the tasks of very many boards stand below a page, and the boards were deleted before it', async () => {
    const { store, asked } = countingStore(memoryStore());
    const { owner, at, workspaceId, world, page: newPage } = await newTrashTeam(store);
    const [folder, other] = [await newPage('Folder'), await newPage('Other')];
    await world.store.write(async (tx) => {
      await tx.tasks.reserveNums(workspaceId, BOARDS);
      const pages: Page[] = [];
      for (let n = 0; n < BOARDS; n += 1) {
        const on = board(workspaceId);
        const { id, num } = task(on, n + 1);
        pages.push(page(workspaceId, { id: on.id, type: 'board', contentId: on.id, parentId: other, orderKey: n }));
        pages.push(
          page(workspaceId, { id, type: 'task', contentId: id, boardId: on.id, parentId: folder, orderKey: num }),
        );
      }
      await tx.structures.change((await tx.structures.get(workspaceId))!, { pages });
    });
    await owner.pages.delete({ ...at, pageId: other });
    await owner.pages.delete({ ...at, pageId: folder });
    expect(await mostPagesInStep(world, asked, owner, { ...at, trashId: folder })).to.be.below(BOARDS / 2);
  });
});
