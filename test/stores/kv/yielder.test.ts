import { expect } from 'chai';
import { readOnly } from '../../../adapters/store-kv/engine/kv.ts';
import { countBytes } from '../../../adapters/event-loop/counted-bytes.ts';
import { LoopShare } from '../../../adapters/event-loop/loop-share.ts';
import { BYTES_BETWEEN_CHECKS, EventLoopYielder } from '../../../adapters/event-loop/yielder.ts';
import { StructureCache } from '../../../adapters/store-kv/structure/structure-cache.ts';
import { kvTransaction } from '../../../adapters/store-kv/transaction.ts';
import { TreeSnapshot } from '../../../adapters/store-memory/tree.ts';
import type { SortKey, TaskFilter, TaskQuery } from '../../../core/model/content/task-query.ts';
import { board, member, newId, status, task, workspace } from '../../contract/records.ts';

const TASKS = 4_000;
const ENDED = 4_000;
/** Looks at the clock that all long work together may take in a turn of 2 ms, if each look takes 1 ms. */
const LOOKS = 4;
/** Records that are looked at between two looks at the clock. */
const UNITS = 32;

/** An event loop in which every look at the clock is a millisecond later. */
function countedLoop() {
  let now = 0;
  let looks = 0;
  const seen = { turns: 0, mostLooks: 0 };
  const share = new LoopShare({
    now: () => {
      looks += 1;
      seen.mostLooks = Math.max(seen.mostLooks, looks);
      return (now += 1);
    },
    nextTurn: (resume) => {
      setImmediate(() => {
        seen.turns += 1;
        looks = 0;
        resume();
      });
    },
  });
  return { share, seen };
}

describe('long work', () => {
  it('is not interrupted while it is short', () => {
    const { share, seen } = countedLoop();
    const yielder = new EventLoopYielder(share);
    for (let n = 0; n < UNITS * 2; n += 1) expect(yielder.step()).to.equal(null);
    expect(seen.turns).to.equal(0);
  });

  it('looks at the clock after a record of many bytes, whatever its units', () => {
    const { share, seen } = countedLoop();
    const yielder = new EventLoopYielder(share);
    expect(yielder.step()).to.equal(null);
    expect(seen.mostLooks).to.equal(0);
    countBytes(BYTES_BETWEEN_CHECKS);
    expect(yielder.step()).to.equal(null);
    expect(seen.mostLooks).to.be.at.least(1);
    const { mostLooks } = seen;
    expect(yielder.step()).to.equal(null);
    expect(seen.mostLooks).to.equal(mostLooks);
  });

  it('of a write goes on in every second turn, however much of others waits', async () => {
    const { share } = countedLoop();
    const order: string[] = [];
    const work = async (name: string, yielder: EventLoopYielder) => {
      for (let n = 0; n < UNITS * 20; n += 1) {
        const pause = yielder.step();
        if (pause === null) continue;
        await pause;
        order.push(name);
      }
    };
    const others = Array.from({ length: 20 }, () => work('read', new EventLoopYielder(share)));
    await work('write', new EventLoopYielder(share.ofWrites));
    const until = order.slice(0, order.lastIndexOf('write') + 1);
    expect(until.filter((name) => name === 'write')).to.have.length.at.least(Math.floor(until.length / 2));
    expect(until.filter((name) => name === 'read')).to.have.length.at.least(Math.floor(until.length / 2) - 1);
    await Promise.all(others);
  });

  it('goes on in turn, first come, first served', async () => {
    const { share } = countedLoop();
    const order: string[] = [];
    const work = async (name: string) => {
      const yielder = new EventLoopYielder(share);
      for (let n = 0; n < UNITS * 20; n += 1) {
        const pause = yielder.step();
        if (pause === null) continue;
        order.push(name);
        await pause;
      }
    };
    await Promise.all(['a', 'b', 'c'].map(work));
    const [first, ...rest] = order.slice(3, 9);
    expect(new Set(order.slice(0, 3)).size).to.equal(3);
    expect([first, ...rest].join('')).to.equal('abcabc');
  });

  it('counts by what there is to search through, where texts are long', () => {
    const { share } = countedLoop();
    const yielder = new EventLoopYielder(share);
    let steps = 0;
    while (yielder.step(50) === null) steps += 1;
    expect(steps).to.be.below(10);
  });
});

