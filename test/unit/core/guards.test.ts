import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { assert, expect } from 'chai';
import { memoryStore } from '../../../adapters/store-memory/index.ts';
import { createEngine } from '../../../core/engine.ts';
import type { JobFailure } from '../../../core/jobs/failure.ts';
import { JobRunner } from '../../../core/jobs/runner.ts';
import { EspalierError } from '../../../core/kernel/errors.ts';
import type { TransferRecord } from '../../../core/model/transfer-record.ts';
import { sessionOf, type Session } from '../../../core/session.ts';
import type { Guard, GuardCaller, GuardedRecord } from '../../../core/write/guards.ts';
import { rejects } from '../../fixtures/errors.ts';
import { newTeam } from '../../fixtures/world/team.ts';
import { finishJobs } from '../../fixtures/jobs.ts';
import { DAY, newWorld, outcome, type World } from '../../fixtures/world/world.ts';

interface Asked {
  readonly caller: GuardCaller;
  readonly before: GuardedRecord | null;
  readonly after: GuardedRecord | null;
}

/** A team with a board, and the same store through an engine with these guards. */
function guarded(...guards: Guard[]) {
  return guardedIn(newWorld(), ...guards);
}

async function guardedIn(world: World, ...guards: Guard[]) {
  const team = await newTeam(world);
  const { id: boardId, todo } = await team.board('Board');
  const engine = createEngine({ ...team.world.ports, guards });
  const as = (userId: string): Session => sessionOf(engine, { kind: 'user', userId });
  const operator = sessionOf(engine, { kind: 'operator' });
  return { ...team, boardId, todo, as, ada: as(team.owner.userId), operator };
}

/** A guard that notes what it is asked, and refuses what a test says. */
function noting(refuses: (asked: Asked) => boolean = () => false) {
  const asked: Asked[] = [];
  const guard: Guard = (caller, before, after) => {
    asked.push({ caller, before, after });
    return refuses({ caller, before, after }) ? 'Not here.' : undefined;
  };
  return { asked, guard };
}

const isTask = ({ before, after }: Asked) => (after ?? before)?.kind === 'task';

