import { expect } from 'chai';
import { createEngine } from '../../../../core/engine.ts';
import { board, tag, task } from '../../../contract/records.ts';
import { newTeam } from '../../../fixtures/world/team.ts';

const TASKS = 20;
const TAGS = 1_000;
/** Ids that are looked at between two steps. */
const IDS_PER_STEP = 64;

describe('a list of tasks with very many tags each', () => {
  it('is made in steps, with names as well as without', async () => {
    const { world, at, owner } = await newTeam();
    const { id: boardId } = await owner.boards.create({ ...at, name: 'Board' });
    const tags = Array.from({ length: TAGS }, (_, n) => tag({ name: `${n}` }));
    const wide = { ...board(at.workspaceId, { id: boardId, createdById: owner.memberId }), tags };
    await world.store.write(async (tx) => {
      await tx.boards.replace(wide);
      const first = await tx.tasks.reserveNums(at.workspaceId, TASKS);
      for (let n = 0; n < TASKS; n += 1) {
        await tx.tasks.insert(task(wide, first + n, { createdById: owner.memberId, tags: tags.map(({ id }) => id) }));
      }
    });
    let units = 0;
    const step = (taken = 1): null => {
      units += taken;
      return null;
    };
    const { tasks } = createEngine({ ...world.ports, yielder: () => ({ step }) });
    const call = { caller: { kind: 'user', userId: owner.userId } } as const;
    const enough = (TASKS * TAGS) / IDS_PER_STEP - TASKS;
    await tasks.list(call, at);
    expect(units).to.be.at.least(enough);
    const without = units;
    await tasks.list(call, { ...at, expand: ['tags'] });
    expect(units - without).to.be.at.least(2 * enough);
  });
});
