import { expect } from 'chai';
import type { Store } from '../../core/ports/store.ts';
import type { TaskSummary } from '../../core/task/view.ts';
import { finishJobs } from './jobs.ts';
import { WatchedStore } from './watched-store.ts';
import { newTeam, type Team } from './world-team.ts';
import { newWorld, outcome } from './world.ts';

interface Scene {
  readonly store: WatchedStore;
  readonly team: Team;
  readonly board: { readonly workspaceId: string; readonly boardId: string };
  readonly todo: string;
  readonly done: string;
  readonly tag: string;
  /** In the order of their column. */
  readonly tasks: readonly string[];
}

/** More than two steps. */
const TASKS = 130;
/** A task and its change record each, and the board and the job with them. */
const MOST_WRITTEN = 110;

/** A board with two columns, and many tasks with a tag in the first; of every third it was said that it is complete. */
async function sceneOf(team: Team, store: WatchedStore): Promise<Scene> {
  const { owner, at } = team;
  const { id: boardId, todo } = await team.board('Board');
  const board = { ...at, boardId };
  const { id: done } = await owner.statuses.create({ ...board, name: 'Done', done: true });
  const { id: tag } = await owner.tags.create({ ...board, name: 'Red' });
  await owner.tasks.create({ ...board, title: 'there', statusId: done });
  const tasks = Array.from({ length: TASKS }, (_, n) => {
    return { boardId, title: `t${n}`, tags: [tag], complete: n % 3 === 0 };
  });
  const made = await owner.tasks.createMany({ ...at, tasks });
  return { store, team, board, todo, done, tag, tasks: made.map(({ id }) => id) };
}

async function tasksIn(scene: Scene, filters: object): Promise<readonly TaskSummary[]> {
  const query = { ...scene.team.at, sort: ['position'], limit: 500, ...filters } as const;
  return (await scene.team.owner.tasks.list(query)).items;
}

const removeStatus = ({ team, board, todo, done }: Scene) =>
  team.owner.statuses.delete({ ...board, statusId: todo, moveTo: done });
const removeTag = ({ team, board, tag }: Scene) => team.owner.tags.delete({ ...board, tagId: tag });

/** As if the process had ended after the first commits of a call. */
async function cutShort(scene: Scene, commits: number, call: (scene: Scene) => Promise<unknown>): Promise<void> {
  scene.store.reach = commits;
  expect(await outcome(call(scene))).to.equal('store-unavailable');
  scene.store.reach = Infinity;
}

/** Another process goes on, when it is sure that the first does not. */
async function taken({ team, store }: Scene): Promise<number> {
  team.world.pass(5_000);
  return finishJobs({ ...team.world.ports, store });
}

async function isSound({ team }: Scene): Promise<void> {
  expect((await team.world.operator.doctor.check()).findings).to.deep.equal([]);
}

