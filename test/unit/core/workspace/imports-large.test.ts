import { expect } from 'chai';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { createEngine } from '../../../../core/engine.ts';
import type { ImportBoard } from '../../../../core/import/imported-board.ts';
import { sessionOf } from '../../../../core/session.ts';
import { UndoingStore } from '../../../fixtures/store/undoing-store.ts';
import { WatchedStore } from '../../../fixtures/store/watched-store.ts';
import { newTeam, type Team } from '../../../fixtures/world/team.ts';
import { DAY, newWorld, outcome } from '../../../fixtures/world/world.ts';

const TASKS = 300;
const COMMENTS = 270;
const MAX_WRITTEN = 330;
const CREATED = '2020-01-03T00:00:00.000Z';

/** A board of more than one transaction takes; one of its tasks has so many comments, too. */
function inputFor(team: Team, more: Partial<ImportBoard> = {}): ImportBoard {
  const tasks = Array.from({ length: TASKS }, (_, n) => {
    const comment = (i: number) => ({ externalId: `C${n}-${i}`, content: 'c', createdAt: CREATED });
    const comments = Array.from({ length: n === 7 ? COMMENTS : n % 5 === 0 ? 1 : 0 }, (__, i) => comment(i));
    const assignees = [team.member.memberId];
    const checklist = n % 10 === 0 ? [{ text: 'a', done: true }, { text: 'b' }] : [];
    return { externalId: `T${n}`, title: `t${n}`, status: 'To do', tags: ['Bug'], assignees, checklist, comments };
  });
  const { workspaceId, admin } = team;
  const statuses = [{ name: 'To do' }];
  const tags = [{ name: 'Bug', color: 'red' }];
  return { workspaceId, memberId: admin.memberId, externalId: 'B', name: 'Imported', statuses, tags, tasks, ...more };
}

