import { expect } from 'chai';
import { PREFIX } from '../../../adapters/store-kv/engine/key-prefixes.ts';
import type { ListTasks } from '../../../core/index.ts';
import { countingKvStore } from '../../fixtures/store/counting-kv-store.ts';
import { newTeam } from '../../fixtures/world/team.ts';
import { newWorld } from '../../fixtures/world/world.ts';

const TASKS = 1_000;

describe('a list of the tasks with a status or tag of a hidden board', () => {
  it('does not go through them, which would tell that it is there, and how many they are', async () => {
    const asked = { got: [] as string[], put: [] };
    const { owner, guest, at, board, grant } = await newTeam(newWorld(countingKvStore(asked)));
    const [seen, hidden] = [await board('Seen'), await board('Hidden')];
    await grant(seen.id, guest, 100);
    const tag = await owner.tags.create({ ...at, boardId: hidden.id, name: 'Tag' });
    const many = Array.from({ length: TASKS }, (_, n) => ({ boardId: hidden.id, title: `${n}`, tags: [tag.id] }));
    await owner.tasks.createMany({ ...at, tasks: many });
    const filters: Partial<ListTasks>[] = [{ statusId: [hidden.todo] }, { tagId: [tag.id] }];
    for (const filter of filters) {
      for (const sort of ['num', 'title', '-updatedAt', 'position'] as const) {
        asked.got.length = 0;
        const { items, total } = await guest.tasks.list({ ...at, ...filter, sort: [sort], count: true });
        expect([items.length, total]).to.deep.equal([0, 0]);
        const tasks = asked.got.filter((prefix) => prefix === PREFIX.task).length;
        expect(tasks, `${JSON.stringify(filter)} ${sort}`).to.be.below(TASKS / 5);
      }
    }
  });
});
