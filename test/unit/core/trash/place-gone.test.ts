import { expect } from 'chai';
import { newTrashTeam } from '../../../fixtures/suite/trash-team.ts';
import { expectSound } from '../../../fixtures/world/team.ts';

describe('what is restored whose page above comes back with it, but elsewhere', () => {
  it('goes to the top', async () => {
    const team = await newTrashTeam();
    const { owner, at } = team;
    const [kept, gone] = [await team.page('Kept'), await team.page('Gone')];
    const [board, below] = [await team.board('Board'), await team.board('Below')];
    const ofBoard = await team.pagedTask(board.id, kept);
    const above = await team.pagedTask(below.id, gone);
    const folder = await team.page('Folder', above);
    await owner.pages.update({ ...at, pageId: board.id, parentId: folder });
    await owner.pages.update({ ...at, pageId: below.id, parentId: ofBoard });
    await owner.pages.delete({ ...at, pageId: folder });
    await owner.pages.delete({ ...at, pageId: gone, permanently: true });
    await owner.trash.restore({ ...at, trashId: folder });
    const parents = (await owner.pages.list(at)).map(({ id, parentId }) => [id, parentId]);
    expect(parents).to.have.deep.members([
      [kept, null],
      [folder, null],
      [board.id, folder],
      [ofBoard, kept],
      [below.id, ofBoard],
      [above, below.id],
    ]);
    await team.world.purge();
    await expectSound(team);
  });
});
