import { expect } from 'chai';
import { PREFIX } from '../../../adapters/store-kv/engine/key-prefixes.ts';
import { memoryStore } from '../../../adapters/store-memory/index.ts';
import {
  asSeen,
  compareSortValues,
  inScope,
  matches,
  type SeenTask,
  sortValues,
  type SortKey,
  type TaskFilter,
  type TaskQuery,
  type TaskScope,
} from '../../../core/model/content/task-query.ts';
import type { Task } from '../../../core/model/content/task.ts';
import type { Store } from '../../../core/ports/store.ts';
import { forSeeds, type Random } from '../../contract/random.ts';
import { board, instant, member, newId, task, workspace } from '../../contract/records.ts';
import { INDEXES, type RandomBoards, randomBoards, randomQuery, randomTask } from '../../contract/random-tasks.ts';
import { countingKvStore } from '../../fixtures/store/counting-kv-store.ts';

const HIDDEN = 4_000;
const SEEN = 20;

const FILTERS: Readonly<Record<string, TaskFilter[]>> = {
  'no filter': [],
  'without assignees': [{ field: 'assignees', in: [null] }],
  'without tags': [{ field: 'tags', in: [null] }],
  'of one assignee': [{ field: 'assignees', in: ['m'] }],
  'changed since': [{ field: 'updatedAt', from: instant(1) }],
  'not complete': [{ field: 'complete', in: [false] }],
  'with a text': [{ text: 'task' }],
  'assigned, not complete': [
    { field: 'assignees', in: ['m'] },
    { field: 'complete', in: [false] },
  ],
};

const SORTS = ['num', 'updatedAt', 'priority', 'title'] as const;

/** Two boards, of which the one in scope has few tasks. One task of the other is seen by its own page. */
async function twoBoards(store: Store) {
  const seen = board(newId());
  const hidden = board(seen.workspaceId);
  const tasks = Array.from({ length: SEEN + HIDDEN }, (_, n) =>
    task(n % ((SEEN + HIDDEN) / SEEN) === 0 ? seen : hidden, n + 1, {
      assignees: n % 2 === 0 ? ['m'] : [],
      updatedAt: instant((n * 7919) % 4_001),
      complete: n % 3 === 0,
      priority: n % 5,
    }),
  );
  await insert(store, [seen, hidden], tasks);
  const withoutBoard = new Set([tasks.findLast(({ boardId }) => boardId === hidden.id)!.id]);
  const scope: TaskScope = { boards: new Set([seen.id]), hidden: new Set(), withoutBoard };
  return { workspaceId: seen.workspaceId, tasks, scope };
}

async function insert(store: Store, boards: RandomBoards['boards'], tasks: readonly Task[]): Promise<void> {
  const workspaceId = boards[0]!.workspaceId;
  const metadataIndexes = Object.entries(INDEXES).map(([key, id]) => ({ key, id, built: true }));
  await store.write(async (tx) => {
    await tx.structures.insert(workspace({ id: workspaceId, metadataIndexes }), member(workspaceId));
    for (const each of boards) await tx.boards.insert(each);
    for (const each of tasks) await tx.tasks.insert(each);
    await tx.tasks.reserveNums(workspaceId, tasks.length);
  });
}

function naive(tasks: readonly Task[], query: TaskQuery) {
  const { scope, filters, sort } = query;
  return tasks
    .filter((each) => scope === null || inScope(each, scope))
    .map((each) => asSeen(each, scope))
    .filter((each) => matches(each, filters))
    .sort((a, b) => compareSortValues(sortValues(a, query), sortValues(b, query), sort));
}

const sortBy = (field: SortKey['field'], descending = false): SortKey[] => [
  { field, descending },
  { field: 'id', descending: false },
];

