import { expect } from 'chai';
import type { LinkType } from '../../../../core/index.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { newTeam } from '../../../fixtures/world/team.ts';
import { DAY, newWorld } from '../../../fixtures/world/world.ts';
import { WatchedStore } from '../../../fixtures/store/watched-store.ts';
import { countingGets } from '../../../fixtures/store/counted-gets.ts';

const TYPES: readonly LinkType[] = ['blocks', 'relates', 'duplicates'];
const MOST = 100;
/** What a step writes, one whole checklist, and the job and what it leaves behind. */
const MAX_WRITTEN = 120;
/** Enough for steps in which no linked task is copied. */
const FILLERS = 120;
/** More links in a row than one search follows; half as many are not. */
const CHAIN = 190;

async function newBoard() {
  const store = new WatchedStore(memoryStore());
  const team = await newTeam(newWorld(store));
  const { owner, at, world } = team;
  const { id: boardId } = await team.board('Board');
  const add = async (count: number) => {
    const tasks = Array.from({ length: count }, () => ({ boardId, title: 'task' }));
    return (await owner.tasks.createMany({ ...at, tasks })).map(({ id }) => id);
  };
  const link = (fromTaskId: string, type: LinkType, taskId: string) =>
    owner.tasks.link({ ...at, fromTaskId, type, taskId });
  const unlink = (fromTaskId: string, type: LinkType, taskId: string) =>
    owner.tasks.unlink({ ...at, fromTaskId, type, taskId });
  /** Copies the board, and changes something when so many of its tasks are copied. */
  const copy = async (after = Infinity, change: () => Promise<void> = () => Promise.resolve()) => {
    const count = () => store.read((tx) => tx.tasks.lastNum(at.workspaceId));
    const before = await count();
    let changing: Promise<void> | undefined;
    store.onWritten = async () => {
      if (changing === undefined && (await count()) >= before + after) await (changing = change());
    };
    const { id } = await owner.boards.copy({ ...at, boardId, tasks: true, comments: true });
    expect(after === Infinity || changing !== undefined).to.equal(true);
    return id;
  };
  /** How many links there are on a board, counted at both ends. */
  const linksOn = async (board: string) => {
    const { items } = await owner.tasks.list({ ...at, boardId: [board], limit: 500 });
    const tasks = await Promise.all(items.map(({ id }) => owner.tasks.get({ ...at, taskId: id })));
    return tasks.reduce((sum, { links }) => sum + links.length, 0);
  };
  const findings = async () => (await world.operator.doctor.check()).findings;
  return { ...team, store, boardId, add, link, unlink, copy, linksOn, findings };
}

describe('the links of a copied task', () => {
  it('are made a few in each step, however many it has, and whatever else it has', async () => {
    const { owner, at, store, boardId, add, link, copy, linksOn, findings } = await newBoard();
    const others = await add(MOST);
    const [hub] = await add(1);
    for (const other of others) {
      for (const type of TYPES) await link(hub!, type, other);
      await link(other, 'parent', hub!);
    }
    const before = await add(MOST);
    for (const other of before) for (const type of ['blocks', 'duplicates'] as const) await link(other, type, hub!);
    for (let n = 0; n < MOST; n += 1) await owner.checklists.create({ ...at, taskId: hub!, text: `${n}` });
    for (let n = 0; n < MOST; n += 1) await owner.comments.create({ ...at, taskId: hub!, content: `${n}` });
    store.written.length = 0;
    const id = await copy();
    expect(Math.max(...store.written)).to.be.at.most(MAX_WRITTEN);
    expect(await linksOn(id)).to.equal(await linksOn(boardId));
    const { items } = await owner.tasks.list({ ...at, boardId: [id], sort: ['num'], limit: 500 });
    expect([items[MOST]!.checklistTotal, items[MOST]!.commentCount]).to.deep.equal([MOST, MOST]);
    expect(await findings()).to.deep.equal([]);
  });

  it('are no more than a task may have where others are linked in their place', async () => {
    const { store, add, link, unlink, copy, linksOn, findings } = await newBoard();
    const [before, after] = [await add(MOST), await add(MOST)];
    const [hub] = await add(1);
    for (const other of before) await link(hub!, 'relates', other);
    const id = await copy(2 * MOST + 1, async () => {
      store.onWritten = () => undefined;
      for (const other of before) await unlink(hub!, 'relates', other);
      for (const other of after) await link(hub!, 'relates', other);
    });
    expect(await linksOn(id)).to.equal(2 * MOST);
    expect(await findings()).to.deep.equal([]);
  });

  it('are made once where a link after which to go on is gone', async () => {
    const { store, add, link, unlink, copy, linksOn, findings } = await newBoard();
    const others = await add(MOST);
    const [hub] = await add(1);
    for (const other of others) await link(hub!, 'relates', other);
    const id = await copy(MOST + 1, async () => {
      store.onWritten = () => undefined;
      for (const other of others.slice(0, MOST - 1)) await unlink(hub!, 'relates', other);
    });
    // Those of the steps before, and the one that is left.
    expect(await linksOn(id))
      .to.be.greaterThan(2)
      .and.below(2 * MOST);
    expect(await findings()).to.deep.equal([]);
  });

  for (const type of ['parent', 'blocks'] as const) {
    it(`are on no cycle where the tasks are linked anew meanwhile: ${type}`, async () => {
      const { add, link, unlink, copy, findings } = await newBoard();
      const [a, b] = await add(2);
      await link(a!, type, b!);
      await add(FILLERS);
      const [c] = await add(1);
      await copy(2, async () => {
        await unlink(a!, type, b!);
        await link(b!, type, c!);
        await link(c!, type, a!);
      });
      expect(await findings()).to.deep.equal([]);
    });
  }

  it('are on no cycle where they are linked anew, and that is more than one search can tell', async () => {
    const { add, link, unlink, copy, findings } = await newBoard();
    const chain = await add(CHAIN);
    for (let n = 1; n < CHAIN; n += 1) await link(chain[n - 1]!, 'blocks', chain[n]!);
    await add(FILLERS);
    const [last] = await add(1);
    await copy(CHAIN, async () => {
      await unlink(chain[CHAIN / 2 - 1]!, 'blocks', chain[CHAIN / 2]!);
      await link(last!, 'blocks', chain[0]!);
      await link(chain[CHAIN - 1]!, 'blocks', last!);
    });
    expect(await findings()).to.deep.equal([]);
  });

  it('are all there where nothing is linked anew, also if that is more than one search can tell', async () => {
    const { world, boardId, add, link, copy, linksOn, findings } = await newBoard();
    const [ahead, behind, [last]] = [await add(CHAIN), await add(CHAIN), await add(1)];
    // A chain may become longer than a search where it grows at an end.
    const row = [...behind, last!, ...ahead];
    for (let n = 1; n < row.length; n += 1) await link(row[n - 1]!, 'blocks', row[n]!);
    world.pass(DAY);
    expect(await linksOn(await copy())).to.equal(await linksOn(boardId));
    expect(await findings()).to.deep.equal([]);
  });
});

