import { withParts } from '../../../core/ports/lazy-transaction.ts';
import { assert, expect } from 'chai';
import { rejects } from '../../fixtures/errors.ts';
import type { ChecklistItem, Finding, Store, Transaction } from '../../../core/index.ts';
import { pageEntry } from '../../../core/model/access/page-entry.ts';
import type { ReadTransaction } from '../../../core/ports/store.ts';
import { identity } from '../../contract/records.ts';
import { storedTasks } from '../../../core/task/stored-tasks.ts';
import { newWorld } from '../../fixtures/world/world.ts';
import { acme, type Acme } from './exported.ts';

const NIL_UUID = '00000000-0000-7000-8000-00000000dead';

/** Each breaks one invariant behind the engine's back. */
const FAULTS: readonly {
  readonly rule: Finding['rule'];
  readonly name: string;
  readonly plant: (tx: Transaction, at: Acme) => Promise<unknown>;
}[] = [
  {
    rule: 'tree',
    name: 'two pages inside each other',
    plant: (tx, at) =>
      changePages(tx, at, (pages) => {
        const [folder, board] = pages;
        return [{ ...folder!, parentId: board!.id }];
      }),
  },
  {
    rule: 'tree',
    name: 'a page under nothing',
    plant: (tx, at) => changePages(tx, at, ([folder]) => [{ ...folder!, parentId: NIL_UUID }]),
  },
  {
    rule: 'access',
    name: 'an entry of nobody',
    plant: (tx, at) => changePages(tx, at, ([folder]) => [{ ...folder!, entries: { [NIL_UUID]: pageEntry(400, 1) } }]),
  },
  {
    rule: 'access',
    name: 'an entry of a membership to come',
    plant: async (tx, at) => {
      const [owner] = [...(await tx.structures.get(at.workspaceId))!.members()];
      return changePages(tx, at, ([folder]) => [{ ...folder!, entries: { [owner!.id]: pageEntry(400, 2) } }]);
    },
  },
  {
    rule: 'member',
    name: 'a member without a membership',
    plant: async (tx, at) => {
      const structure = (await tx.structures.get(at.workspaceId))!;
      const members = [...structure.members()].map((member) => ({ ...member, membership: 0 }));
      return tx.structures.change(structure, { members });
    },
  },
  {
    rule: 'owner',
    name: 'a workspace without an owner',
    plant: async (tx, at) => {
      const structure = (await tx.structures.get(at.workspaceId))!;
      const members = [...structure.members()].map((member) => ({ ...member, role: 20 }));
      return tx.structures.change(structure, { members });
    },
  },
  {
    rule: 'link',
    name: 'a link that only one of two tasks has',
    plant: async (tx, at) => {
      const [task, other] = await storedTasks(tx, at.workspaceId, { limit: 2 });
      return tx.tasks.replace({ ...task!, links: { blocks: [other!.id] } });
    },
  },
  {
    rule: 'link',
    name: 'parents on a cycle',
    plant: async (tx, at) => {
      const [a, b] = await storedTasks(tx, at.workspaceId, { limit: 2 });
      await tx.tasks.replace({ ...a!, links: { parent: [b!.id], child: [b!.id] } });
      await tx.tasks.replace({ ...b!, links: { parent: [a!.id], child: [a!.id] } });
    },
  },
  {
    rule: 'link',
    name: 'a task with two parents',
    plant: async (tx, at) => {
      const [child, ...parents] = await storedTasks(tx, at.workspaceId, { limit: 3 });
      for (const parent of parents) await tx.tasks.replace({ ...parent, links: { child: [child!.id] } });
      await tx.tasks.replace({ ...child!, links: { parent: parents.map(({ id }) => id) } });
    },
  },
  {
    rule: 'link',
    name: 'a link to a task that is not there',
    plant: async (tx, at) => {
      const [task] = await storedTasks(tx, at.workspaceId, { limit: 1 });
      return tx.tasks.replace({ ...task!, links: { relates: [NIL_UUID] } });
    },
  },
  {
    rule: 'content',
    name: 'a board under another name than its page',
    plant: async (tx, at) => {
      const board = (await tx.boards.get(at.workspaceId, at.boardId))!;
      return tx.boards.replace({ ...board, name: 'Other' });
    },
  },
  {
    rule: 'reference',
    name: 'a board without the status of its tasks',
    plant: async (tx, at) => {
      const board = (await tx.boards.get(at.workspaceId, at.boardId))!;
      return tx.boards.replace({ ...board, statuses: [] });
    },
  },
  {
    rule: 'num',
    name: 'a running number that was never given',
    plant: (tx, at) => changeTask(tx, at, (task) => ({ ...task, num: 4711 })),
  },
  {
    rule: 'order',
    name: 'an order key out of range',
    plant: (tx, at) => changeTask(tx, at, (task) => ({ ...task, statusOrderKey: 2 ** 52 + 1 })),
  },
  {
    rule: 'reference',
    name: 'a task assigned to nobody',
    plant: (tx, at) => changeTask(tx, at, (task) => ({ ...task, assignees: [NIL_UUID] })),
  },
  {
    rule: 'comment',
    name: 'a wrong count of comments',
    plant: (tx, at) => changeTask(tx, at, (task) => ({ ...task, commentCount: 7 })),
  },
  {
    rule: 'checklist',
    name: 'a wrong count of items',
    plant: (tx, at) => changeTask(tx, at, (task) => ({ ...task, checklistTotal: 7 })),
  },
  {
    rule: 'checklist',
    name: 'a wrong count of items that are done',
    plant: (tx, at) => changeItem(tx, at, (item) => ({ ...item, done: !item.done })),
  },
  {
    rule: 'order',
    name: 'two items in one place',
    plant: (tx, at) => changeItem(tx, at, (item, [first]) => ({ ...item, orderKey: first!.orderKey })),
  },
  {
    rule: 'reference',
    name: 'an item of nobody',
    plant: (tx, at) => changeItem(tx, at, (item) => ({ ...item, assigneeId: NIL_UUID })),
  },
  {
    rule: 'content',
    name: 'a task page without its task',
    plant: async (tx, at) => {
      const structure = (await tx.structures.get(at.workspaceId))!;
      const page = [...structure.pages()].find((one) => one.type === 'task')!;
      return tx.tasks.remove((await tx.tasks.get(at.workspaceId, page.id))!);
    },
  },
  {
    rule: 'identity',
    name: 'an identity of nobody',
    plant: (tx) => tx.identities.insert(identity(NIL_UUID)),
  },
];