describe('guards', () => {
  it('are asked about each record that a write makes, changes or removes, with who writes', async () => {
    const { asked, guard } = noting();
    const { ada, at, boardId, owner } = await guarded(guard);
    const { id: taskId } = await ada.tasks.create({ ...at, boardId, title: 'One', metadata: { a: 1 } });
    await ada.tasks.update({ ...at, taskId, title: 'Two' });
    await ada.tasks.update({ ...at, taskId, title: 'Two' });
    await ada.tasks.delete({ ...at, taskId });
    const tasks = asked.filter(isTask).map(({ before, after }) => {
      assert((before ?? after)?.kind === 'task');
      return [before, after].map((one) =>
        one?.kind === 'task' ? `${one.title} ${JSON.stringify(one.metadata)}` : null,
      );
    });
    expect(tasks).to.deep.equal([
      [null, 'One {"a":1}'],
      ['One {"a":1}', 'Two {"a":1}'],
      ['Two {"a":1}', null],
    ]);
    const { userId, memberId } = owner;
    for (const { caller } of asked)
      expect(caller).to.deep.equal({ userId, memberId, role: 40, requestId: null, inSteps: false });
  });

  it('are asked about every kind of record, by all doors', async () => {
    const { asked, guard } = noting();
    const { ada, at, boardId, member, operator, owner } = await guarded(guard);
    const seen = async (act: () => Promise<unknown>) => {
      asked.length = 0;
      await act();
      return asked.map(
        ({ before, after }) => `${(after ?? before)!.kind}${before === null ? '+' : after === null ? '-' : ''}`,
      );
    };
    expect(await seen(() => ada.workspaces.update({ ...at, name: 'New' }))).to.deep.equal(['workspace']);
    expect(await seen(() => ada.members.update({ ...at, memberId: member.memberId, position: 'x' }))).to.deep.equal([
      'member',
    ]);
    expect(await seen(() => ada.invitations.create(at))).to.deep.equal(['invitation+']);
    expect(await seen(() => ada.boards.create({ ...at, name: 'B' }))).to.have.members(['board+', 'page+']);
    expect(await seen(() => ada.tags.create({ ...at, boardId, name: 'bug' }))).to.deep.equal(['board']);
    const tasks = ['a', 'b'].map((title) => ({ boardId, title }));
    expect(await seen(() => ada.tasks.createMany({ ...at, tasks }))).to.deep.equal(['task+', 'task+']);
    const { items } = await ada.tasks.list(at);
    const on = { ...at, taskId: items[0]!.id };
    expect(await seen(() => ada.comments.create({ ...on, content: 'Yes.' }))).to.deep.equal(['comment+']);
    const given = { statuses: [{ name: 'Open' }], tags: [], tasks: [{ externalId: 'c', title: 'C', status: 'Open' }] };
    const board = { ...at, memberId: owner.memberId, externalId: 'X', name: 'Imported', ...given };
    expect(await seen(() => operator.imports.board(board))).to.include('task+');
    const many = Array.from({ length: 300 }, (_, i) => ({ externalId: `c${i}`, title: 'C', status: 'Open' }));
    const large = { ...board, externalId: 'Y', tasks: many };
    expect((await seen(() => operator.imports.board(large))).filter((one) => one === 'task+')).to.have.length(300);
    expect(await seen(() => ada.pages.delete({ ...at, pageId: boardId }))).to.deep.equal(['page-']);
  });

  it('are asked about what a whole workspace brings', async () => {
    const { asked, guard } = noting(({ after }) => after?.kind === 'task' && after.title === 'b');
    const { ada, at, boardId, world } = await guarded();
    const { id: taskId } = await ada.tasks.create({ ...at, boardId, title: 'a' });
    await ada.comments.create({ ...at, taskId, content: 'Yes.' });
    const records: TransferRecord[] = [];
    await ada.exports.workspace({ ...at, sink: async (record) => void records.push(record) });
    const bring = async (guardOf: Guard, all: readonly TransferRecord[]) => {
      const engine = createEngine({ ...world.ports, store: memoryStore(), guards: [guardOf] });
      const operator = sessionOf(engine, { kind: 'operator' });
      return outcome(operator.imports.workspace({ records: Readable.from(all) }));
    };
    expect(await bring(guard, records)).to.equal('ok');
    const kinds = asked.map(({ after }) => after?.kind);
    expect(kinds).to.include.members(['workspace', 'page', 'board', 'task', 'comment']);
    const refused = records.map((one) =>
      one.kind === 'task' ? { ...one, record: { ...one.record, title: 'b' } } : one,
    );
    expect(await bring(guard, refused)).to.equal('guard-refused');
  });

  it('refuse the whole write, of which nothing stays', async () => {
    const { guard } = noting(({ after }) => after?.kind === 'task' && after.title === 'b');
    const { ada, at, boardId, world } = await guarded(guard);
    const head = () => world.store.read((tx) => tx.changeLog.head(at.workspaceId));
    const before = await head();
    const tasks = ['a', 'b', 'c'].map((title) => ({ boardId, title }));
    expect(await outcome(ada.tasks.createMany({ ...at, tasks }))).to.equal('guard-refused');
    expect(await outcome(ada.tasks.create({ ...at, boardId, title: 'b' }))).to.equal('guard-refused');
    expect((await ada.tasks.list(at)).items).to.deep.equal([]);
    expect(await head()).to.deep.equal(before);
    expect(await outcome(ada.tasks.create({ ...at, boardId, title: 'a' }))).to.equal('ok');
  });

  it('refuse a removal', async () => {
    const { guard } = noting(({ before, after }) => before?.kind === 'task' && after === null);
    const { ada, at, boardId } = await guarded(guard);
    const { id: taskId } = await ada.tasks.create({ ...at, boardId, title: 'a' });
    expect(await outcome(ada.tasks.delete({ ...at, taskId }))).to.equal('guard-refused');
    expect((await ada.tasks.get({ ...at, taskId })).title).to.equal('a');
  });

  it('are asked about what comes back from the trash, as when it was made', async () => {
    const { asked, guard } = noting();
    const world = newWorld(undefined, 0, undefined, DAY);
    const { ada, at, boardId } = await guardedIn(world, guard);
    const { id: taskId } = await ada.tasks.create({ ...at, boardId, title: 'a' });
    await ada.tasks.delete({ ...at, taskId });
    await ada.boards.delete({ ...at, boardId });
    for (const trashId of [boardId, taskId]) {
      asked.length = 0;
      await ada.trash.restore({ ...at, trashId });
      const kind = trashId === boardId ? 'page' : 'task';
      expect(asked.map(({ before, after }) => [before, after?.kind])).to.deep.equal([[null, kind]]);
    }
  });

  it('are asked about each record of a copy, and end it by a refusal, with what they said', async () => {
    const { asked, guard } = noting(
      ({ caller, after }) => caller.inSteps && after?.kind === 'task' && after.title === 'b',
    );
    const { ada, at, boardId, world, owner } = await guarded(guard);
    const { id: taskId } = await ada.tasks.create({ ...at, boardId, title: 'a' });
    await ada.comments.create({ ...at, taskId, content: 'Yes.' });
    await ada.pages.create({ ...at, name: 'a', type: 'task', taskId, parentId: boardId });
    asked.length = 0;
    expect(await outcome(ada.boards.copy({ ...at, boardId, tasks: true, comments: true }))).to.equal('ok');
    expect(asked.map(({ before, after }) => [before, after?.kind])).to.have.deep.members(
      ['board', 'task', 'comment', 'page', 'page'].map((kind) => [null, kind]),
    );
    const { userId, memberId } = owner;
    for (const { caller } of asked) expect(caller).to.include({ userId, memberId, inSteps: true });
    await owner.tasks.create({ ...at, boardId, title: 'b' });
    const copy = ada.boards.copy({ ...at, boardId, tasks: true });
    const refused: unknown = await copy.catch((error: unknown) => error);
    assert(refused instanceof EspalierError);
    expect([refused.code, refused.message.includes('Not here.')]).to.deep.equal(['copy-failed', true]);
    await finishJobs(world.ports);
    expect(await owner.boards.list(at)).to.have.length(2);
    expect((await world.operator.doctor.check()).findings).to.deep.equal([]);
  });

  it('may refuse where a copy is put in place', async () => {
    const { guard } = noting(({ caller, after }) => caller.inSteps && after?.kind === 'page');
    const { ada, at, boardId, world, owner } = await guarded(guard);
    await ada.tasks.create({ ...at, boardId, title: 'a' });
    expect(await outcome(ada.boards.copy({ ...at, boardId, tasks: true }))).to.equal('copy-failed');
    await finishJobs(world.ports);
    expect(await owner.boards.list(at)).to.have.length(1);
    expect((await owner.tasks.list({ ...at, count: true })).total).to.equal(1);
    expect((await world.operator.doctor.check()).findings).to.deep.equal([]);
  });

  it('hold back what a write left to be done in steps, for as long as they refuse it', async () => {
    let refuses = true;
    const { asked, guard } = noting(({ caller }) => caller.inSteps && refuses);
    const { ada, at, boardId, todo, world, owner } = await guarded(guard);
    const { id: done } = await ada.statuses.create({ ...at, boardId, name: 'Done' });
    const tasks = Array.from({ length: 60 }, (_, n) => ({ boardId, title: `t${n}` }));
    await ada.tasks.createMany({ ...at, tasks });
    const failures: unknown[] = [];
    const onJobFailure = ({ error }: JobFailure) => void failures.push((error as EspalierError).code);
    const runner = new JobRunner({ ...world.ports, guards: [guard], onJobFailure });
    const removal = ada.statuses.delete({ ...at, boardId, statusId: todo, moveTo: done });
    expect(await outcome(removal)).to.equal('guard-refused');
    const inTodo = async () => (await owner.tasks.list({ ...at, statusId: [todo], count: true })).total;
    world.pass(10_000);
    await runner.step();
    expect([failures, await inTodo()]).to.deep.equal([['guard-refused'], 44]);
    refuses = false;
    asked.length = 0;
    world.pass(100_000);
    while ((await runner.step()) === 0);
    expect(await inTodo()).to.equal(0);
    expect(asked.filter(isTask)).to.have.length(44);
  });

  it('that throw end a copy, and hold other steps back until they do not; the host is told of both', async () => {
    let throws = true;
    const failing: Guard = ({ inSteps }) => {
      if (inSteps && throws) throw new RangeError('broken');
    };
    const { at, boardId, todo, world, owner } = await guarded();
    const failures: string[] = [];
    const onJobFailure = ({ job, error }: JobFailure) => void failures.push(`${job!.kind} ${String(error)}`);
    const engine = createEngine({ ...world.ports, guards: [failing], onJobFailure });
    const ada = sessionOf(engine, { kind: 'user', userId: owner.userId });
    const tasks = Array.from({ length: 60 }, (_, n) => ({ boardId, title: `t${n}` }));
    await ada.tasks.createMany({ ...at, tasks });
    expect(await outcome(ada.boards.copy({ ...at, boardId, tasks: true }))).to.equal('copy-failed');
    expect(failures).to.deep.equal(['copy RangeError: broken']);
    await finishJobs(world.ports);
    expect((await world.operator.doctor.check()).findings).to.deep.equal([]);
    expect(await owner.boards.list(at)).to.have.length(1);

    const { id: done } = await ada.statuses.create({ ...at, boardId, name: 'Done' });
    const runner = new JobRunner({ ...world.ports, guards: [failing], onJobFailure });
    await ada.statuses.delete({ ...at, boardId, statusId: todo, moveTo: done }).catch(() => undefined);
    for (let n = 0; n < 3; n += 1) {
      world.pass(100_000);
      await runner.step();
    }
    // Once for each cause.
    expect(failures.slice(1)).to.deep.equal(['status-removal RangeError: broken']);
    throws = false;
    world.pass(100_000);
    while ((await runner.step()) === 0);
    expect((await owner.tasks.list({ ...at, statusId: [done], count: true })).total).to.equal(60);
    expect((await world.operator.doctor.check()).findings).to.deep.equal([]);
  });

  it('that throw make the call fail without effect, as do those that return anything else', async () => {
    const failing: Guard = () => {
      throw new Error('broken');
    };
    const late = (() => Promise.resolve('no')) as unknown as Guard;
    for (const guard of [failing, late]) {
      const { ada, at, boardId } = await guarded(guard);
      let failure: unknown;
      await ada.tasks.create({ ...at, boardId, title: 'a' }).catch((error: unknown) => (failure = error));
      expect(failure).to.be.instanceOf(Error);
      expect((failure as { code?: string }).code).to.equal(undefined);
      expect((await ada.tasks.list(at)).items).to.deep.equal([]);
    }
  });

  it('that are asynchronous make the call fail, and leave no rejection unhandled', async () => {
    const { ada, at } = await guarded((() => Promise.reject(new Error('later'))) as never);
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => void unhandled.push(reason);
    const others = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection').on('unhandledRejection', note);
    try {
      await rejects(ada.boards.create({ ...at, name: 'Never' }), TypeError);
      await setImmediate();
    } finally {
      process.off('unhandledRejection', note);
      for (const other of others) process.on('unhandledRejection', other);
    }
    expect(unhandled).to.deep.equal([]);
  });

  it('cannot change what they are given', async () => {
    const { asked, guard } = noting();
    const { ada, at, boardId } = await guarded(guard);
    await ada.tags.create({ ...at, boardId, name: 'bug', metadata: { a: 1 } });
    const { before, after, caller } = asked.at(-1)!;
    assert(before?.kind === 'board' && after?.kind === 'board');
    for (const one of [caller, before, after, after.metadata, after.tags, after.tags[0], after.tags[0]?.metadata]) {
      expect(one).to.be.frozen;
    }
  });

  it('see members as assignees, and are told of an operator and of who is no member', async () => {
    const { asked, guard } = noting();
    const { ada, at, boardId, member, outsider, as } = await guarded(guard);
    await ada.tasks.create({ ...at, boardId, title: 'a', assignees: [member.memberId] });
    const { after } = asked.find(isTask)!;
    assert(after?.kind === 'task');
    expect(after.assignees).to.deep.equal([member.memberId]);
    asked.length = 0;
    await as(outsider.userId).workspaces.create({ name: 'Own' });
    expect(asked.map(({ caller }) => caller.role)).to.deep.equal([40, 40]);
  });
});