describe('the links of copied tasks', () => {
  it('are kept among them, whichever is copied first, and left out to others', async () => {
    const team = await newTeam();
    const { owner, member, at, grant } = team;
    const folder = await team.page('Folder');
    const { id: one } = await team.board('One', folder);
    const { id: two } = await team.board('Two', folder);
    const { id: secret } = await team.board('Secret', folder);
    const { id: outside } = await team.board('Outside');
    await grant(secret, member, 0);
    const [a, b, c] = [await team.task(one, 'a'), await team.task(two, 'b'), await team.task(one, 'c')];
    const [hidden, other] = [await team.task(secret, 'hidden'), await team.task(outside, 'other')];
    const link = (fromTaskId: string, type: LinkType, taskId: string) =>
      owner.tasks.link({ ...at, fromTaskId, type, taskId });
    await link(a, 'parent', b);
    await link(c, 'parent', b);
    await link(b, 'blocks', c);
    await link(c, 'blocks', a);
    for (const away of [hidden, other]) await link(a, 'relates', away);
    const { id } = await member.pages.copy({ ...at, pageId: folder, tasks: true });
    const pages = await owner.pages.list(at);
    const boardId = pages.filter(({ parentId }) => parentId === id).map((page) => page.id);
    const { items } = await owner.tasks.list({ ...at, boardId, sort: ['title'] });
    const names = new Map(items.map((task) => [task.id, task.title]));
    const shown = await Promise.all(items.map((task) => owner.tasks.get({ ...at, taskId: task.id })));
    expect(
      shown.map(({ title, links }) => [title, ...links.map(({ type, taskId }) => `${type} ${names.get(taskId!)}`)]),
    ).to.deep.equal([
      ['a', 'parent b', 'blockedBy c'],
      ['b', 'child a', 'child c', 'blocks c'],
      ['c', 'parent b', 'blocks a', 'blockedBy b'],
    ]);
    expect((await team.world.operator.doctor.check()).findings).to.deep.equal([]);
  });

  it('are checked together: each transaction reads a bounded number of tasks', async () => {
    const { store, gets } = countingGets(memoryStore());
    const team = await newTeam(newWorld(store));
    const { owner, at } = team;
    const { id: boardId } = await team.board('Board');
    const add = async (count: number) => {
      const tasks = Array.from({ length: count }, (_, i) => ({ boardId, title: `${i}` }));
      return (await owner.tasks.createMany({ ...at, tasks })).map(({ id }) => id);
    };
    const [blocking, blocked, after, last] = [await add(30), await add(30), await add(30), await add(30)];
    // It is copied last, when all that it is linked to is there.
    const middle = await add(2);
    const layers = [blocking, blocked, middle, after, last];
    for (const [i, layer] of layers.entries()) {
      for (const fromTaskId of layer) {
        for (const taskId of layers[i + 1] ?? []) await owner.tasks.link({ ...at, fromTaskId, type: 'blocks', taskId });
      }
    }
    gets.length = 0;
    const { id } = await owner.boards.copy({ ...at, boardId, tasks: true });
    expect(Math.max(...gets)).to.be.below(700);
    const { items } = await owner.tasks.list({ ...at, boardId: [id], sort: ['-num'], limit: 1 });
    expect((await owner.tasks.get({ ...at, taskId: items[0]!.id })).links).to.have.length(60);
    expect((await team.world.operator.doctor.check()).findings).to.deep.equal([]);
  });
});
