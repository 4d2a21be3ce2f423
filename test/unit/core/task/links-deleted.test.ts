import { expect } from 'chai';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { countingGets } from '../../../fixtures/store/counted-gets.ts';
import { newTeam } from '../../../fixtures/world/team.ts';
import { DAY, newWorld, outcome } from '../../../fixtures/world/world.ts';
import { newTasks, to, hidden } from '../../../fixtures/world/linked-tasks.ts';

describe('the links of a task that is deleted', () => {
  it('stay while it is in the trash, where they still count, and come back with it', async () => {
    const { of, add, owner, at } = await newTasks(DAY);
    const [a, b, c] = [await add('a'), await add('b'), await add('c')];
    await of.link(a, 'parent', b);
    await of.link(b, 'parent', c);
    await of.link(b, 'relates', c);
    const before = await of.get(b);
    await owner.tasks.delete({ ...at, taskId: b });
    expect(await of.links(a)).to.deep.equal([hidden('parent')]);
    expect(await of.links(c)).to.deep.equal([hidden('child'), hidden('relates')]);
    expect(await outcome(of.link(a, 'parent', c))).to.equal('has-parent');
    expect(await outcome(of.link(c, 'parent', a))).to.equal('link-cycle');
    // A link may end while one end of it is in the trash.
    await of.unlinkParent(a);
    await owner.trash.restore({ ...at, trashId: b });
    expect(await of.links(b)).to.deep.equal(before.links.filter(({ type }) => type !== 'child'));
    expect(await of.links(a)).to.deep.equal([]);
    expect(await of.links(c)).to.deep.equal([to('child', b), to('relates', b)]);
  });

  it('are removed with it for good, however many there are', async () => {
    const { of, add, owner, at, world } = await newTasks(DAY);
    const gone = await add('gone');
    const others: string[] = [];
    for (let n = 0; n < 70; n += 1) {
      others.push(await add(`${n}`));
      await of.link(others[n]!, 'relates', gone);
    }
    // In the trash as well.
    await owner.tasks.delete({ ...at, taskId: others[0]! });
    await owner.tasks.delete({ ...at, taskId: gone, permanently: true });
    expect(await of.links(others[69]!)).to.deep.equal([hidden('relates')]);
    expect((await world.operator.doctor.check()).findings).to.deep.equal([]);
    await world.purge();
    for (const id of others.slice(1)) expect(await of.links(id)).to.deep.equal([]);
    await owner.trash.restore({ ...at, trashId: others[0]! });
    expect(await of.links(others[0]!)).to.deep.equal([]);
    expect((await world.operator.doctor.check()).findings).to.deep.equal([]);
  });

  it('are no fault where a task at their other end is deleted too before they are removed', async () => {
    const { of, add, owner, at, world } = await newTasks(DAY);
    const gone = await add('gone');
    let last = '';
    for (let n = 0; n < 70; n += 1) await of.link((last = await add(`${n}`)), 'relates', gone);
    for (const taskId of [gone, last]) await owner.tasks.delete({ ...at, taskId, permanently: true });
    expect((await world.operator.doctor.check()).findings).to.deep.equal([]);
    await world.purge();
    expect((await world.operator.doctor.check()).findings).to.deep.equal([]);
  });

  it('are removed with its board', async () => {
    const { of, add, owner, at, world, board } = await newTasks();
    const { id: other } = await board('Other');
    const [a, b, c] = [await add('a'), await add('b', other), await add('c', other)];
    await of.link(a, 'parent', b);
    await of.link(c, 'blocks', b);
    await owner.boards.delete({ ...at, boardId: other });
    expect(await of.links(a)).to.deep.equal([hidden('parent')]);
    await world.purge();
    expect(await of.links(a)).to.deep.equal([]);
    expect((await world.operator.doctor.check()).findings).to.deep.equal([]);
  });

  it('are removed with those of its board in steps of a bounded number of reads', async () => {
    const { store, gets } = countingGets(memoryStore());
    const { board, owner, at, world } = await newTeam(newWorld(store));
    const { id: boardId } = await board('Board');
    const tasks = Array.from({ length: 60 }, (_, i) => ({ boardId, title: `${i}` }));
    const ids = (await owner.tasks.createMany({ ...at, tasks })).map(({ id }) => id);
    for (const [i, fromTaskId] of ids.entries()) {
      for (const taskId of ids.slice(i + 1)) await owner.tasks.link({ ...at, fromTaskId, type: 'relates', taskId });
    }
    // A copy has no history: then the links are most of what is removed.
    const { id: copyId } = await owner.boards.copy({ ...at, boardId, tasks: true });
    gets.length = 0;
    await owner.boards.delete({ ...at, boardId: copyId });
    await world.purge();
    expect(Math.max(...gets)).to.be.below(1_000);
    expect((await world.operator.doctor.check()).findings).to.deep.equal([]);
  });
});