describe('a long search', () => {
  const kanban = board(newId(), { statuses: [status(), status(), status()] });
  const { workspaceId } = kanban;
  const scope = { boards: new Set([kanban.id]), hidden: new Set<string>(), withoutBoard: new Set<string>() };
  const others = Array.from({ length: 40 }, newId);
  let snapshot = new TreeSnapshot();

  before(async () => {
    const draft = snapshot.draft();
    const tx = kvTransaction(draft, new StructureCache());
    await tx.boards.insert(kanban);
    const statuses = kanban.statuses.map(({ id }) => id);
    for (let n = 0; n < TASKS; n += 1) {
      const at = { statusId: statuses[n % 3]!, statusOrderKey: n, title: `t${(n * 7) % TASKS}`, assignees: ['ada'] };
      // All of the same instant.
      await tx.tasks.insert(task(kanban, n + 1, at));
    }
    snapshot = draft.freeze();
  });

  const key = (field: SortKey['field'], descending = false): SortKey => ({ field, descending });
  const excluded = (field: 'boardId' | 'statusId' | 'createdById' | 'tags' | 'assignees'): TaskFilter => ({
    field,
    in: others,
    not: true,
  });
  const exclusions = (['boardId', 'statusId', 'createdById', 'tags', 'assignees'] as const).map(excluded);
  const statusOrder = new Map(kanban.statuses.map(({ id }, n) => [id, n]));
  const searches: Readonly<Record<string, Pick<TaskQuery, 'filters' | 'sort' | 'statusOrder'>>> = {
    'with five exclusions of 40 ids and four sort keys': {
      filters: exclusions,
      sort: [key('priority'), key('title'), key('dateEnd', true), key('createdAt'), key('id')],
    },
    'for a text that is nowhere': { filters: [{ text: 'nowhere' }], sort: [key('num'), key('id')] },
    'of tasks that were all changed at once': {
      filters: [{ text: 'nowhere' }],
      sort: [key('updatedAt', true), key('title'), key('id')],
    },
    'of the tasks of one member by position': {
      filters: [{ field: 'assignees', in: ['ada'] }, { text: 'nowhere' }],
      sort: [key('statusOrder'), key('statusId'), key('statusOrderKey'), key('id')],
      statusOrder,
    },
    'of updated tasks by number': {
      filters: [{ field: 'updatedAt', from: '2020-01-01T00:00:00.000Z' }, { text: 'nowhere' }],
      sort: [key('num', true), key('id')],
    },
  };

  const unassigned: TaskFilter = {
    field: 'assignees',
    in: [null],
    ended: new Set(Array.from({ length: ENDED }, newId)),
  };
  for (const field of ['num', 'title', 'updatedAt'] as const) {
    it(`of tasks without assignees by ${field} lets others run where very many memberships have ended`, async () => {
      const { share, seen } = countedLoop();
      const tx = kvTransaction(readOnly(snapshot), new StructureCache(), share);
      const sort = [key(field), key('id')];
      const filters = [unassigned];
      expect(await tx.tasks.find({ workspaceId, scope, filters, sort, after: null, limit: 10 })).to.deep.equal([]);
      expect(seen.turns).to.be.at.least(ENDED / 8 / UNITS / LOOKS);
      seen.turns = 0;
      expect(await tx.tasks.count({ workspaceId, scope, filters })).to.equal(0);
      expect(seen.turns).to.be.at.least(ENDED / UNITS / LOOKS);
    });
  }

  for (const [name, search] of Object.entries(searches)) {
    it(`${name} lets others run, eight at once as well as one`, async () => {
      const alone = countedLoop();
      const query = { workspaceId, scope, after: null, limit: 501, ...search };
      const find = async ({ share }: typeof alone) => {
        const tx = kvTransaction(readOnly(snapshot), new StructureCache(), share);
        return (await tx.tasks.find(query)).map(({ num }) => num);
      };
      const found = await find(alone);
      expect(alone.seen.turns).to.be.at.least(TASKS / UNITS / LOOKS);
      expect(alone.seen.mostLooks).to.be.at.most(LOOKS + 1);
      const together = countedLoop();
      const all = await Promise.all(Array.from({ length: 8 }, () => find(together)));
      expect(together.seen.turns).to.be.at.least(8 * (TASKS / UNITS / LOOKS));
      // Each looks at least once when it begins.
      expect(together.seen.mostLooks).to.be.at.most(LOOKS + 8);
      for (const each of all) expect(each).to.deep.equal(found);
    });
  }

  it('counts in turns too', async () => {
    const { share, seen } = countedLoop();
    const tx = kvTransaction(readOnly(snapshot), new StructureCache(), share);
    expect(await tx.tasks.count({ workspaceId, scope, filters: exclusions })).to.equal(TASKS);
    expect(seen.turns).to.be.at.least(TASKS / UNITS / LOOKS);
    const hidden = { ...scope, hidden: new Set(Array.from({ length: TASKS }, newId)) };
    const before = seen.turns;
    expect(await tx.tasks.count({ workspaceId, scope: hidden, filters: [] })).to.equal(TASKS);
    expect(seen.turns - before).to.be.at.least(TASKS / UNITS / LOOKS);
  });
});

