import { expect } from 'chai';
import { type EventLoop, LoopShare } from '../../../adapters/event-loop/loop-share.ts';
import { PREFIX } from '../../../adapters/store-kv/engine/key-prefixes.ts';
import type { SortKey, TaskFilter, TaskQuery, TaskScope } from '../../../core/model/content/task-query.ts';
import { board, instant, member, newId, tag, task, workspace } from '../../contract/records.ts';
import { countingKvStore } from '../../fixtures/store/counting-kv-store.ts';
import { treeStore } from '../../fixtures/store/tree-store.ts';

const TASKS = 4_000;
const LIMIT = 20;

const NONE: ReadonlySet<string> = new Set();

/** A board with many tasks, some of which are seen by their own pages. @param isSeen of their numbers */
async function seenWithoutBoard(isSeen: (num: number) => boolean) {
  const asked = { got: [] as string[], put: [] };
  const store = countingKvStore(asked);
  const home = board(newId(), { tags: [tag()] });
  const tasks = Array.from({ length: TASKS }, (_, n) => task(home, n + 1, { updatedAt: instant(n) }));
  await store.write(async (tx) => {
    await tx.structures.insert(workspace({ id: home.workspaceId }), member(home.workspaceId));
    await tx.boards.insert(home);
    for (const each of tasks) await tx.tasks.insert(each);
    await tx.tasks.reserveNums(home.workspaceId, TASKS);
  });
  const seen = tasks.filter(({ num }) => isSeen(num));
  const scope: TaskScope = { boards: NONE, hidden: NONE, withoutBoard: new Set(seen.map(({ id }) => id)) };
  const find = async (descending: boolean, filters: TaskFilter[], after: number | null) => {
    const sort = (['num', 'id'] as const).map((field) => ({ field, descending }));
    const last = after === null ? null : [after, tasks[after - 1]!.id];
    const query: TaskQuery = { workspaceId: home.workspaceId, scope, filters, sort, after: last, limit: LIMIT };
    asked.got.length = 0;
    const found = await store.read((tx) => tx.tasks.find(query));
    return [found.map(({ num }) => num), asked.got.filter((prefix) => prefix === PREFIX.task).length] as const;
  };
  const count = async (filters: TaskFilter[]) => {
    asked.got.length = 0;
    const found = await store.read((tx) => tx.tasks.count({ workspaceId: home.workspaceId, scope, filters }));
    return [found, asked.got.length] as const;
  };
  const changedSince = async (filters: TaskFilter[], field: SortKey['field']) => {
    const sort = ([field, 'id'] as const).map((each) => ({ field: each, descending: true }));
    const query: TaskQuery = { workspaceId: home.workspaceId, scope, filters, sort, after: null, limit: TASKS };
    asked.got.length = 0;
    const found = await store.read((tx) => tx.tasks.find(query));
    return [found.map(({ num }) => num), asked.got.length] as const;
  };
  const byPosition = async (after: string | null) => {
    const fields = ['statusOrder', 'statusId', 'statusOrderKey', 'id'] as const;
    const sort = fields.map((field) => ({ field, descending: false }));
    const last = after === null ? null : [null, null, null, after];
    const { workspaceId } = home;
    const query = { workspaceId, scope, filters: [], sort, statusOrder: new Map(), after: last, limit: LIMIT };
    asked.got.length = 0;
    const found = await store.read((tx) => tx.tasks.find(query));
    return [found.map(({ id }) => id), asked.got.length] as const;
  };
  return {
    nums: seen.map(({ num }) => num),
    ids: seen.map(({ id }) => id),
    find,
    count,
    changedSince,
    byPosition,
  };
}

