import { expect } from 'chai';
import { LargeAnswers } from '../../../../adapters/http/large-answers.ts';
import { HttpError } from '../../../../adapters/http/response/problem.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { createEngine } from '../../../../core/engine.ts';
import { newTeam } from '../../../fixtures/world/team.ts';
import { newWorld } from '../../../fixtures/world/world.ts';

const OPEN = new AbortController().signal;

/** Enters, and notes when that is admitted. */
function entering(large: LargeAnswers, admitted: string[]) {
  return async (user: string, comments: number, signal = OPEN): Promise<() => void> => {
    const leave = await large.enter(user, comments, signal);
    admitted.push(user);
    return leave;
  };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('answers of many comments', () => {
  it('are made as many at once as their comments allow, and one that is larger than that alone', async () => {
    const admitted: string[] = [];
    const enter = entering(new LargeAnswers(100), admitted);
    const leaves = await Promise.all([enter('ada', 50), enter('ada', 50)]);
    const larger = enter('ada', 500);
    await turn();
    expect(admitted).to.have.length(2);
    leaves[0]();
    await turn();
    expect(admitted).to.have.length(2);
    leaves[1]();
    const last = enter('ada', 1);
    (await larger)();
    (await last)();
    expect(admitted).to.have.length(4);
  });

  it('are made for each user in turn', async () => {
    const admitted: string[] = [];
    const enter = entering(new LargeAnswers(10), admitted);
    const waiting = ['ada', 'ada', 'ada', 'ada', 'ben', 'cleo'].map(async (user) => (await enter(user, 10))());
    await Promise.all(waiting);
    expect(admitted).to.deep.equal(['ada', 'ada', 'ben', 'cleo', 'ada', 'ada']);
  });

  it('are not made for a client that has gone', async () => {
    const enter = entering(new LargeAnswers(10), []);
    const leave = await enter('ada', 10);
    const gone = new AbortController();
    const refused = enter('ada', 10, gone.signal).catch((error: unknown) => error);
    const next = enter('ada', 10);
    gone.abort();
    leave();
    expect(await refused).to.be.instanceOf(HttpError);
    (await next)();
  });

  it('are waited for outside of a transaction, and only by a task that has many', async () => {
    const memory = memoryStore();
    let open = 0;
    const store = {
      ...memory,
      read: (async (work) => {
        open += 1;
        try {
          return await memory.read(work);
        } finally {
          open -= 1;
        }
      }) as typeof memory.read,
      write: memory.write.bind(memory),
      ready: () => memory.ready(),
      close: () => memory.close(),
    };
    const team = await newTeam(newWorld(memory));
    const board = await team.board('Board');
    const [few, many] = [await team.task(board.id, 'Few'), await team.task(board.id, 'Many')];
    for (let n = 0; n < 17; n += 1) await team.owner.comments.create({ ...team.at, taskId: many, content: 'Yes' });
    await team.owner.comments.create({ ...team.at, taskId: few, content: 'Yes' });
    const asked: unknown[] = [];
    const beforeLargeAnswer = async (userId: string, comments: number) => void asked.push([userId, comments, open]);
    const call = { caller: { kind: 'user', userId: team.owner.userId }, beforeLargeAnswer } as const;
    const { tasks } = createEngine({ ...team.world.ports, store });
    expect((await tasks.get(call, { ...team.at, taskId: few })).comments).to.have.length(1);
    expect(asked).to.deep.equal([]);
    expect((await tasks.get(call, { ...team.at, taskId: many })).comments).to.have.length(17);
    expect(asked).to.deep.equal([[team.owner.userId, 17, 0]]);
  });
});
