import { expect } from 'chai';
import { type Kv, type KvReader, chunkOf, readOnly } from '../../../adapters/store-kv/engine/kv.ts';
import { PREFIX } from '../../../adapters/store-kv/engine/key-prefixes.ts';
import { StructureCache } from '../../../adapters/store-kv/structure/structure-cache.ts';
import { countFromStart, countOlderTasks } from '../../../adapters/store-kv/task/count-older-tasks.ts';
import { COUNTED_TO } from '../../../adapters/store-kv/task/counted-to.ts';
import { kvTransaction } from '../../../adapters/store-kv/transaction.ts';
import { TreeSnapshot } from '../../../adapters/store-memory/tree.ts';
import type { TaskQuery } from '../../../core/model/content/task-query.ts';
import type { Task } from '../../../core/model/content/task.ts';
import { forSeeds, type Random } from '../../contract/random.ts';
import { board, newId, status, task } from '../../contract/records.ts';
import { randomTask, type RandomBoards, randomBoards } from '../../contract/random-tasks.ts';

const transaction = (kv: Kv) => kvTransaction(kv, new StructureCache());

/** A snapshot, and what is asked of it: single keys, and entries that are given. */
function watched(reader: KvReader) {
  const asked = { tasks: 0, entries: 0, largestCount: 0 };
  const watching: KvReader = {
    get(key) {
      asked.entries += 1;
      if (key.startsWith(PREFIX.task)) asked.tasks += 1;
      return reader.get(key);
    },
    range(range, limit, reverse) {
      const found = reader.range(range, limit, reverse);
      asked.entries += 1 + found.length;
      asked.tasks += found.filter(([key]) => key.startsWith(PREFIX.task)).length;
      return found;
    },
    chunk: (range, limit, reverse) => chunkOf(watching.range(range, limit, reverse), limit),
    count(range) {
      const count = reader.count(range);
      asked.entries += 1;
      asked.largestCount = Math.max(asked.largestCount, count);
      return count;
    },
    hasMore(range, than) {
      asked.entries += 1;
      asked.largestCount = Math.max(asked.largestCount, than);
      return reader.hasMore(range, than);
    },
  };
  return { tx: transaction(readOnly(watching)), asked };
}

describe('the cost of a count', () => {
  const kanban = board(newId(), { statuses: [status(), status(), status()] });
  const [ideas, other] = [board(kanban.workspaceId), board(kanban.workspaceId)];
  const { workspaceId } = kanban;
  const hidden: string[] = [];
  const snapshots = new Map<number, TreeSnapshot>();

  before(async () => {
    for (const size of [10, 5_000]) {
      const draft = new TreeSnapshot().draft();
      const tx = transaction(draft);
      for (const each of [kanban, ideas, other]) await tx.boards.insert(each);
      const fields = { assignees: ['ada'], tags: ['red'] };
      for (let num = 1; num <= size; num += 1) {
        const made = task(kanban, num, { ...fields, statusId: kanban.statuses[num % 3]!.id });
        if (num <= 5) hidden.push(made.id);
        await tx.tasks.insert(made);
      }
      await tx.tasks.insert(task(ideas, size + 1, fields));
      await tx.tasks.insert(task(other, size + 2, fields));
      snapshots.set(size, draft.freeze());
    }
  });

  it('of the statuses of a board is that of its statuses, and of the tasks that are asked for', async () => {
    const costs: number[] = [];
    for (const [size, snapshot] of snapshots) {
      const { tx, asked } = watched(snapshot);
      const { tasks } = await tx.tasks.countByStatus(workspaceId, kanban.id);
      expect([...tasks.values()].reduce((sum, count) => sum + count)).to.equal(size);
      expect((await tx.tasks.countAmong(workspaceId, kanban.id, new Set(hidden))).size).to.be.above(0);
      costs.push(asked.entries);
    }
    expect(costs[1]).to.equal(costs[0]);
  });

  const everywhere = {
    boards: new Set([kanban.id, ideas.id, other.id]),
    hidden: new Set<string>(),
    withoutBoard: new Set<string>(),
  };
  const filters: Readonly<Record<string, TaskQuery['filters'][number]>> = {
    'an assignee': { field: 'assignees', in: ['ada'] },
    'all but an assignee': { field: 'assignees', in: ['ben'], not: true },
    'several assignees': { field: 'assignees', in: ['ben', 'ada'] },
    'a tag': { field: 'tags', in: ['red'] },
    'a time of change': { field: 'updatedAt', from: '2020-01-01T00:00:00.000Z' },
  };

  for (const [name, filter] of Object.entries(filters)) {
    it(`of tasks by ${name} reads no task`, async () => {
      const { tx, asked } = watched(snapshots.get(5_000)!);
      expect(await tx.tasks.count({ workspaceId, scope: everywhere, filters: [filter] })).to.equal(5_002);
      expect(asked.tasks).to.equal(0);
      expect(asked.largestCount).to.be.at.most(1_024);
    });
  }

  for (const seen of [[kanban, ideas], [other]]) {
    it(`of tasks by an assignee looks at no more than what is on ${seen.length} of three boards`, async () => {
      const { tx, asked } = watched(snapshots.get(5_000)!);
      const scope = { ...everywhere, boards: new Set(seen.map(({ id }) => id)) };
      const count = await tx.tasks.count({ workspaceId, scope, filters: [filters['an assignee']!] });
      expect(count).to.equal(seen.includes(kanban) ? 5_001 : 1);
      expect(asked.entries).to.be.below(40);
    });
  }

  it('of all tasks in scope is that of its statuses', async () => {
    const { tx, asked } = watched(snapshots.get(5_000)!);
    expect(await tx.tasks.count({ workspaceId, scope: everywhere, filters: [] })).to.equal(5_002);
    expect(asked.entries).to.be.below(20);
  });
});