describe('a read of boards', () => {
  it('looks at the clock after each, for one may have thousands of statuses and tags', async () => {
    const boards = Array.from({ length: 20 * LOOKS }, () => board(newId()));
    const { workspaceId } = boards[0]!;
    const draft = new TreeSnapshot().draft();
    const writer = kvTransaction(draft, new StructureCache());
    for (const one of boards) await writer.boards.insert({ ...one, workspaceId });
    const { share, seen } = countedLoop();
    const tx = kvTransaction(readOnly(draft.freeze()), new StructureCache(), share);
    const ids = boards.map(({ id }) => id);
    expect((await tx.boards.many(workspaceId, ids)).size).to.equal(boards.length);
    expect(seen.turns).to.be.at.least(20);
  });
});

describe('what a user is in', () => {
  const WORKSPACES = 1_000;

  it('is listed and counted in turns, and so are the owners among very many members', async () => {
    const draft = new TreeSnapshot().draft();
    const writer = kvTransaction(draft, new StructureCache());
    const userId = newId();
    let large = '';
    for (let n = 0; n < WORKSPACES; n += 1) {
      const made = workspace();
      await writer.structures.insert(made, member(made.id, { userId, role: 40 }));
      large = made.id;
    }
    const structure = (await writer.structures.get(large))!;
    const members = Array.from({ length: WORKSPACES }, () => member(large, { role: 20 }));
    await writer.structures.change(structure, { members });
    const snapshot = draft.freeze();
    const asked: Readonly<Record<string, (tx: ReturnType<typeof kvTransaction>) => Promise<number>>> = {
      ofUser: async ({ structures }) => (await structures.ofUser(userId)).length,
      countOfUser: ({ structures }) => structures.countOfUser(userId, WORKSPACES),
      owners: async ({ structures }) => (await structures.owners([large])).length * WORKSPACES,
    };
    for (const [name, ask] of Object.entries(asked)) {
      const { share, seen } = countedLoop();
      const tx = kvTransaction(readOnly(snapshot), new StructureCache(), share);
      expect(await ask(tx), name).to.equal(WORKSPACES);
      expect(seen.turns, name).to.be.at.least(WORKSPACES / UNITS / LOOKS);
      expect(seen.mostLooks, name).to.be.at.most(LOOKS + 1);
    }
  });
});