type Structure = NonNullable<Awaited<ReturnType<Transaction['structures']['get']>>>;
type Page = NonNullable<ReturnType<Structure['page']>>;
type Reads = ReadTransaction['tasks'];
type Task = NonNullable<Awaited<ReturnType<Transaction['tasks']['get']>>>;

async function changePages(tx: Transaction, at: Acme, change: (pages: readonly Page[]) => readonly Page[]) {
  const structure = (await tx.structures.get(at.workspaceId))!;
  return tx.structures.change(structure, { pages: change([...structure.pages()]) });
}

async function changeTask(tx: Transaction, at: Acme, change: (task: Task) => Task) {
  const structure = (await tx.structures.get(at.workspaceId))!;
  const board = (await tx.boards.get(structure.workspace.id, at.boardId))!;
  const [task] = await tx.tasks.column(at.workspaceId, board.statuses[0]!.id, { limit: 1 });
  return tx.tasks.replace(change(task!));
}

/** Changes the second item of the second task. */
async function changeItem(
  tx: Transaction,
  { workspaceId, boardId }: Acme,
  change: (item: ChecklistItem, all: readonly ChecklistItem[]) => ChecklistItem,
) {
  const board = (await tx.boards.get(workspaceId, boardId))!;
  const [, task] = await tx.tasks.column(workspaceId, board.statuses[0]!.id, { limit: 2 });
  const items = await tx.checklistItems.list('ofTask', { workspaceId, taskId: task!.id }, { limit: 9 });
  return tx.checklistItems.replace(change(items[1]!, items));
}

