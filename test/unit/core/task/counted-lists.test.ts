import { expect } from 'chai';
import { PREFIX } from '../../../../adapters/store-kv/engine/key-prefixes.ts';
import { countingKvStore } from '../../../fixtures/store/counting-kv-store.ts';
import { newTeam } from '../../../fixtures/world/team.ts';
import { newWorld } from '../../../fixtures/world/world.ts';

const TASKS = 40;
const MATCHES = 3;

describe('the total of a list of tasks', () => {
  it('is the same in every slice, and takes no second search where the first slice is the whole list', async () => {
    const asked = { got: [] as string[], put: [] };
    const { owner, at, board } = await newTeam(newWorld(countingKvStore(asked)));
    const { id: boardId } = await board('Board');
    const tasks = Array.from({ length: TASKS }, (_, n) => ({
      boardId,
      title: n < MATCHES ? `rare ${n}` : `task ${n}`,
    }));
    await owner.tasks.createMany({ ...at, tasks });
    for (const limit of [1, 2, MATCHES, MATCHES + 1, 500]) {
      const list = { ...at, q: 'rare', limit, count: true };
      asked.got.length = 0;
      let slice = await owner.tasks.list(list);
      const read = asked.got.filter((prefix) => prefix === PREFIX.task).length;
      if (limit >= MATCHES) expect(read).to.be.below(2 * TASKS);
      const found = [slice];
      while (slice.next !== null) found.push((slice = await owner.tasks.list({ ...list, cursor: slice.next })));
      expect(found.map(({ total }) => total)).to.deep.equal(found.map(() => MATCHES));
      expect(found.flatMap(({ items }) => items)).to.have.length(MATCHES);
    }
  });
});
