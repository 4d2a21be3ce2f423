import { expect } from 'chai';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { newTeam, type Team } from '../../../fixtures/world/team.ts';
import { newWorld } from '../../../fixtures/world/world.ts';
import { WatchedStore } from '../../../fixtures/store/watched-store.ts';

const ALL = { tasks: true, comments: true, assignees: true } as const;

/** Two boards in a folder, and a way to change things after some commits of a copy of it. */
async function withTwoBoards() {
  const store = new WatchedStore(memoryStore());
  const team = await newTeam(newWorld(store));
  const { owner, at, world } = team;
  const folder = await team.page('Folder');
  const first = await team.board('First', folder);
  const second = await team.board('Second', folder);
  const many = async (boardId: string, count: number, title: string) =>
    (
      await owner.tasks.createMany({
        ...at,
        tasks: Array.from({ length: count }, (_, n) => ({ boardId, title: `${title}${n}` })),
      })
    ).map(({ id }) => id);
  /** Copies the folder, and changes something after so many commits. */
  const copyWith = async (commits: number, change: () => Promise<unknown>, by: Team['owner'] = owner) => {
    store.reach = commits;
    const { id, page } = await by.pages.copy({ ...at, pageId: folder, name: 'Twin', ...ALL });
    expect(page).to.equal(null);
    store.reach = Infinity;
    await change();
    world.pass(10_000);
    await world.purge();
    return id;
  };
  /** The titles on the boards of a copy, by the name of the board. */
  const copied = async (id: string) => {
    const pages = (await owner.pages.list(at)).filter(({ parentId }) => parentId === id);
    const found: Record<string, string[]> = {};
    for (const board of pages.filter(({ type }) => type === 'board')) {
      const { items } = await owner.tasks.list({ ...at, boardId: [board.id], limit: 500, sort: ['position'] });
      found[board.name] = items.map(({ title }) => title);
    }
    return found;
  };
  const findings = async () => (await world.operator.doctor.check()).findings;
  return { ...team, store, team, folder, first, second, many, copyWith, copied, findings };
}

const COPIED = { First: ['a0', 'a1', 'a2'], Second: ['b0', 'b1'] };

