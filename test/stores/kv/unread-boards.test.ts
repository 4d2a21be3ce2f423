import { expect } from 'chai';
import { PREFIX } from '../../../adapters/store-kv/engine/key-prefixes.ts';
import { countingKvStore } from '../../fixtures/store/counting-kv-store.ts';
import { newTeam } from '../../fixtures/world/team.ts';
import { newWorld } from '../../fixtures/world/world.ts';

const BOARDS = 20;

describe('a list of tasks', () => {
  it('reads no boards to choose its way, which may be large each', async () => {
    const asked = { got: [] as string[], put: [] };
    const { member, at, board, task } = await newTeam(newWorld(countingKvStore(asked)));
    for (let n = 0; n < BOARDS; n += 1) await board(`Board ${n}`);
    const { id: boardId } = await board('Board');
    await task(boardId, 'Task');
    asked.got.length = 0;
    const { items, total } = await member.tasks.list({ ...at, q: 'Task', count: true });
    expect([items.length, total]).to.deep.equal([1, 1]);
    expect(asked.got.filter((prefix) => prefix === PREFIX.board)).to.deep.equal([]);
  });

  it('counts no boards, whether the caller sees one of many or all', async () => {
    const asked = { got: [] as string[], put: [], counted: [] as number[] };
    const { member, guest, at, board, task, grant } = await newTeam(newWorld(countingKvStore(asked)));
    for (let n = 0; n < BOARDS; n += 1) await task((await board(`Board ${n}`)).id, 'Task');
    const { id: boardId } = await board('Board');
    await task(boardId, 'Task');
    await grant(boardId, guest, 100);
    for (const [caller, seen] of [
      [guest, 1],
      [member, BOARDS + 1],
    ] as const) {
      for (const filter of [{}, { q: 'Task' }, { assigneeId: ['none'] }]) {
        for (const sort of ['num', 'updatedAt', 'position', 'title'] as const) {
          asked.counted.length = 0;
          const { items } = await caller.tasks.list({ ...at, ...filter, sort: [sort] });
          expect(items).to.have.length(seen);
          expect(asked.counted).to.deep.equal([]);
        }
      }
    }
  });
});