describe('a list by number of very many tasks that are seen without their boards', () => {
  it('reads little more than it gives', async () => {
    const { nums, find } = await seenWithoutBoard((num) => num % 2 === 0);
    const middle = nums[nums.length / 2]!;
    for (const filters of [[], [{ field: 'tags', in: [null] }]] satisfies TaskFilter[][]) {
      for (const [descending, after, expected] of [
        [false, null, nums.slice(0, LIMIT)],
        [false, middle, nums.filter((num) => num > middle).slice(0, LIMIT)],
        [true, null, nums.toReversed().slice(0, LIMIT)],
        [
          true,
          middle,
          nums
            .toReversed()
            .filter((num) => num < middle)
            .slice(0, LIMIT),
        ],
      ] as const) {
        const [found, reads] = await find(descending, filters, after);
        expect(found).to.deep.equal(expected);
        expect(reads).to.be.below(LIMIT * 10);
      }
    }
  });

  it('reads at most as many others as these are', async () => {
    const { nums, find } = await seenWithoutBoard((num) => num > TASKS / 2);
    const [found, reads] = await find(false, [], null);
    expect(found).to.deep.equal(nums.slice(0, LIMIT));
    expect(reads).to.be.below(TASKS * 1.1);
  });
});

describe('a list of what has changed lately among very many tasks that are seen without their boards', () => {
  const since: TaskFilter[] = [{ field: 'updatedAt', from: instant(TASKS - LIMIT) }];

  it('reads little more than that', async () => {
    const { nums, changedSince, count } = await seenWithoutBoard((num) => num % 2 === 0);
    const expected = nums.filter((num) => num > TASKS - LIMIT).toReversed();
    for (const field of ['num', 'updatedAt', 'title'] as const) {
      const [found, reads] = await changedSince(since, field);
      expect(found.toSorted((a, b) => b - a)).to.deep.equal(expected);
      expect(reads, field).to.be.below(LIMIT * 10);
    }
    const [counted, reads] = await count(since);
    expect(counted).to.equal(expected.length);
    expect(reads).to.be.below(LIMIT * 10);
  });
});

describe('the count of very many tasks that are seen without their boards', () => {
  it('reads none of them without a filter', async () => {
    const { nums, count } = await seenWithoutBoard((num) => num % 2 === 0);
    const [found, reads] = await count([]);
    expect(found).to.equal(nums.length);
    expect(reads).to.be.below(10);
    const [open] = await count([{ field: 'complete', in: [false] }]);
    expect(open).to.equal(nums.length);
  });
});

/** Sort keys that count how often something is compared by them. */
class CountedKeys extends Array<SortKey> {
  compared = 0;

  override entries(): ReturnType<SortKey[]['entries']> {
    this.compared += 1;
    return super.entries();
  }
}

describe('a list by the last change of very many tasks that are seen without their boards', () => {
  it('lets others run while these are put in order', async () => {
    const sort = new CountedKeys();
    for (const field of ['updatedAt', 'id'] as const) sort.push({ field, descending: true });
    let [most, began] = [0, 0];
    const endTurn = () => {
      most = Math.max(most, sort.compared - began);
      began = sort.compared;
    };
    const nextTurn: EventLoop['nextTurn'] = (resume) =>
      setImmediate(() => {
        endTurn();
        resume();
      });
    const store = treeStore(undefined, new LoopShare({ now: () => sort.compared / 500, nextTurn }));
    const home = board(newId());
    const tasks = Array.from({ length: TASKS }, (_, n) =>
      task(home, n + 1, { updatedAt: instant((n * 7919) % TASKS) }),
    );
    await store.write(async (tx) => {
      for (const each of tasks) await tx.tasks.insert(each);
    });
    const scope: TaskScope = { boards: NONE, hidden: NONE, withoutBoard: new Set(tasks.map(({ id }) => id)) };
    const query = { workspaceId: home.workspaceId, scope, filters: [], sort, after: null, limit: LIMIT };
    const found = await store.read((tx) => tx.tasks.find(query));
    expect(found.map(({ updatedAt }) => updatedAt)).to.deep.equal(
      Array.from({ length: LIMIT }, (_, n) => instant(TASKS - 1 - n)),
    );
    endTurn();
    expect(most).to.be.below(TASKS);
  });
});

describe('a list by position of very many tasks that are seen without their boards', () => {
  it('reads those that it gives', async () => {
    const { ids, byPosition } = await seenWithoutBoard((num) => num % 2 === 0);
    const inOrder = ids.toSorted();
    const middle = inOrder.length / 2;
    for (const from of [0, middle]) {
      const [found, reads] = await byPosition(from === 0 ? null : inOrder[from - 1]!);
      expect(found).to.deep.equal(inOrder.slice(from, from + LIMIT));
      expect(reads).to.be.below(LIMIT * 3);
    }
  });
});
