import { expect } from 'chai';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { trash, trashRules } from '../../../fixtures/trash.ts';
import { trashProperties } from '../../../fixtures/trash-properties.ts';
import { expectSound, newTrashTeam } from '../../../fixtures/trash-team.ts';
import type { Colleague } from '../../../fixtures/team.ts';
import { outcome } from '../../../fixtures/world.ts';

describe('the trash', () => {
  trash(async () => memoryStore());
  trashRules(async () => memoryStore());
  trashProperties(async () => memoryStore(), 20);

  it('lists a page with much access of its own below it, also while the board of a task below is in the trash', async () => {
    const team = await newTrashTeam();
    const { owner, member, at } = team;
    const folder = await team.page('Folder');
    // More than an item lists.
    for (let i = 0; i <= 200; i += 1) {
      const pageId = await team.page(`p${i}`, folder);
      await owner.access.changeSettings({ ...at, pageId, inherit: false, defaultAccess: 300 });
    }
    const board = await team.board('Board');
    const taskId = await team.task(board.id, 'paged');
    await owner.pages.create({ ...at, name: 'paged', type: 'task', taskId, parentId: folder });
    const hidden = await team.page('hidden', taskId);
    await team.grant(folder, member, 400);
    await team.grant(hidden, member, 0);
    await owner.pages.delete({ ...at, pageId: folder });
    await owner.boards.delete({ ...at, boardId: board.id });
    const shown = async (who: Colleague) => (await who.trash.list(at)).items.map(({ id }) => id);
    expect(await shown(owner)).to.have.members([folder, board.id]);
    expect(await shown(member)).to.deep.equal([]);
    expect(await outcome(owner.trash.restore({ ...at, trashId: folder }))).to.equal('board-in-trash');
    expect(await outcome(member.trash.delete({ ...at, trashId: folder }))).to.equal('hidden-content');
    await owner.trash.delete({ ...at, trashId: folder });
    expect(await shown(owner)).to.deep.equal([board.id]);
    await team.world.purge();
    await expectSound(team);
  });
});