describe('the tasks of a reader who sees few of them', () => {
  for (const [name, filters] of Object.entries(FILTERS)) {
    it(`cost them little, however many are on a hidden board: ${name}`, async () => {
      const asked = { got: [] as string[], put: [] };
      const store = countingKvStore(asked);
      const { tasks, ...where } = await twoBoards(store);
      const costs: Record<string, number> = {};
      const cost = () => asked.got.splice(0).filter((prefix) => prefix === PREFIX.task).length;
      for (const field of SORTS) {
        for (const descending of [false, true]) {
          const query: TaskQuery = { ...where, filters, sort: sortBy(field, descending), after: null, limit: 100 };
          cost();
          const found = await store.read((tx) => tx.tasks.find(query));
          costs[`${field} ${descending}`] = cost();
          expect(found).to.deep.equal(naive(tasks, query));
        }
      }
      const conditions = { ...where, filters };
      const count = await store.read((tx) => tx.tasks.count(conditions));
      costs['count'] = cost();
      expect(count).to.equal(naive(tasks, { ...conditions, sort: sortBy('num'), after: null, limit: 1 }).length);
      const dear = Object.entries(costs).filter(([, reads]) => reads > HIDDEN / 4);
      expect(dear).to.deep.equal([]);
    });
  }
});

describe('the count of all tasks but some', () => {
  it('looks up only these', async () => {
    const asked = { got: [] as string[], put: [] };
    const store = countingKvStore(asked);
    const { tasks, workspaceId, scope } = await twoBoards(store);
    const boards = new Set(tasks.map(({ boardId }) => boardId));
    const all: TaskScope = { boards, hidden: new Set(), withoutBoard: new Set() };
    const ids = new Set(tasks.slice(0, 10).map(({ id }) => id));
    for (const [seen, left] of [
      [all, SEEN + HIDDEN - 10],
      // The first is on it, and one of another board is seen.
      [scope, SEEN - 1 + 1],
    ] as const) {
      asked.got.length = 0;
      const filters: TaskFilter[] = [{ ids, not: true }];
      expect(await store.read((tx) => tx.tasks.count({ workspaceId, scope: seen, filters }))).to.equal(left);
      expect(asked.got.length).to.be.below(SEEN * 5);
    }
  });
});

/** On boards out of scope, and on the others together. */
const [MANY, FEW] = [1_500, 300];
const QUERIES = 60;

/** Few or very many tasks are seen without their boards. */
function randomScope(random: Random, few: RandomBoards['boards'], tasks: readonly Task[]): TaskScope {
  const boards = new Set(random.some(few).map(({ id }) => id));
  const idsOf = (some: readonly Task[]) => new Set(some.map(({ id }) => id));
  const on = tasks.filter(({ boardId }) => boards.has(boardId));
  const off = tasks.filter(({ boardId }) => !boards.has(boardId));
  return { boards, hidden: idsOf(random.some(on, 5)), withoutBoard: idsOf(random.some(off, random.pick([2, 100]))) };
}

/** The list of a query, page by page. */
async function pages(store: Store, query: TaskQuery) {
  const found: SeenTask[] = [];
  for (;;) {
    const last = found.at(-1);
    const after = last === undefined ? null : sortValues(last, query);
    const part = await store.read((tx) => tx.tasks.find({ ...query, after }));
    found.push(...part);
    if (part.length < query.limit) return found;
  }
}

describe('tasks of few boards among very many', () => {
  it('are found and counted as the pure functions do', async () => {
    await forSeeds(3, async (random) => {
      const store = memoryStore();
      const workspaceId = random.id();
      const [few, many] = [randomBoards(random, workspaceId), randomBoards(random, workspaceId)];
      const world: RandomBoards = {
        boards: [...few.boards, ...many.boards],
        members: few.members,
        statuses: [...few.statuses, ...many.statuses],
        tags: [...few.tags, ...many.tags],
      };
      const tasks = Array.from({ length: FEW + MANY }, (_, n) => {
        const { boards } = n % ((FEW + MANY) / FEW) === 0 ? few : many;
        return { ...randomTask(random, { ...world, boards }, n + 1), statusOrderKey: n * 16 };
      });
      await insert(store, world.boards, tasks);
      for (let n = 0; n < QUERIES; n += 1) {
        const scope = randomScope(random, few.boards, tasks);
        const query = { ...randomQuery(random, world, tasks, workspaceId), scope, limit: 100 };
        const about = JSON.stringify(query, (_, value: unknown) => (value instanceof Set ? [...value] : value));
        const expected = naive(tasks, query);
        expect(await store.read((tx) => tx.tasks.count(query)), about).to.equal(expected.length);
        expect(await pages(store, query), about).to.deep.equal(expected);
      }
    });
  });
});
