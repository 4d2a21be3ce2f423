import { expect } from 'chai';
import { PREFIX } from '../../../adapters/store-kv/engine/key-prefixes.ts';
import { countingKvStore } from '../../fixtures/store/counting-kv-store.ts';
import { newTeam } from '../../fixtures/world/team.ts';
import { newWorld } from '../../fixtures/world/world.ts';

describe('a list of one task by its number or external id', () => {
  it('reads no others', async () => {
    const asked = { got: [] as string[], put: [] };
    const { member, at, board } = await newTeam(newWorld(countingKvStore(asked)));
    const { id: boardId } = await board('Board');
    const tasks = Array.from({ length: 200 }, (_, n) => ({ boardId, title: `${n}`, externalId: `e${n + 1}` }));
    await member.tasks.createMany({ ...at, tasks });
    for (const filter of [{ num: [150] }, { externalId: ['e150'] }]) {
      asked.got.length = 0;
      const { items } = await member.tasks.list({ ...at, ...filter });
      expect(items.map(({ num }) => num)).to.deep.equal([150]);
      expect(asked.got.filter((prefix) => prefix === PREFIX.task).length).to.be.below(5);
    }
  });
});
