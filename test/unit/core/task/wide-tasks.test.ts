import { expect } from 'chai';
import { tagsOfSameNames } from '../../../../core/board/tags.ts';
import { createEngine } from '../../../../core/engine.ts';
import { board, comment, instant, newId, status, tag, task } from '../../../contract/records.ts';
import { newTeam, type Team } from '../../../fixtures/world/team.ts';
import type { World } from '../../../fixtures/world/world.ts';

const TASKS = 20;
const TAGS = 1_000;
const WIDE_BOARDS = 10;
const STATUSES = 500;
const MOVES = 10;
const COMMENTS = 1_000;
/** Ids that are looked at between two steps. */
const IDS_PER_STEP = 64;

/** The tasks of an engine that never pauses, and the units of work that they have counted. */
function counting({ ports }: World) {
  let units = 0;
  const step = (taken = 1): null => {
    units += taken;
    return null;
  };
  const { tasks } = createEngine({ ...ports, yielder: () => ({ step }) });
  return { tasks, units: () => units };
}

describe('a list of tasks with very many tags each', () => {
  it('is made in steps, with names as well as without', async () => {
    const { world, at, owner } = await newTeam();
    const { id: boardId } = await owner.boards.create({ ...at, name: 'Board' });
    const tags = Array.from({ length: TAGS }, (_, n) => tag({ name: `${n}` }));
    const wide = { ...board(at.workspaceId, { id: boardId, createdById: owner.memberId }), tags };
    await world.store.write(async (tx) => {
      await tx.boards.replace(wide);
      const first = await tx.tasks.reserveNums(at.workspaceId, TASKS);
      for (let n = 0; n < TASKS; n += 1) {
        await tx.tasks.insert(task(wide, first + n, { createdById: owner.memberId, tags: tags.map(({ id }) => id) }));
      }
    });
    const { tasks, units } = counting(world);
    const call = { caller: { kind: 'user', userId: owner.userId } } as const;
    const enough = (TASKS * TAGS) / IDS_PER_STEP - TASKS;
    await tasks.list(call, at);
    expect(units()).to.be.at.least(enough);
    const without = units();
    await tasks.list(call, { ...at, expand: ['tags'] });
    expect(units() - without).to.be.at.least(2 * enough);
  });
});

describe('a list of tasks on boards that have very many statuses', () => {
  let team: Team;

  before(async () => {
    team = await newTeam();
    const { world, at, owner } = team;
    for (let n = 0; n < WIDE_BOARDS; n += 1) {
      const { id } = await owner.boards.create({ ...at, name: `Board ${n}` });
      await world.store.write(async (tx) => {
        const statuses = Array.from({ length: STATUSES }, (_, orderKey) => status({ orderKey }));
        await tx.boards.replace({ ...(await tx.boards.get(at.workspaceId, id))!, statuses });
      });
      await owner.tasks.create({ ...at, boardId: id, title: 'Task' });
    }
  });

  const lists = { 'by position': { sort: ['position'] }, 'with their names': { expand: ['status'] } } as const;
  for (const [name, list] of Object.entries(lists)) {
    it(`looks at the statuses in steps: ${name}`, async () => {
      const { tasks, units } = counting(team.world);
      await tasks.list({ caller: { kind: 'user', userId: team.owner.userId } }, { ...team.at, ...list });
      expect(units()).to.be.at.least((WIDE_BOARDS * STATUSES) / IDS_PER_STEP);
    });
  }
});

describe('a task with very many comments', () => {
  it('is shown in steps, with the names of their authors as well as without', async () => {
    const { world, at, owner, board: newBoard, task: newTask } = await newTeam();
    const taskId = await newTask((await newBoard('Board')).id, 'Task');
    await world.store.write(async (tx) => {
      const stored = (await tx.tasks.get(at.workspaceId, taskId))!;
      for (let n = 0; n < COMMENTS; n += 1) {
        await tx.comments.insert(comment(stored, { authorId: owner.memberId, createdAt: instant(n) }));
      }
      await tx.tasks.replace({ ...stored, commentCount: COMMENTS });
    });
    const { tasks, units } = counting(world);
    const call = { caller: { kind: 'user', userId: owner.userId } } as const;
    await tasks.get(call, { ...at, taskId });
    expect(units()).to.be.at.least(COMMENTS / 8);
    const without = units();
    const { comments } = await tasks.get(call, { ...at, taskId, expand: ['author'] });
    expect(units() - without).to.be.at.least(COMMENTS / 4);
    expect(comments.map(({ expanded }) => expanded?.author?.name)).to.deep.equal(comments.map(() => 'Owner'));
  });
});

