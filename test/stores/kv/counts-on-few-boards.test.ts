import { expect } from 'chai';
import type { TaskFilter, TaskScope } from '../../../core/model/content/task-query.ts';
import { board, instant, member, newId, task, workspace } from '../../contract/records.ts';
import { treeStore } from '../../fixtures/store/tree-store.ts';

/** More boards, and more tasks that match, than are read before another way is looked for. */
const [BOARDS, PER_BOARD] = [1_000, 2];
const TASKS = BOARDS * PER_BOARD;
const NONE: ReadonlySet<string> = new Set();

/** Boards with a few tasks each, which are all assigned, and more on the first one. */
async function manyBoards(onFirst = 0) {
  const asked = { entries: 0, scans: 0 };
  const store = treeStore((kv) => ({
    get(key) {
      asked.entries += 1;
      return kv.get(key);
    },
    range(...given) {
      const found = kv.range(...given);
      asked.entries += found.length;
      asked.scans += 1;
      return found;
    },
    chunk(...given) {
      const chunk = kv.chunk(...given);
      asked.entries += chunk.entries.length;
      asked.scans += 1;
      return chunk;
    },
    count: (range) => kv.count(range),
    hasMore: (range, than) => kv.hasMore(range, than),
    put: (key, value) => kv.put(key, value),
    putNew: (key, value) => kv.putNew(key, value),
    remove: (key) => kv.remove(key),
  }));
  const workspaceId = newId();
  const boards = Array.from({ length: BOARDS }, () => board(workspaceId));
  await store.write(async (tx) => {
    await tx.structures.insert(workspace({ id: workspaceId }), member(workspaceId));
    for (const each of boards) await tx.boards.insert(each);
    for (let n = 0; n < TASKS + onFirst; n += 1) {
      const on = n < TASKS ? boards[n % BOARDS]! : boards[0]!;
      await tx.tasks.insert(task(on, n + 1, { assignees: ['m'], updatedAt: instant(n) }));
    }
    await tx.tasks.reserveNums(workspaceId, TASKS + onFirst);
  });
  const count = async (seen: typeof boards, filters: readonly TaskFilter[]) => {
    const scope: TaskScope = { boards: new Set(seen.map(({ id }) => id)), hidden: NONE, withoutBoard: NONE };
    [asked.entries, asked.scans] = [0, 0];
    const found = await store.read((tx) => tx.tasks.count({ workspaceId, scope, filters }));
    return { found, ...asked };
  };
  return { boards, count };
}

describe('the count of tasks in a workspace with very many boards', () => {
  it('reads little beside the tasks of few boards', async () => {
    const { boards, count } = await manyBoards();
    const seen = boards.slice(-3);
    for (const filter of [
      { field: 'assignees', in: ['m'] },
      { field: 'updatedAt', from: instant(0) },
    ] satisfies TaskFilter[]) {
      const { found, entries } = await count(seen, [filter]);
      expect(found).to.equal(seen.length * PER_BOARD);
      expect(entries).to.be.below(50);
    }
  });

  it('reads no tasks of a board that has most of them', async () => {
    const { boards, count } = await manyBoards(4 * TASKS);
    const { found, entries } = await count(boards.slice(0, 1), [{ field: 'assignees', in: ['m'] }]);
    expect(found).to.equal(4 * TASKS + PER_BOARD);
    // Each board and each task that are not seen are looked up.
    expect(entries).to.be.within(BOARDS, BOARDS + 3 * TASKS);
  });

  it('reads the counts of most boards together', async () => {
    const { boards, count } = await manyBoards();
    const seen = boards.slice(10);
    const excluded: TaskFilter = { field: 'boardId', in: [boards.at(-1)!.id], not: true };
    for (const [filters, without] of [
      [[], 0],
      [[excluded], 1],
    ] as const) {
      const { found, scans } = await count(seen, filters);
      expect(found).to.equal((seen.length - without) * PER_BOARD);
      expect(scans).to.be.below(BOARDS / 10);
    }
  });
});
