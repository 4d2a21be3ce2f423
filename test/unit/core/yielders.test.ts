import { expect } from 'chai';
import { createEngine } from '../../../core/engine.ts';
import { newTeam } from '../../fixtures/world/team.ts';
import { personOf } from '../../fixtures/world/world.ts';

describe('long work of a call', () => {
  it('says whether others wait for it: in its write, and not in what it reads before', async () => {
    const { at, owner, world, board: newBoard, task } = await newTeam();
    const board = await newBoard('Board');
    const taskIds = [await task(board.id, 'One'), await task(board.id, 'Two')];
    const asked: (boolean | undefined)[] = [];
    const yielder = (isInWrite?: boolean) => {
      asked.push(isInWrite);
      return { step: () => null };
    };
    const ada = personOf(createEngine({ ...world.ports, yielder }), owner.userId, 'Ada');
    await ada.tasks.updateMany({ ...at, taskIds, set: { priority: 300 } });
    const first = asked.indexOf(true);
    expect(first).to.be.above(0);
    expect([new Set(asked.slice(0, first)), new Set(asked.slice(first))]).to.deep.equal([
      new Set([false]),
      new Set([true]),
    ]);
    asked.length = 0;
    await ada.tasks.list(at);
    expect(new Set(asked)).to.deep.equal(new Set([false]));
  });
});
