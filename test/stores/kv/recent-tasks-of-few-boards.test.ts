import { expect } from 'chai';
import { PREFIX } from '../../../adapters/store-kv/engine/key-prefixes.ts';
import type { ListTasks } from '../../../core/index.ts';
import { countingKvStore } from '../../fixtures/store/counting-kv-store.ts';
import { newTeam } from '../../fixtures/world/team.ts';
import { newWorld } from '../../fixtures/world/world.ts';

const TASKS = 4_000;
const PER_CALL = 1_000;

describe('a list of recent or assigned tasks', () => {
  it('costs a reader of few boards little, whatever has changed on boards that they do not see', async () => {
    const asked = { got: [] as string[], put: [] };
    const { owner, guest, at, board, task, grant, world } = await newTeam(newWorld(countingKvStore(asked)));
    const [{ id: seen }, { id: hidden }] = [await board('Seen'), await board('Hidden')];
    await board('Other');
    await grant(seen, guest, 100);
    const ids = [await task(seen, 'first'), await task(seen, 'second')];
    const assignees = [owner.memberId];
    await owner.tasks.updateMany({ ...at, taskIds: ids, set: { assignees } });
    world.pass(1);
    await owner.tasks.update({ ...at, taskId: ids[0]!, title: 'changed' });
    for (let n = 0; n < TASKS; n += PER_CALL) {
      const tasks = Array.from({ length: PER_CALL }, (_, i) => ({ boardId: hidden, title: `${n + i}`, assignees }));
      await owner.tasks.createMany({ ...at, tasks });
    }
    const filters: Partial<ListTasks>[] = [{}, { updatedSince: '2000-01-01T00:00:00.000Z' }, { assigneeId: assignees }];
    for (const filter of filters) {
      for (const [sort, order] of [
        ['-updatedAt', ids],
        ['updatedAt', ids.toReversed()],
        ['title', ids],
        ['-num', ids.toReversed()],
      ] as const) {
        asked.got.length = 0;
        const { items } = await guest.tasks.list({ ...at, ...filter, sort: [sort] });
        expect(items.map(({ id }) => id)).to.deep.equal(order);
        const tasks = asked.got.filter((prefix) => prefix === PREFIX.task).length;
        expect(tasks, `${JSON.stringify(filter)} ${sort}`).to.be.below(TASKS / 2);
      }
    }
  });
});
