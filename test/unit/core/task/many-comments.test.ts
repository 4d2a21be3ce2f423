import { expect } from 'chai';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { createEngine } from '../../../../core/engine.ts';
import { countingRows } from '../../../fixtures/counting-rows.ts';
import { newTeam, type Team } from '../../../fixtures/team.ts';
import { DAY, newWorld, personOf, type Person } from '../../../fixtures/world.ts';

const COMMENTS = 230;
/** Comments are as long as 20,000 characters each. */
const MAX_AT_ONCE = 100;

describe('the comments of one task', () => {
  let team: Team;
  let counted: ReturnType<typeof countingRows>;
  let ada: Person;
  let taskId: string;

  before(async () => {
    const store = memoryStore();
    team = await newTeam(newWorld(store, 0, undefined, DAY));
    const { owner, at } = team;
    const board = await team.board('Board');
    taskId = await team.task(board.id, 'Task');
    for (let n = 0; n < COMMENTS; n += 1) await owner.comments.create({ ...at, taskId, content: `${n}` });
    counted = countingRows(store, ['comments']);
    ada = personOf(createEngine({ ...team.world.ports, store: counted.counting }), owner.userId, 'Ada');
  });

  /** What each reader of them finds. */
  const readers: Readonly<Record<string, () => Promise<readonly string[] | number>>> = {
    'the task': async () => (await ada.tasks.get({ ...team.at, taskId })).comments.map(({ content }) => content),
    'an export': async () => {
      const found: string[] = [];
      await ada.exports.workspace({
        ...team.at,
        sink: (record) => void (record.kind === 'comment' && found.push(record.record.content)),
      });
      return found;
    },
    'a snapshot': async () => {
      const found: string[] = [];
      for await (const item of ada.changes.snapshot(team.at)) {
        if (item.kind === 'comment') found.push(item.record.content);
      }
      return found;
    },
    'a check of the store': async () => {
      const { ports } = team.world;
      const engine = createEngine({ ...ports, store: counted.counting });
      const report = await engine.doctor.check({ caller: { kind: 'operator' } });
      expect(report.findings).to.deep.equal([]);
      return report.comments;
    },
  };

  for (const [name, read] of Object.entries(readers)) {
    it(`are read in slices: by ${name}`, async () => {
      counted.seen.mostAtOnce = 0;
      const found = await read();
      if (typeof found === 'number') expect(found).to.equal(COMMENTS);
      else expect(found).to.deep.equal(Array.from({ length: COMMENTS }, (_, n) => `${n}`));
      expect(counted.seen.mostAtOnce).to.be.within(1, MAX_AT_ONCE);
    });
  }

  it('are read in slices in the trash, too', async () => {
    const { at, world, owner } = team;
    await owner.tasks.delete({ ...at, taskId });
    const engine = createEngine({ ...world.ports, store: counted.counting });
    counted.seen.mostAtOnce = 0;
    const { findings } = await engine.doctor.check({ caller: { kind: 'operator' } });
    expect(findings).to.deep.equal([]);
    expect(counted.seen.mostAtOnce).to.be.within(1, MAX_AT_ONCE);
  });
});
