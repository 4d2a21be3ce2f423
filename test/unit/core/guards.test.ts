import { Readable } from 'node:stream';
import { assert, expect } from 'chai';
import { memoryStore } from '../../../adapters/store-memory/index.ts';
import { createEngine } from '../../../core/engine.ts';
import type { JobFailure } from '../../../core/jobs/failure.ts';
import { JobRunner } from '../../../core/jobs/runner.ts';
import { EspalierError } from '../../../core/kernel/errors.ts';
import type { TransferRecord } from '../../../core/model/transfer-record.ts';
import { sessionOf } from '../../../core/session.ts';
import type { Guard } from '../../../core/write/guards.ts';
import { finishJobs } from '../../fixtures/jobs.ts';
import { DAY, newWorld, outcome } from '../../fixtures/world/world.ts';
import { guarded, guardedIn, isTask, noting } from './guarded.ts';

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
