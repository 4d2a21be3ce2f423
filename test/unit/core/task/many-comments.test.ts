import { expect } from 'chai';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { createEngine, type Engine } from '../../../../core/engine.ts';
import type { UpdateTask } from '../../../../core/task/update.ts';
import { countingRows } from '../../../fixtures/store/counting-rows.ts';
import { newTeam, type Team } from '../../../fixtures/world/team.ts';
import { DAY, newWorld, personOf, type Person } from '../../../fixtures/world/world.ts';

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

  const call = () => ({ caller: { kind: 'user', userId: team.owner.userId } }) as const;
  const on = () => ({ ...team.at, taskId });
  const read = () => ada.tasks.get(on());
  const writes: Readonly<Record<string, (engine: Engine) => Promise<object>>> = {
    'an update': ({ tasks }) => tasks.update(call(), { ...on(), title: 'Renamed' }),
    'an update that changes nothing': ({ tasks }) => tasks.update(call(), on()),
    'an update of all that was read, with a comment less': async ({ tasks }) => {
      const { comments, ...task } = await read();
      return tasks.update(call(), { ...task, ...on(), comments: comments.slice(1), title: 'Other' } as UpdateTask);
    },
    'an assignment, with names': ({ tasks }) =>
      tasks.assign(call(), { ...on(), memberId: team.member.memberId, expand: ['author'] }),
    'a link': async ({ tasks }) => {
      const { id } = await ada.tasks.create({ ...team.at, boardId: (await read()).boardId!, title: 'Linked' });
      return tasks.link(call(), { ...team.at, fromTaskId: taskId, type: 'relates', taskId: id });
    },
    'a repeated request': async ({ tasks }) => {
      const repeated = { ...call(), idempotencyKey: { key: 'key', digest: 'digest' } };
      await tasks.update(repeated, { ...on(), priority: 9 });
      return tasks.update(repeated, { ...on(), priority: 9 });
    },
    'a restoration': async ({ trash }) => {
      await team.owner.tasks.delete(on());
      return trash.restore(call(), { ...team.at, trashId: taskId });
    },
  };
  for (const [name, write] of Object.entries(writes)) {
    it(`are not read by a write while others wait for it: ${name}`, async () => {
      const { counting, seen } = countingRows(team.world.store, ['comments'], true);
      const answer = await write(createEngine({ ...team.world.ports, store: counting }));
      expect(answer).to.have.property('comments').with.length(COMMENTS);
      expect(seen.rows).to.equal(0);
    });
  }

  it('leave the cursor that of the write, and so do names', async () => {
    const { engine } = team.world;
    const { boardId } = await read();
    const few = await ada.tasks.create({ ...team.at, boardId: boardId!, title: 'Without comments' });
    const told = async (task: object) => {
      let times = 0;
      await engine.tasks.update({ ...call(), onCursor: () => void (times += 1) }, { ...on(), title: 'Last', ...task });
      return times;
    };
    expect(await told({ expand: ['author'] })).to.equal(await told({ taskId: few.id }));
  });

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
