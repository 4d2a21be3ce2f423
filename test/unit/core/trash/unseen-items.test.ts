import { expect } from 'chai';
import { PREFIX } from '../../../../adapters/store-kv/engine/key-prefixes.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import type { Store } from '../../../../core/ports/store.ts';
import { countingKvStore } from '../../../fixtures/store/counting-kv-store.ts';
import { countingStore } from '../../../fixtures/store/counting-store.ts';
import { newTrashTeam } from '../../../fixtures/suite/trash-team.ts';
import type { Colleague } from '../../../fixtures/world/team.ts';
import { outcome } from '../../../fixtures/world/world.ts';

/** More than an item lists. */
const PAGES = 201;
const TASKS = 40;

/** An item with more access of its own below it than it lists. */
async function largeItem(on: Store = memoryStore()) {
  const { store, asked } = countingStore(on);
  const team = await newTrashTeam(store);
  const { owner, member, at } = team;
  const trashId = await team.page('Folder');
  for (let i = 0; i < PAGES; i += 1) await team.grant(await team.page(`p${i}`, trashId), member, 400);
  await team.grant(trashId, member, 0);
  await owner.pages.delete({ ...at, pageId: trashId });
  asked.below = 0;
  const list = async (who: Colleague) => (await who.trash.list(at)).items.map(({ id }) => id);
  return { ...team, asked, trashId, list };
}

describe('an item of the trash with much below it', () => {
  it('costs those who may not see it no look at what is below', async () => {
    const { asked, trashId, list, at, member, guest } = await largeItem();
    for (const who of [member, guest]) {
      expect(await list(who)).to.deep.equal([]);
      expect(await outcome(who.trash.restore({ ...at, trashId }))).to.equal('not-found');
      expect(await outcome(who.trash.delete({ ...at, trashId }))).to.equal('not-found');
    }
    expect(asked.below).to.equal(0);
  });

  it('costs owners no look either, who have full access to all of it', async () => {
    const { asked, trashId, list, at, owner } = await largeItem();
    expect(await list(owner)).to.deep.equal([trashId]);
    expect(await outcome(owner.trash.delete({ ...at, trashId }))).to.equal('ok');
    expect(asked.below).to.equal(0);
  });

  it('is looked through once by others, until something has changed', async () => {
    const { asked, trashId, list, admin, page } = await largeItem();
    expect(await list(admin)).to.deep.equal([trashId]);
    expect(asked.below).to.be.above(0);
    asked.below = 0;
    expect(await list(admin)).to.deep.equal([trashId]);
    expect(asked.below).to.equal(0);
    await page('Another');
    expect(await list(admin)).to.deep.equal([trashId]);
    expect(asked.below).to.be.above(0);
  });

  it('has each page below it read once for others', async () => {
    const read = { got: [] as string[], put: [] };
    const { trashId, list, admin } = await largeItem(countingKvStore(read));
    read.got.length = 0;
    expect(await list(admin)).to.deep.equal([trashId]);
    expect(read.got.filter((prefix) => prefix === PREFIX.page).length).to.be.within(PAGES, PAGES + 10);
  });

  it('has each page below it read once to be restored, also those of the tasks of its boards', async () => {
    const read = { got: [] as string[], put: [] };
    const { owner, at, page, board, pagedTask } = await newTrashTeam(countingKvStore(read));
    const trashId = await page('Folder');
    const { id: boardId } = await board('Board', trashId);
    for (let i = 0; i < TASKS; i += 1) await pagedTask(boardId, trashId);
    await owner.pages.delete({ ...at, pageId: trashId });
    read.got.length = 0;
    await owner.trash.restore({ ...at, trashId });
    expect(read.got.filter((prefix) => prefix === PREFIX.page).length).to.be.within(TASKS, TASKS + 10);
  });
});
