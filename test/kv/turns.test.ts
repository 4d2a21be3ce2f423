import assert from 'node:assert/strict';
import { newTeam, type Team } from '../support/world-team.ts';

/** More tasks than are looked at in one turn of the event loop. */
const TASKS = 2_500;

describe('a long search', () => {
  let team: Team;

  before(async () => {
    team = await newTeam();
    const { id: boardId } = await team.board('Board');
    const tasks = Array.from({ length: TASKS / 5 }, (_, i) => ({ boardId, title: `t${i}` }));
    for (let part = 0; part < 5; part += 1) await team.owner.tasks.createMany({ ...team.at, tasks });
  });

  const searches = {
    'by an order that no index has': () => team.owner.tasks.list({ ...team.at, sort: ['title'], limit: 1 }),
    'for a text that is not there': () => team.owner.tasks.list({ ...team.at, q: 'nowhere' }),
    'that counts': () => team.owner.tasks.list({ ...team.at, q: 't', limit: 1, count: true }),
  };
  for (const [name, search] of Object.entries(searches)) {
    it(`${name} lets others run meanwhile`, async () => {
      let ran = false;
      setImmediate(() => (ran = true));
      await search();
      assert(ran);
    });
  }

  it('is of one state, whatever is written meanwhile', async () => {
    const { owner, at } = team;
    const all = owner.tasks.list({ ...at, q: 't', sort: ['title'], limit: 1, count: true });
    const [first] = (await owner.tasks.list({ ...at, limit: 1 })).items;
    await owner.tasks.delete({ ...at, taskId: first!.id });
    assert.equal((await all).total, TASKS);
  });
});