describe('importing a board of very many tasks', () => {
  let store: WatchedStore;
  let team: Team;
  let input: ImportBoard;

  beforeEach(async () => {
    store = new WatchedStore(memoryStore());
    team = await newTeam(newWorld(store));
    input = inputFor(team);
    store.written.length = 0;
  });

  const run = (changes: Partial<ImportBoard> = {}) => team.world.operator.imports.board({ ...input, ...changes });
  /** With something that happens once, between the steps. */
  const runWith = (meanwhile: () => Promise<unknown>, after = 2) => {
    let left = after;
    const yieldToEventLoop = async () => {
      if ((left -= 1) === 0) await meanwhile();
    };
    const engine = createEngine({ ...team.world.ports, yieldToEventLoop });
    return outcome(sessionOf(engine, { kind: 'operator' }).imports.board(input));
  };
  const all = {
    boards: 1,
    statuses: 1,
    tags: 1,
    tasks: TASKS,
    trashed: 0,
    checklistItems: TASKS / 5,
    comments: TASKS / 5 + COMMENTS,
  };
  const none = { boards: 0, statuses: 0, tags: 0, tasks: 0, trashed: 0, checklistItems: 0, comments: 0 };

  async function expectWhole(): Promise<void> {
    const { owner, at } = team;
    const { items, total } = await owner.tasks.list({ ...at, sort: ['position'], count: true, limit: 500 });
    expect(total).to.equal(TASKS);
    expect(items.map(({ title }) => title)).to.deep.equal(input.tasks.map(({ title }) => title));
    const task = await owner.tasks.get({ ...at, taskId: items[7]!.id });
    expect(task.comments.map(({ externalId }) => externalId)).to.have.members(
      input.tasks[7]!.comments!.map(({ externalId }) => externalId),
    );
    expect((await team.world.operator.doctor.check()).findings).to.deep.equal([]);
  }

  async function expectNothing(): Promise<void> {
    const { owner, at } = team;
    expect(await owner.boards.list(at)).to.deep.equal([]);
    expect((await owner.tasks.list({ ...at, count: true })).total).to.equal(0);
    expect((await team.world.operator.doctor.check()).findings).to.deep.equal([]);
  }

  it('takes small transactions, and is there with the last of them', async () => {
    const { created, existing } = await run();
    expect([created, existing]).to.deep.equal([all, none]);
    expect(store.written.length).to.be.above(5);
    expect(Math.max(...store.written)).to.be.at.most(MAX_WRITTEN);
    await expectWhole();
    const again = await run();
    expect([again.created, again.existing]).to.deep.equal([none, all]);
    await expectWhole();
  });

  it('adds what is missing to a board that is there', async () => {
    await run({ tasks: input.tasks.slice(0, 10).map(({ comments: _, ...task }) => task) });
    const { created, existing } = await run();
    expect([created.tasks, existing.tasks, created.comments]).to.deep.equal([TASKS - 10, 10, all.comments]);
    await expectWhole();
  });

  it('puts archived tasks with many comments into the trash', async () => {
    store = new WatchedStore(memoryStore());
    team = await newTeam(newWorld(store, 0, undefined, DAY));
    input = inputFor(team);
    const tasks = input.tasks.map((task, n) => (n % 2 === 0 ? task : { ...task, archived: true }));
    const { created } = await run({ tasks });
    const trashed = tasks.filter(({ archived }) => archived).length;
    expect(created).to.deep.equal({ ...all, trashed });
    const again = await run({ tasks });
    expect([again.created, again.existing]).to.deep.equal([none, { ...all, trashed }]);
    const { items } = await team.owner.trash.list({ ...team.at, limit: 500 });
    expect(items).to.have.length(trashed);
    const many = items.find(({ name }) => name === input.tasks[7]!.title)!;
    await team.owner.trash.restore({ ...team.at, trashId: many.id });
    const { comments } = await team.owner.tasks.get({ ...team.at, taskId: many.id });
    expect(comments).to.have.length(input.tasks[7]!.comments!.length);
    expect((await team.world.operator.doctor.check()).findings).to.deep.equal([]);
  });

  it('leaves a task to others that they have made with its external id, before a step of it is committed', async () => {
    team = await newTeam(newWorld(memoryStore(), 0, undefined, DAY));
    input = inputFor(team);
    const { owner, at, world } = team;
    const { id: boardId } = await owner.boards.create({ ...at, name: 'Board', externalId: 'B' });
    await owner.statuses.create({ ...at, boardId, name: 'To do' });
    const undoing = new UndoingStore(world.store);
    let taskId = '';
    let steps = 0;
    const yieldToEventLoop = async () => {
      if ((steps += 1) !== 1) return;
      undoing.undoNext(1, async () => {
        taskId = (await owner.tasks.create({ ...at, boardId, title: 'own', externalId: 'T0' })).id;
      });
    };
    const engine = createEngine({ ...world.ports, store: undoing, yieldToEventLoop });
    const tasks = input.tasks.map((task, n) => ({ ...task, archived: n === 0 }));
    const { created, existing } = await sessionOf(engine, { kind: 'operator' }).imports.board({ ...input, tasks });
    expect([created.tasks, existing.tasks, created.trashed]).to.deep.equal([TASKS - 1, 1, 0]);
    expect((await owner.tasks.get({ ...at, taskId })).title).to.equal('own');
    expect((await world.operator.doctor.check()).findings).to.deep.equal([]);
  });

  it('leaves nothing when it is ended behind any commit but the last, once its time is over', async () => {
    for (let reach = 1; ; reach += 1) {
      store.reach = reach;
      const code = await outcome(run());
      store.reach = Infinity;
      if (code === 'ok') break;
      expect(code).to.equal('store-unavailable');
      await expectNothing();
      await team.world.purge();
      expect(await outcome(run())).to.equal('store-busy');
      team.world.pass(61_000);
      await team.world.purge();
      await store.read(async (tx) => {
        const { workspaceId } = team;
        expect(await tx.tasks.count({ workspaceId, scope: null, filters: [] })).to.equal(0);
        expect(await tx.boards.by({ workspaceId, externalId: 'B' })).to.equal(null);
        expect(await tx.comments.by({ workspaceId, externalId: 'C0-0' })).to.equal(null);
      });
    }
    await expectWhole();
  });

  it('is made again once the time of one that died is over, also where nothing has removed that yet', async () => {
    store.reach = 3;
    expect(await outcome(run())).to.equal('store-unavailable');
    store.reach = Infinity;
    team.world.pass(61_000);
    expect(await outcome(run())).to.equal('ok');
    await expectWhole();
    await team.world.purge();
    await expectWhole();
    expect((await team.world.operator.doctor.check()).findings).to.deep.equal([]);
  });

  it('leaves nothing when a task is wrong, and when an id is taken meanwhile', async () => {
    const tasks = input.tasks.with(TASKS - 1, { ...input.tasks.at(-1)!, status: 'Nowhere' });
    expect(await outcome(run({ tasks }))).to.equal('unusable-reference');
    await team.world.purge();
    await expectNothing();
    const { id: boardId } = await team.board('Other');
    const take = () => team.owner.tasks.create({ ...team.at, boardId, title: 'other', externalId: 'T3' });
    expect(await runWith(take, 3)).to.equal('external-id-taken');
    await team.world.purge();
    expect((await team.owner.tasks.list({ ...team.at, count: true })).total).to.equal(1);
  });

  it('shows nobody anything before it is done, and gives up what pauses for too long', async () => {
    expect(await runWith(expectNothing, 4)).to.equal('ok');
    await expectWhole();
    await team.owner.boards.delete({ ...team.at, boardId: (await team.owner.boards.list(team.at))[0]!.id });
    await team.world.purge();
    const pause = async () => {
      team.world.pass(61_000);
      await team.world.purge();
    };
    expect(await runWith(pause, 3)).to.equal('store-busy');
    await team.world.purge();
    await expectNothing();
  });

  it('happens once for a key', async () => {
    const { userId } = team.admin;
    await team.world.operator.users.update({ userId, administrator: true });
    const idempotencyKey = { key: 'K', digest: 'D' };
    const admin = team.world.as({ caller: { kind: 'user', userId }, idempotencyKey });
    const first = await admin.imports.board(input);
    const [task] = (await team.owner.tasks.list({ ...team.at, limit: 1 })).items;
    await team.owner.tasks.delete({ ...team.at, taskId: task!.id });
    expect(await admin.imports.board(input)).to.deep.equal(first);
    expect((await team.owner.tasks.list({ ...team.at, count: true })).total).to.equal(TASKS - 1);
    const other = team.world.as({
      caller: { kind: 'user', userId },
      idempotencyKey: { ...idempotencyKey, digest: 'E' },
    });
    expect(await outcome(other.imports.board(input))).to.equal('key-reused');
  });
});