/** Statuses and tags that are removed in steps, on a store. */
export function beingRemoved(newStore: () => Promise<Store>): void {
  let scene: Scene;

  beforeEach(async () => {
    const store = new WatchedStore(await newStore());
    scene = await sceneOf(await newTeam(newWorld(store)), store);
  });

  afterEach(() => scene.store.close());

  describe('a status that is deleted with moveTo', () => {
    const status = async (id = scene.todo) =>
      (await scene.team.owner.boards.get(scene.board)).statuses.find((each) => each.id === id);

    it('has its tasks moved in order, in small transactions, and is gone with the last', async () => {
      const { team, store, todo, done, tasks } = scene;
      store.written.length = 0;
      await removeStatus(scene);
      expect(Math.max(...store.written)).to.be.at.most(MOST_WRITTEN);
      expect(await status()).to.equal(undefined);
      expect(await tasksIn(scene, { statusId: [todo] })).to.deep.equal([]);
      const moved = await tasksIn(scene, { statusId: [done] });
      expect(moved.slice(1).map(({ id }) => id)).to.deep.equal(tasks);
      expect(moved.every(({ complete }) => complete)).to.equal(true);
      expect(moved.slice(1).map(({ version }) => version)).to.deep.equal(tasks.map(() => 2));
      const changes = await store.read((tx) => tx.changes.list(team.workspaceId, null, 10_000));
      const moves = changes.filter(({ kind, action }) => kind === 'task' && action === 'update');
      expect(moves.map(({ recordId }) => recordId)).to.deep.equal(tasks);
      expect(new Set(moves.map(({ userId }) => userId))).to.deep.equal(new Set([team.owner.userId]));
      expect(await store.read((tx) => tx.jobs.list(null, 1))).to.deep.equal([]);
      await isSound(scene);
    });

    it('keeps what was said of completion where neither status says anything', async () => {
      const { team, board, todo } = scene;
      const { id: next } = await team.owner.statuses.create({ ...board, name: 'Next' });
      await team.owner.statuses.delete({ ...board, statusId: todo, moveTo: next });
      const moved = await tasksIn(scene, { statusId: [next] });
      expect(moved.map(({ complete }) => complete)).to.deep.equal(scene.tasks.map((_, n) => n % 3 === 0));
    });

    it('is read as being removed until then, and any process goes on after a crash', async () => {
      await cutShort(scene, 2, removeStatus);
      expect(await status()).to.include({ beingRemoved: true, taskCount: TASKS - 66 });
      expect(await status(scene.done)).to.include({ beingRemoved: false, taskCount: 67 });
      await isSound(scene);
      expect(await taken(scene)).to.be.at.least(2);
      expect(await status()).to.equal(undefined);
      const moved = await tasksIn(scene, { statusId: [scene.done] });
      expect(moved.slice(1).map(({ id }) => id)).to.deep.equal(scene.tasks);
      await isSound(scene);
    });

    it('takes no new task and no change meanwhile', async () => {
      const { team, board, todo, done, tasks } = scene;
      const { owner, at } = team;
      await cutShort(scene, 1, removeStatus);
      const [there] = await tasksIn(scene, { statusId: [done] });
      const other = await team.board('Other');
      const elsewhere = await team.task(other.id, 'elsewhere');
      const one = { statusId: todo, boardId: board.boardId, title: 'new' };
      const address = { ...board, statusId: todo };
      const refused = [
        owner.tasks.create({ ...at, ...one }),
        owner.tasks.createMany({ ...at, tasks: [one] }),
        owner.tasks.update({ ...at, taskId: there!.id, statusId: todo }),
        owner.tasks.update({ ...at, taskId: elsewhere, boardId: board.boardId, statusId: todo }),
        owner.statuses.update({ ...address, name: 'Other name' }),
        owner.statuses.update({ ...address, orderKey: 7 }),
        owner.statuses.update({ ...address, done: true }),
      ];
      for (const call of refused) expect(await outcome(call)).to.equal('being-removed');
      // The first status that stays takes what names none.
      expect((await owner.tasks.create({ ...at, boardId: board.boardId, title: 'new' })).statusId).to.equal(done);
      const moved = await owner.tasks.update({ ...at, taskId: elsewhere, boardId: board.boardId });
      expect(moved.statusId).to.equal(done);
      const read = await status();
      expect(await owner.statuses.update({ ...address, ...read })).to.deep.equal(read);
      // Those that are in it are tasks like others.
      const last = tasks.at(-1)!;
      const before = tasks.at(-2)!;
      expect((await owner.tasks.update({ ...at, taskId: last, title: 'other' })).statusId).to.equal(todo);
      await owner.tasks.update({ ...at, taskId: last, beforeTaskId: before });
      await owner.tasks.delete({ ...at, taskId: tasks.at(-3)! });
      await owner.tasks.update({ ...at, taskId: tasks.at(-4)!, statusId: done });
      await isSound(scene);
      await taken(scene);
      const ids = (await tasksIn(scene, { statusId: [done] })).map(({ id }) => id);
      expect(ids.slice(-2)).to.deep.equal([last, before]);
      expect(ids).to.have.length(TASKS + 2);
      await isSound(scene);
    });

    it('tells whoever may not change it what they are told otherwise', async () => {
      const { team, board, todo, done, store } = scene;
      const reader = await team.withLevel(board.boardId, 100);
      const stranger = await team.withLevel(board.boardId, 0);
      await cutShort(scene, 1, removeStatus);
      const calls = ({ statuses, tasks }: typeof reader) => [
        statuses.delete({ ...board, statusId: todo, moveTo: done }),
        statuses.update({ ...board, statusId: todo, name: 'Other' }),
        tasks.create({ ...board, title: 'new', statusId: todo }),
      ];
      const outcomes = async (who: typeof reader) => Promise.all(calls(who).map(outcome));
      expect(await outcomes(reader)).to.deep.equal(['forbidden', 'forbidden', 'forbidden']);
      expect(await outcomes(stranger)).to.deep.equal(['not-found', 'not-found', 'unusable-reference']);
      const stale = team.owner.ifVersion(1).statuses.delete({ ...board, statusId: todo, moveTo: done });
      expect(await outcome(stale)).to.equal('version-mismatch');
      expect(await store.read((tx) => tx.jobs.list(null, 9))).to.have.length(1);
    });

    it('takes no tasks over, and the one that takes them over stays', async () => {
      const { team, board, todo, done } = scene;
      const { owner } = team;
      const { id: third } = await owner.statuses.create({ ...board, name: 'Third' });
      await cutShort(scene, 1, removeStatus);
      const refused = [
        owner.statuses.delete({ ...board, statusId: done, moveTo: third }),
        owner.statuses.delete({ ...board, statusId: done, moveTo: todo }),
        owner.statuses.delete({ ...board, statusId: third, moveTo: todo }),
        owner.statuses.delete({ ...board, statusId: todo, moveTo: third }),
      ];
      for (const call of refused) expect(await outcome(call)).to.equal('being-removed');
      await taken(scene);
      await owner.statuses.delete({ ...board, statusId: done, moveTo: third });
      expect(await tasksIn(scene, { statusId: [third] })).to.have.length(TASKS + 1);
      await isSound(scene);
    });

    it('is removed once, whoever asks for it again', async () => {
      const { team, board, todo } = scene;
      await cutShort(scene, 1, removeStatus);
      const again = [
        removeStatus(scene),
        team.owner.statuses.delete({ ...board, statusId: todo }),
        removeStatus(scene),
      ];
      expect(await Promise.all(again.map(outcome))).to.deep.equal(['ok', 'ok', 'ok']);
      expect(await outcome(removeStatus(scene))).to.equal('not-found');
      expect((await tasksIn(scene, {})).map(({ version }) => version)).to.deep.equal([1, ...scene.tasks.map(() => 2)]);
      await isSound(scene);
    });

    it('is removed by two processes at once as by one', async () => {
      await cutShort(scene, 1, removeStatus);
      scene.team.world.pass(5_000);
      const { store, team } = scene;
      const [job] = await store.read((tx) => tx.jobs.list(null, 1));
      const other = newWorld(store, 7_000_000).ports;
      await Promise.all([removeStatus(scene), finishJobs({ ...team.world.ports, store }), finishJobs(other)]);
      expect(job).to.include({ kind: 'status-removal' });
      const moved = await tasksIn(scene, { statusId: [scene.done] });
      expect(moved.slice(1).map(({ id }) => id)).to.deep.equal(scene.tasks);
      expect(moved.slice(1).map(({ version }) => version)).to.deep.equal(scene.tasks.map(() => 2));
    });

    it('goes with its board, and with its workspace', async () => {
      const { team, board, store } = scene;
      await cutShort(scene, 1, removeStatus);
      await team.owner.boards.delete(board);
      await taken(scene);
      await store.read(async (tx) => {
        expect(await tx.jobs.list(null, 9)).to.deep.equal([]);
        expect(await tx.boards.get(team.workspaceId, board.boardId)).to.equal(null);
      });
      await isSound(scene);
      const second = await sceneOf(team, store);
      await cutShort(second, 1, removeStatus);
      await team.owner.workspaces.delete(team.at);
      await taken(scene);
      expect(await store.read((tx) => tx.jobs.list(null, 9))).to.deep.equal([]);
    });

    it('stays in an export, with the tasks that it still has', async () => {
      const { team, store } = scene;
      await cutShort(scene, 1, removeStatus);
      const kinds: string[] = [];
      await team.world.operator.exports.workspace({
        ...team.at,
        sink: (record) => {
          kinds.push(record.kind);
          if (record.kind === 'board') expect(JSON.stringify(record)).not.to.include('removal');
        },
      });
      expect(kinds.filter((kind) => kind === 'task')).to.have.length(TASKS + 1);
      expect(await store.read((tx) => tx.jobs.list(null, 9))).to.have.length(1);
    });
  });

  describe('a tag that is deleted', () => {
    const tag = async () => (await scene.team.owner.boards.get(scene.board)).tags.find(({ id }) => id === scene.tag);

    it('is taken off its tasks in small transactions, and is gone with the last', async () => {
      const { team, store } = scene;
      store.written.length = 0;
      await removeTag(scene);
      expect(Math.max(...store.written)).to.be.at.most(MOST_WRITTEN);
      expect(await tag()).to.equal(undefined);
      const tasks = await tasksIn(scene, {});
      expect(tasks.flatMap(({ tags }) => tags)).to.deep.equal([]);
      expect(tasks.slice(1).every(({ version }) => version === 2)).to.equal(false);
      expect(tasks.filter(({ version }) => version === 2)).to.have.length(TASKS);
      const changes = await store.read((tx) => tx.changes.list(team.workspaceId, null, 10_000));
      const updates = changes.filter(({ kind, action }) => kind === 'task' && action === 'update');
      expect(updates).to.have.length(TASKS);
      await isSound(scene);
    });

    it('is read as being removed until then, and any process goes on after a crash', async () => {
      await cutShort(scene, 2, removeTag);
      expect(await tag()).to.include({ beingRemoved: true });
      expect(await tasksIn(scene, { tagId: [scene.tag] })).to.have.length(TASKS - 66);
      expect(await tasksIn(scene, { tagId: ['none'] })).to.have.length(67);
      await isSound(scene);
      await taken(scene);
      expect(await tag()).to.equal(undefined);
      expect(await tasksIn(scene, { tagId: [scene.tag] })).to.deep.equal([]);
      await isSound(scene);
    });

    it('goes on no other task and takes no change meanwhile', async () => {
      const { team, board, tag: tagId, tasks } = scene;
      const { owner, at } = team;
      await cutShort(scene, 1, removeTag);
      const [without] = await tasksIn(scene, { tagId: ['none'] });
      const { id: other } = await owner.tags.create({ ...board, name: 'Blue' });
      const refused = [
        owner.tasks.addTag({ ...at, taskId: without!.id, tagId }),
        owner.tasks.update({ ...at, taskId: without!.id, tags: [tagId] }),
        owner.tasks.create({ ...board, title: 'new', tags: [tagId] }),
        owner.tags.update({ ...board, tagId, name: 'Green' }),
        owner.tags.update({ ...board, tagId, color: 'green' }),
      ];
      for (const call of refused) expect(await outcome(call)).to.equal('being-removed');
      expect(await outcome(owner.tags.create({ ...board, name: 'red' }))).to.equal('tag-name-taken');
      const read = await tag();
      expect(await owner.tags.update({ ...board, tagId, ...read })).to.deep.equal(read);
      // A task that has it is one like others.
      const taskId = tasks.at(-1)!;
      expect((await owner.tasks.addTag({ ...at, taskId, tagId })).version).to.equal(1);
      expect((await owner.tasks.update({ ...at, taskId, tags: [tagId, other] })).tags).to.have.members([tagId, other]);
      await owner.tasks.removeTag({ ...at, taskId: tasks.at(-2)!, tagId });
      // It does not go along to another board.
      const elsewhere = await team.board('Other');
      await owner.tags.create({ ...at, boardId: elsewhere.id, name: 'Red' });
      const moved = await owner.tasks.update({ ...at, taskId: tasks.at(-3)!, boardId: elsewhere.id });
      expect(moved.tags).to.deep.equal([]);
      await taken(scene);
      expect((await owner.tasks.get({ ...at, taskId })).tags).to.deep.equal([other]);
      await isSound(scene);
    });

    it('is removed once, whoever asks for it again, and goes with its board', async () => {
      await cutShort(scene, 1, removeTag);
      expect(await Promise.all([removeTag(scene), removeTag(scene)].map(outcome))).to.deep.equal(['ok', 'ok']);
      expect(await outcome(removeTag(scene))).to.equal('not-found');
      const second = await sceneOf(scene.team, scene.store);
      await cutShort(second, 1, removeTag);
      await scene.team.owner.boards.delete(second.board);
      await taken(scene);
      expect(await scene.store.read((tx) => tx.jobs.list(null, 9))).to.deep.equal([]);
      await isSound(scene);
    });
  });
}
