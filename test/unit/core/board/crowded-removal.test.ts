import { expect } from 'chai';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import type { Store } from '../../../../core/ports/store.ts';
import { newTeam } from '../../../fixtures/world/team.ts';
import { newWorld } from '../../../fixtures/world/world.ts';

const LIMIT = 2 ** 52;
const CROWD = 600;
/** Room at the end of the column: for the first tasks that move, not for the others. */
const FREE = 40;
const MOVING = 200;
/** Steps of moving 50 tasks, and of respreading 50, with some of counting. */
const MOST_WRITES = 60;

describe('a status that is removed', () => {
  it('moves its tasks into a column that is full on the way, which is respread meanwhile, and nothing is tried in vain', async () => {
    const memory = memoryStore();
    let writes = 0;
    const store: Store = {
      read: memory.read.bind(memory),
      write: (work) => {
        writes += 1;
        if (writes > 10 * MOST_WRITES) throw new Error('It goes on and on.');
        return memory.write(work);
      },
      ready: () => memory.ready(),
      close: () => memory.close(),
    };
    // Nothing runs in the background.
    const { owner, at, board: newBoard, world } = await newTeam(newWorld(store));
    const board = await newBoard('Board');
    const { id: statusId } = await owner.statuses.create({ ...at, boardId: board.id, name: 'Full' });
    const crowd = Array.from({ length: CROWD }, (_, n) => {
      const behind = CROWD - 1 - n;
      const statusOrderKey = LIMIT - FREE - behind - Math.floor(behind / 200);
      return { boardId: board.id, statusId, title: `Full ${n}`, statusOrderKey };
    });
    await owner.tasks.createMany({ ...at, tasks: crowd });
    const moving = Array.from({ length: MOVING }, (_, n) => ({ boardId: board.id, title: `Moving ${n}` }));
    await owner.tasks.createMany({ ...at, tasks: moving });
    writes = 0;
    await owner.statuses.delete({ ...at, boardId: board.id, statusId: board.todo, moveTo: statusId });
    expect(writes).to.be.at.most(MOST_WRITES);
    const titles: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const slice: { items: readonly { title: string }[]; next: string | null } = await owner.tasks.list({
        ...at,
        sort: ['position'],
        limit: 500,
        ...(cursor !== undefined && { cursor }),
      });
      titles.push(...slice.items.map(({ title }) => title));
      cursor = slice.next;
    }
    expect(titles).to.deep.equal([...crowd, ...moving].map(({ title }) => title));
    await world.purge();
    expect((await owner.boards.get({ ...at, boardId: board.id })).statuses.map(({ id }) => id)).to.include(statusId);
  });
});
