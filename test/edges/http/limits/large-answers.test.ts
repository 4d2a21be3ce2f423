import { expect } from 'chai';
import { LargeAnswers } from '../../../../adapters/http/limits/large-answers.ts';
import { streamOutlet } from '../../../../adapters/http/response/outlet.ts';
import { EventStreams } from '../../../../adapters/http/stream/event-streams.ts';
import { HttpError } from '../../../../adapters/http/response/problem.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { createEngine } from '../../../../core/engine.ts';
import { ManualTimers } from '../../../fixtures/manual-timers.ts';
import { EventReader } from '../../../fixtures/process/event-reader.ts';
import { newTeam } from '../../../fixtures/world/team.ts';
import { newWorld } from '../../../fixtures/world/world.ts';

const OPEN = new AbortController().signal;

/** Enters, and notes when that is admitted. */
function entering(large: LargeAnswers, admitted: string[]) {
  return async (user: string, parts: number, signal = OPEN): Promise<() => void> => {
    const leave = await large.enter(user, parts, signal);
    admitted.push(user);
    return leave;
  };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('answers of many parts', () => {
  it('are made as many at once as their parts allow, and one that is larger than that alone', async () => {
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

  it('are made in one turn at a time by a request, which gives it back before it waits for another', async () => {
    const large = new LargeAnswers(10);
    const { before, made } = large.turns({ signal: OPEN });
    await before('ada', 10);
    await before('ada', 10);
    made();
    (await large.enter('ben', 10, OPEN))();
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
    const beforeLargeAnswer = async (userId: string, parts: number) => void asked.push([userId, parts, open]);
    const call = { caller: { kind: 'user', userId: team.owner.userId }, beforeLargeAnswer } as const;
    const { tasks } = createEngine({ ...team.world.ports, store });
    expect((await tasks.get(call, { ...team.at, taskId: few })).comments).to.have.length(1);
    expect(asked).to.deep.equal([]);
    expect((await tasks.get(call, { ...team.at, taskId: many })).comments).to.have.length(17);
    expect(asked).to.deep.equal([[team.owner.userId, 17, 0]]);
  });

  it('are made by lists and streams of changes, with records that have many', async () => {
    const team = await newTeam();
    const board = await team.board('Board');
    const taskId = await team.task(board.id, 'Task');
    let since = '';
    await team.owner.workspaces.get(team.at, { onCursor: (now) => void (since = now) });
    for (let n = 0; n < 17; n += 1) await team.owner.comments.create({ ...team.at, taskId, content: 'Yes' });
    await team.owner.tasks.update({ ...team.at, taskId, title: 'Task with many' });
    const asked: unknown[] = [];
    const beforeLargeAnswer = async (userId: string, parts: number) => void asked.push([userId, parts]);
    const call = { caller: { kind: 'user', userId: team.owner.userId }, beforeLargeAnswer } as const;
    const { changes } = team.world.engine;
    await changes.list(call, { ...team.at, since });
    expect(asked).to.deep.equal([]);
    const input = { ...team.at, since, include: ['record'] } as const;
    await changes.list(call, input);
    expect(asked).to.deep.equal([[team.owner.userId, 17]]);
    const stream = await changes.watch(call, input);
    await stream.next();
    stream.close();
    expect(asked).to.have.length(2);
  });

  it('give back their turn when a stream has made them', async () => {
    const team = await newTeam();
    const board = await team.board('Board');
    const taskId = await team.task(board.id, 'Task');
    for (let n = 0; n < 17; n += 1) await team.owner.comments.create({ ...team.at, taskId, content: 'Yes' });
    const large = new LargeAnswers(17);
    const streams = new EventStreams(new ManualTimers(), OPEN, { opened() {}, closed() {}, failed() {} });
    const readers = [];
    for (let n = 0; n < 2; n += 1) {
      const { before: beforeLargeAnswer, made } = large.turns({ signal: OPEN });
      const call = { caller: { kind: 'user', userId: team.owner.userId }, beforeLargeAnswer } as const;
      const changes = await team.world.engine.changes.watch(call, { ...team.at, include: ['record'] });
      const body = streamOutlet((outlet) => streams.run(changes, outlet, { requestId: `${n}`, made, ended() {} }));
      readers.push(new EventReader(body));
    }
    await team.owner.tasks.update({ ...team.at, taskId, title: 'Task with many' });
    for (const reader of readers) {
      expect((await reader.event()).type).to.equal('ready');
      expect((await reader.event()).type).to.equal('task.update');
      await reader.close();
    }
  });
});