/** The store, but for counts that are what is given. No call of the engine can bring that about. */
function miscounting(store: Store, counts: Partial<Pick<Reads, 'taskCount' | 'countByStatus' | 'count'>>): Store {
  const misled = (tasks: Reads): Reads =>
    new Proxy(tasks, {
      get(target, name) {
        if (Object.hasOwn(counts, name)) return Reflect.get(counts, name) as unknown;
        return (Reflect.get(target, name) as () => unknown).bind(target);
      },
    });
  return {
    read: (work) => store.read((tx) => work(withParts(tx, { tasks: () => misled(tx.tasks) }))),
    write: (work) => store.write(work),
    ready: () => store.ready(),
    close: () => store.close(),
  };
}

describe('doctor', () => {
  it('finds nothing wrong with what the engine has made', async () => {
    const world = newWorld();
    await acme(world);
    const report = await world.operator.doctor.check();
    expect(report).to.deep.equal({ workspaces: 1, pages: 3, tasks: 20, comments: 6, findings: [] });
  });

  for (const { rule, name, plant } of FAULTS) {
    it(`finds ${name}`, async () => {
      const world = newWorld();
      const at = await acme(world);
      await world.store.write((tx) => plant(tx, at));
      const { findings } = await world.operator.doctor.check();
      assert(
        findings.some(
          (found) => found.rule === rule && found.workspaceId === (rule === 'identity' ? null : at.workspaceId),
        ),
        JSON.stringify(findings),
      );
    });
  }

  it('finds a taskCount that is not the number of tasks, once there is one', async () => {
    const world = newWorld();
    const { workspaceId } = await acme(world);
    const check = async (store: Store) => (await newWorld(store).operator.doctor.check()).findings;
    expect(await check(world.store)).to.deep.equal([]);
    expect(await world.store.write((tx) => tx.tasks.ensureTaskCount(workspaceId))).to.equal(20);
    expect(await check(world.store)).to.deep.equal([]);
    const findings = await check(miscounting(world.store, { taskCount: () => Promise.resolve(21) }));
    expect(findings.map((found) => [found.rule, found.workspaceId, found.id])).to.deep.equal([
      ['task-count', workspaceId, workspaceId],
    ]);
  });

  it('finds a count of a status that is not the number of its tasks', async () => {
    const world = newWorld();
    const { workspaceId, boardId } = await acme(world);
    const { tasks: kept } = await world.store.read((tx) => tx.tasks.countByStatus(workspaceId, boardId));
    const [[statusId, count] = ['', 0]] = kept;
    expect(count).to.be.above(0);
    for (const wrong of [new Map([...kept, [statusId, count - 1]]), new Map([...kept].slice(1))]) {
      const store = miscounting(world.store, { countByStatus: () => Promise.resolve({ tasks: wrong, pageMoves: 0 }) });
      const { findings } = await newWorld(store).operator.doctor.check();
      expect(findings.map((found) => [found.rule, found.workspaceId, found.id])).to.deep.equal([
        ['task-count', workspaceId, statusId],
      ]);
    }
  });

  it('finds an index of metadata that does not find all tasks', async () => {
    const world = newWorld();
    const { workspaceId, ada } = await acme(world);
    await ada.workspaces.update({ workspaceId, indexedMetadata: ['n'] });
    await world.purge();
    const check = async (store: Store) => (await newWorld(store).operator.doctor.check()).findings;
    expect(await check(world.store)).to.deep.equal([]);
    const findings = await check(miscounting(world.store, { count: () => Promise.resolve(18) }));
    expect(findings.map((found) => [found.rule, found.workspaceId])).to.deep.equal([['metadata-index', workspaceId]]);
  });

  it('looks at every identity there is, of users who are there too', async () => {
    const world = newWorld();
    const { ada } = await acme(world);
    await world.store.write(async (tx) => {
      for (let i = 0; i < 1_200; i++) await tx.identities.insert(identity(i % 400 === 399 ? NIL_UUID : ada.userId));
    });
    const { findings } = await world.operator.doctor.check();
    expect(findings.filter(({ rule }) => rule === 'identity').length).to.equal(3);
  });

  it('is for the operator and service administrators', async () => {
    const world = newWorld();
    const { ada } = await acme(world);
    await rejects(ada.doctor.check(), (error: { code?: string }) => error.code === 'forbidden');
  });
});