describe('the history of a task that goes from one board with very many tags to the other', () => {
  it('is made in steps', async () => {
    const { world, at, owner } = await newTeam();
    const tags = Array.from({ length: TAGS }, (_, n) => tag({ name: `${n}` }));
    const boards: string[] = [];
    for (const name of ['Here', 'There']) {
      const { id } = await owner.boards.create({ ...at, name });
      await owner.statuses.create({ ...at, boardId: id, name: 'Open' });
      const own = tags.map((one) => ({ ...one, id: newId() }));
      await world.store.write(async (tx) => {
        await tx.boards.replace({ ...(await tx.boards.get(at.workspaceId, id))!, tags: own });
      });
      boards.push(id);
    }
    const [here, there] = boards as [string, string];
    const { tags: first } = await owner.boards.get({ ...at, boardId: here });
    const tagIds = first.map(({ id }) => id);
    const { id: taskId } = await owner.tasks.create({ ...at, boardId: here, title: 'Task', tags: tagIds });
    for (let n = 0; n < MOVES; n += 1) {
      await owner.tasks.update({ ...at, taskId, boardId: n % 2 === 0 ? there : here });
    }
    const { tasks, units } = counting(world);
    const call = { caller: { kind: 'user', userId: owner.userId } } as const;
    const { items } = await tasks.history(call, { ...at, taskId });
    const told = items.slice(0, MOVES).map(({ changes }) => changes.find(({ field }) => field === 'tags'));
    for (const change of told) {
      for (const side of [change!.from, change!.to]) {
        const names = (side as { name: string }[]).map(({ name }) => name);
        expect(names.length).to.be.above(20);
        expect(tags.map(({ name }) => name)).to.include.members(names);
      }
    }
    // Each entry is read, looked at for names and shown, and each tag of both boards noted.
    expect(units()).to.be.at.least(3 * MOVES + (2 * TAGS) / IDS_PER_STEP);
  });
});

describe('many tasks with very many tags each', () => {
  it('are changed at the cost of their tags, not of each of these times those that are taken off', async () => {
    const { world, at, owner } = await newTeam();
    const { id: boardId } = await owner.boards.create({ ...at, name: 'Board' });
    const tags = Array.from({ length: TAGS }, (_, n) => tag({ name: `${n}` }));
    const wide = { ...board(at.workspaceId, { id: boardId, createdById: owner.memberId }), tags };
    const ids = tags.map(({ id }) => id);
    const tasks = Array.from({ length: TASKS }, (_, n) => task(wide, n + 1, { tags: ids }));
    await world.store.write(async (tx) => {
      await tx.boards.replace(wide);
      await tx.tasks.reserveNums(at.workspaceId, TASKS);
      for (const one of tasks) await tx.tasks.insert({ ...one, createdById: owner.memberId });
    });
    let reads = 0;
    const removeTags = new Proxy(ids.slice(-100), {
      get(list, key, receiver) {
        reads += 1;
        return Reflect.get(list, key, receiver) as unknown;
      },
    });
    await owner.tasks.updateMany({ ...at, taskIds: tasks.map(({ id }) => id), set: { removeTags } });
    expect(reads).to.be.below(TASKS * TAGS);
    const { items } = await owner.tasks.list(at);
    expect(items.map((one) => one.tags.length)).to.deep.equal(tasks.map(() => TAGS - 100));
  });

  it('go to the tags of the same names with one look at those of each board', () => {
    let reads = 0;
    const named = (name: string) =>
      Object.defineProperty(tag(), 'name', {
        get() {
          reads += 1;
          return name;
        },
      });
    const names = Array.from({ length: TAGS }, (_, n) => `${n}`);
    const there = board(newId(), { tags: names.map(named) });
    const here = board(newId(), { tags: names.map((name) => tag({ name })) });
    for (let n = 0; n < TASKS; n += 1) {
      expect(tagsOfSameNames(there, here, [here.tags[n]!.id])).to.deep.equal([there.tags[n]!.id]);
    }
    expect(reads).to.equal(TAGS);
  });
});
