import { expect } from 'chai';
import { PREFIX } from '../../../adapters/store-kv/engine/key-prefixes.ts';
import type { TaskQuery, TaskScope } from '../../../core/model/content/task-query.ts';
import type { Task } from '../../../core/model/content/task.ts';
import { board, member, newId, task, workspace } from '../../contract/records.ts';
import { countingKvStore } from '../../fixtures/store/counting-kv-store.ts';

const [BOARDS, PER_BOARD, HIDDEN, LIMIT] = [1_200, 4, 12_000, 100];

/** Beyond so many columns, few tasks are read in place of their counts. */
const COLUMNS = 512;

const NONE: ReadonlySet<string> = new Set();

/** A board with most tasks, which is hidden, and many others with a few each, whose tasks came later. */
async function manyBoards() {
  const asked = { got: [] as string[], put: [] };
  const store = countingKvStore(asked);
  const hidden = board(newId());
  const { workspaceId } = hidden;
  const seen = Array.from({ length: BOARDS }, () => board(workspaceId));
  const tasks = Array.from({ length: HIDDEN + BOARDS * PER_BOARD }, (_, n) =>
    task(n < HIDDEN ? hidden : seen[(n * 7_919) % BOARDS]!, n + 1, {
      complete: n % 2 === 0,
      assignees: n % 300 === 0 ? ['m'] : [],
    }),
  );
  await store.write(async (tx) => {
    await tx.structures.insert(workspace({ id: workspaceId }), member(workspaceId));
    for (const each of [hidden, ...seen]) await tx.boards.insert(each);
    for (const each of tasks) await tx.tasks.insert(each);
    await tx.tasks.reserveNums(workspaceId, tasks.length);
  });
  const scope: TaskScope = { boards: new Set(seen.map(({ id }) => id)), hidden: NONE, withoutBoard: NONE };
  const find = async (query: Pick<TaskQuery, 'filters'> & { descending: boolean; after: Task | undefined }) => {
    const { descending, after, filters } = query;
    const sort = (['num', 'id'] as const).map((field) => ({ field, descending }));
    const from = after === undefined ? null : [after.num, after.id];
    asked.got.length = 0;
    const found = await store.read((tx) =>
      tx.tasks.find({ workspaceId, scope, filters, sort, after: from, limit: LIMIT }),
    );
    return { nums: found.map(({ num }) => num), reads: asked.got.length };
  };
  const count = async (boards: ReadonlySet<string>, filters: TaskQuery['filters']) => {
    asked.got.length = 0;
    const found = await store.read((tx) => tx.tasks.count({ workspaceId, scope: { ...scope, boards }, filters }));
    return { found, reads: asked.got.length };
  };
  return { seen: tasks.slice(HIDDEN), scope, find, count };
}

describe('a list by number of a reader who sees few tasks on very many boards', () => {
  it('reads little more than a task of each board, wherever the list continues', async () => {
    const { seen, find } = await manyBoards();
    for (const descending of [false, true]) {
      const ordered = descending ? seen.toReversed() : seen;
      for (const at of [0, 1, ordered.length / 2, ordered.length - 10]) {
        const { nums, reads } = await find({ descending, filters: [], after: ordered[at - 1] });
        expect(nums).to.deep.equal(ordered.slice(at, at + LIMIT).map(({ num }) => num));
        expect(reads).to.be.below(BOARDS * 3 + LIMIT * 10);
      }
    }
  });

  it('has the tasks that pass a filter', async () => {
    const { seen, find } = await manyBoards();
    const filters: TaskQuery['filters'] = [{ field: 'complete', in: [true] }];
    const { nums } = await find({ descending: false, filters, after: seen[9] });
    const passing = seen.slice(10).filter(({ complete }) => complete);
    expect(nums).to.deep.equal(passing.slice(0, LIMIT).map(({ num }) => num));
  });
});

describe('the count of a few tasks by a filter, beside very many columns', () => {
  it('reads these tasks in place of the counts of all columns', async () => {
    const { seen, scope, count } = await manyBoards();
    const assigned: TaskQuery['filters'][number] = { field: 'assignees', in: ['m'] };
    const [first] = seen;
    const one = new Set([first!.boardId]);
    const on = (boards: ReadonlySet<string>) => seen.filter(({ boardId }) => boards.has(boardId));
    for (const boards of [one, scope.boards]) {
      const matching = on(boards).filter(({ assignees }) => assignees.length > 0).length;
      const positive = await count(boards, [assigned]);
      expect(positive.found).to.equal(matching);
      expect(positive.reads).to.be.below(COLUMNS * 2);
      const negated = await count(boards, [{ ...assigned, not: true }]);
      expect(negated.found).to.equal(on(boards).length - matching);
      expect(negated.reads).to.be.below(boards.size + COLUMNS * 2);
    }
  });
});

describe('a list by position', () => {
  it('reads no boards: the query has the order of their columns', async () => {
    const asked = { got: [] as string[], put: [] };
    const store = countingKvStore(asked);
    const boards = Array.from({ length: 50 }, () => board(newId()));
    const { workspaceId } = boards[0]!;
    const tasks = boards.map((each, n) => task({ ...each, workspaceId }, n + 1));
    await store.write(async (tx) => {
      for (const each of boards) await tx.boards.insert({ ...each, workspaceId });
      for (const each of tasks) await tx.tasks.insert(each);
    });
    const statusOrder = new Map(boards.map(({ statuses: [first] }, n) => [first!.id, -n]));
    const sort = (['statusOrder', 'statusId', 'statusOrderKey', 'id'] as const).map((field) => ({
      field,
      descending: false,
    }));
    const scope: TaskScope = { boards: new Set(boards.map(({ id }) => id)), hidden: NONE, withoutBoard: NONE };
    asked.got.length = 0;
    const query: TaskQuery = { workspaceId, scope, filters: [], sort, statusOrder, after: null, limit: 5 };
    const found = await store.read((tx) => tx.tasks.find(query));
    expect(found.map(({ num }) => num)).to.deep.equal([50, 49, 48, 47, 46]);
    expect(asked.got).to.not.include(PREFIX.board);
  });
});