describe('a copy while its source changes', () => {
  it('leaves out tasks of a board that had no column when it was copied', async () => {
    const { owner, at, folder, second, many, copyWith, copied, findings } = await withTwoBoards();
    await many(second.id, 2, 'b');
    const { id: boardId } = await owner.boards.create({ ...at, name: 'Empty', parentId: folder });
    const id = await copyWith(6, async () => {
      await owner.statuses.create({ ...at, boardId, name: 'To do' });
      const [taskId] = await many(boardId, 1, 'c');
      await owner.pages.create({ ...at, name: 'c0', type: 'task', parentId: folder, taskId: taskId! });
    });
    expect(await copied(id)).to.deep.equal({ First: [], Second: COPIED.Second, Empty: [] });
    expect((await owner.pages.list(at)).filter(({ name }) => name === 'c0')).to.have.length(1);
    expect(await findings()).to.deep.equal([]);
  });

  it('takes a task along once that moves to a board copied later', async () => {
    const { owner, at, first, second, many, copyWith, copied, findings } = await withTwoBoards();
    const [moving] = await many(first.id, 3, 'a');
    await many(second.id, 2, 'b');
    const id = await copyWith(3, () => owner.tasks.update({ ...at, taskId: moving!, boardId: second.id }));
    expect(await copied(id)).to.deep.equal(COPIED);
    expect(await findings()).to.deep.equal([]);
  });

  it('keeps pages with the tasks and boards that were staged for them', async () => {
    const changes: readonly ((world: Awaited<ReturnType<typeof withTwoBoards>>, taskId: string) => Promise<unknown>)[] =
      [
        ({ owner, at, second }, taskId) => owner.tasks.update({ ...at, taskId, boardId: second.id }),
        async ({ owner, at, board }, taskId) =>
          owner.tasks.update({ ...at, taskId, boardId: (await board('Outside')).id }),
        ({ owner, at }, taskId) => owner.tasks.update({ ...at, taskId, title: 'renamed' }),
        ({ owner, at, first }) => owner.boards.update({ ...at, boardId: first.id, name: 'Renamed' }),
      ];
    for (const change of changes) {
      const world = await withTwoBoards();
      const { owner, at, folder, first, second, many, copyWith, copied, findings } = world;
      const [taskId] = await many(first.id, 3, 'a');
      await many(second.id, 2, 'b');
      await owner.pages.create({ ...at, name: 'a0', type: 'task', parentId: folder, taskId: taskId! });
      const id = await copyWith(5, () => change(world, taskId!));
      expect(await copied(id)).to.deep.equal(COPIED);
      expect((await owner.pages.list(at)).filter((page) => page.parentId === id).map(({ name }) => name)).to.deep.equal(
        ['First', 'Second', 'a0'],
      );
      expect(await findings()).to.deep.equal([]);
    }
  });

  it('leaves out the page of a task whose board went out of sight, and nothing else is removed with that', async () => {
    const { owner, at, folder, first, second, many, member, grant, copyWith, copied, findings, world } =
      await withTwoBoards();
    const [taskId] = await many(first.id, 3, 'a');
    await many(second.id, 2, 'b');
    await owner.pages.create({ ...at, name: 'a0', type: 'task', parentId: folder, taskId: taskId! });
    await owner.pages.create({ ...at, name: 'below', type: 'folder', parentId: taskId! });
    const id = await copyWith(5, () => grant(first.id, member, 0), member);
    expect(await copied(id)).to.deep.equal({ Second: COPIED.Second });
    const below = (await owner.pages.list(at)).filter(({ parentId }) => parentId === id);
    expect(below.map(({ name }) => name)).to.deep.equal(['Second']);
    await world.purge();
    expect(await findings()).to.deep.equal([]);
  });

  it('takes no more comments of a task along that went out of sight', async () => {
    const { owner, at, member, folder, first, grant, many, copyWith, findings } = await withTwoBoards();
    const [taskId] = await many(first.id, 1, 'a');
    await owner.pages.create({ ...at, name: 'a0', type: 'task', parentId: folder, taskId: taskId! });
    for (let n = 0; n < 130; n += 1) await owner.comments.create({ ...at, taskId: taskId!, content: `c${n}` });
    await copyWith(3, () => grant(taskId!, member, 0), member);
    const { items } = await member.tasks.list({ ...at, limit: 500 });
    expect(items.map(({ commentCount }) => commentCount)).to.deep.equal([0]);
    expect(await findings()).to.deep.equal([]);
  });

  it('leaves out a board that is out of sight for a while, rather than bring a part of it', async () => {
    const { member, first, second, grant, many, copyWith, copied, findings, store, world } = await withTwoBoards();
    await many(first.id, 120, 'a');
    await many(second.id, 2, 'b');
    const hideForOneStep = async () => {
      await grant(first.id, member, 0);
      world.pass(10_000);
      store.reach = 1;
      await world.purge();
      store.reach = Infinity;
      await grant(first.id, member, 300);
    };
    const id = await copyWith(3, hideForOneStep, member);
    expect(await copied(id)).to.deep.equal({ Second: ['b0', 'b1'] });
    expect(await findings()).to.deep.equal([]);
  });

  it('of the page of a task is named as asked for, with its board below it or alone', async () => {
    const { owner, at, folder, first, many, findings } = await withTwoBoards();
    const [taskId] = await many(first.id, 1, 'a');
    await owner.pages.create({ ...at, name: 'a0', type: 'task', parentId: folder, taskId: taskId! });
    await owner.pages.update({ ...at, pageId: first.id, parentId: taskId! });
    for (const tasks of [true, false]) {
      const { page } = await owner.pages.copy({ ...at, pageId: taskId!, name: 'Twin', tasks });
      expect([page!.name, page!.contentId]).to.deep.equal(['Twin', tasks ? page!.id : null]);
      expect(await findings()).to.deep.equal([]);
    }
  });
});
