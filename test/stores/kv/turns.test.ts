import { expect } from 'chai';
import { newTeam, type Team } from '../../fixtures/world/team.ts';

/** Enough that others run while they are searched. */
const TASKS = 10_000;

describe('a long search', () => {
  let team: Team;

  before(async () => {
    team = await newTeam();
    const { id: boardId } = await team.board('Board');
    const tasks = Array.from({ length: TASKS / 10 }, (_, i) => ({ boardId, title: `t${i}` }));
    for (let part = 0; part < 10; part += 1) await team.owner.tasks.createMany({ ...team.at, tasks });
  });

  it('is of one state, whatever is written meanwhile', async () => {
    const { owner, at } = team;
    const all = owner.tasks.list({ ...at, q: 't', sort: ['title'], limit: 1, count: true });
    const [first] = (await owner.tasks.list({ ...at, limit: 1 })).items;
    await owner.tasks.delete({ ...at, taskId: first!.id });
    expect((await all).total).to.equal(TASKS);
  });
});