describe('the tasks of a store that kept no counts', () => {
  it('are counted in steps, and right before, between and after them, whatever is written meanwhile', async () => {
    await forSeeds(20, async (random) => {
      const worlds = [randomBoards(random, random.id()), randomBoards(random, random.id())];
      const tasks = new Map<string, Task>();
      let snapshot = await olderSnapshot(random, worlds, tasks);
      for (let isMore = true; isMore;) {
        await expectCounts(snapshot, worlds, tasks);
        const step = snapshot.draft();
        isMore = countOlderTasks(step, 1 + random.below(20));
        snapshot = step.freeze();
        await expectCounts(snapshot, worlds, tasks);
        const draft = snapshot.draft();
        for (let n = random.below(4); n > 0; n -= 1) await writeOne(draft, random, worlds, tasks);
        snapshot = draft.freeze();
      }
      expect(snapshot.get(COUNTED_TO)).to.equal(undefined);
      await expectCounts(snapshot, worlds, tasks);
    });
  });
});

async function olderSnapshot(
  random: Random,
  worlds: readonly RandomBoards[],
  tasks: Map<string, Task>,
): Promise<TreeSnapshot> {
  const draft = new TreeSnapshot().draft();
  for (const { boards } of worlds) for (const each of boards) await transaction(draft).boards.insert(each);
  for (let n = 0; n < 60; n += 1) {
    const made = randomTask(random, random.pick(worlds), n + 1);
    tasks.set(made.id, made);
    await transaction(draft).tasks.insert(made);
  }
  for (const [key] of draft.range({ from: PREFIX.taskCount, to: `${PREFIX.taskCount}\xff` }, Infinity, false)) {
    draft.remove(key);
  }
  countFromStart(draft);
  return draft.freeze();
}

async function writeOne(
  draft: Kv,
  random: Random,
  worlds: readonly RandomBoards[],
  tasks: Map<string, Task>,
): Promise<void> {
  const { tasks: repository } = transaction(draft);
  const one = random.pick([...tasks.values()]);
  const world = worlds.find(({ boards }) => boards.some(({ id }) => id === one.boardId))!;
  const all = [...tasks.values()];
  const num = Math.max(...all.map((each) => each.num)) + 1;
  const keys = all.map(({ statusOrderKey }) => statusOrderKey);
  // In front of what is counted, or behind it.
  const statusOrderKey = random.once(2) ? Math.max(...keys) + 1 : Math.min(...keys) - 1;
  const next = random.pick([
    { ...randomTask(random, world, one.num, one.id), statusOrderKey },
    { ...randomTask(random, world, num), statusOrderKey },
    null,
  ]);
  if (next !== null) {
    tasks.set(next.id, next);
    await (next.id === one.id ? repository.replace(next) : repository.insert(next));
  } else if (tasks.size > 2) {
    tasks.delete(one.id);
    await repository.remove(one);
  }
}

async function expectCounts(
  snapshot: KvReader,
  worlds: readonly RandomBoards[],
  tasks: ReadonlyMap<string, Task>,
): Promise<void> {
  const { tasks: repository } = transaction(readOnly(snapshot));
  const all = [...tasks.values()];
  for (const { boards, members } of worlds) {
    const ids = new Set(boards.map(({ id }) => id));
    const workspaceId = boards[0]!.workspaceId;
    for (const { id, statuses } of boards) {
      const { tasks: counts } = await repository.countByStatus(workspaceId, id);
      const naive = statuses.map((each) => all.filter(({ statusId }) => statusId === each.id).length);
      expect(statuses.map((each) => counts.get(each.id) ?? 0)).to.deep.equal(naive);
    }
    const scope = { boards: ids, hidden: new Set<string>(), withoutBoard: new Set<string>() };
    const here = all.filter(({ boardId }) => ids.has(boardId));
    expect(await repository.count({ workspaceId, scope, filters: [] })).to.equal(here.length);
    const filters = [{ field: 'assignees', in: [members[0]!] }] as const;
    const assigned = here.filter(({ assignees }) => assignees.includes(members[0]!));
    expect(await repository.count({ workspaceId, scope, filters })).to.equal(assigned.length);
  }
}
