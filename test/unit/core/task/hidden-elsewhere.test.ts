import { expect } from 'chai';
import { countingKvStore } from '../../../fixtures/store/counting-kv-store.ts';
import { newTeam } from '../../../fixtures/world/team.ts';
import { newWorld } from '../../../fixtures/world/world.ts';

const HIDDEN = 100;

describe('tasks that their own pages hide', () => {
  it('cost a list of another board nothing', async () => {
    const asked = { got: [] as string[], put: [] };
    const team = await newTeam(newWorld(countingKvStore(asked)));
    const { owner, admin, member, guest, at, grant } = team;
    const [first, second, third] = [await team.board('First'), await team.board('Second'), await team.board('Third')];
    const seen = [await team.task(second.id, 'one'), await team.pagedTask(second.id), await team.task(third.id, 'two')];
    for (let n = 0; n < HIDDEN; n += 1) {
      const pageId = await team.pagedTask(first.id);
      await owner.access.changeSettings({ ...at, pageId, inherit: false, defaultAccess: 0 });
      await grant(pageId, guest, 100);
    }
    const onSecond = seen.slice(0, 2);
    for (const who of [admin, member, guest]) {
      const isGuest = who === guest;
      const lists = [
        [{ boardId: [second.id] }, isGuest ? [] : onSecond],
        [{ boardId: [second.id, third.id] }, isGuest ? [] : seen],
        [{ boardId: [second.id], complete: true }, []],
      ] as const;
      for (const [filter, ids] of lists) {
        for (const sort of ['num', 'updatedAt', 'title', 'position'] as const) {
          await who.tasks.list({ ...at, ...filter, sort: [sort] });
          asked.got.length = 0;
          const { items, total } = await who.tasks.list({ ...at, ...filter, sort: [sort], count: true });
          expect(asked.got.length, `${who.name} ${sort}`).to.be.below(HIDDEN);
          expect(items.map(({ id }) => id)).to.have.members(ids);
          expect(total).to.equal(ids.length);
        }
      }
    }
  });
});
