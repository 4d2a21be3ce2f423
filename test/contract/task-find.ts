import assert from 'node:assert/strict';
import type { Store } from '../../core/ports/store.ts';
import {
  asSeen,
  compareSortValues,
  inScope,
  matches,
  type SeenTask,
  sortValues,
  type TaskQuery,
} from '../../core/model/content/task-query.ts';
import type { Task } from '../../core/model/content/task.ts';
import { onStore } from './opened.ts';
import { forSeeds, type Random } from './random.ts';
import { board, instant, member, newId, status, task, workspace } from './records.ts';
import type { StoreTarget } from './target.ts';
import { INDEXES, randomQuery, randomTask, type RandomBoards, randomBoards } from './random-tasks.ts';

const QUERIES = 60;

export function taskFindContract(target: StoreTarget): void {
  describe('tasks found', () => {
    it('every filter, sort, scope and page gives what the pure functions give', async () => {
      await forSeeds(target.runs ?? 25, async (random) => {
        await onStore(target, async (store) => {
          const workspaceId = random.id();
          const world = randomBoards(random, workspaceId);
          const tasks = await fill(store, random, world, workspaceId);
          for (let i = 0; i < QUERIES; i += 1) {
            const query = randomQuery(random, world, tasks, workspaceId);
            await compare(store, query, naive(tasks, query));
          }
        })();
      });
    });

    it(
      'many pages meet without a gap or a double, in both directions',
      onStore(target, async (store) => {
        const kanban = board(newId());
        const tasks = Array.from({ length: 2500 }, (_, i) =>
          task(kanban, i + 1, {
            assignees: i % 3 === 0 ? ['m'] : [],
            statusOrderKey: ((i * 7919) % 2503) - 1000,
            updatedAt: instant((i * 31) % 10),
          }),
        );
        await store.write(async (tx) => {
          await tx.boards.insert(kanban);
          for (const each of tasks) await tx.tasks.insert(each);
        });
        const narrowing: TaskQuery['filters'][] = [
          [],
          [{ field: 'assignees', in: ['m'] }],
          [{ field: 'updatedAt', from: instant(8) }],
        ];
        const statusOrder = new Map([[kanban.statuses[0]?.id ?? '', 0]]);
        for (const descending of [false, true]) {
          for (const fields of [['num'], ['statusOrder', 'statusId', 'statusOrderKey'], ['updatedAt'], []] as const) {
            for (const filters of narrowing) {
              const sort = [...fields, 'id' as const].map((field) => ({ field, descending }));
              const workspaceId = kanban.workspaceId;
              const query = { workspaceId, scope: null, filters, sort, statusOrder, after: null, limit: 333 };
              await compare(store, query, naive(tasks, query));
            }
          }
        }
      }),
    );

    it(
      'those without an assignee are also those whose assignments have all ended',
      onStore(target, async (store) => {
        const kanban = board(newId());
        const { workspaceId } = kanban;
        const assignees = [[], ['left'], ['left', 'gone'], ['left', 'here'], ['here']];
        const tasks = assignees.map((each, i) => task(kanban, i + 1, { assignees: each }));
        await store.write(async (tx) => {
          await tx.boards.insert(kanban);
          for (const each of tasks) await tx.tasks.insert(each);
        });
        const sort = [{ field: 'num', descending: false } as const];
        for (const wanted of [[null], [null, 'here'], ['left']]) {
          for (const not of [false, true]) {
            const filter = { field: 'assignees', in: wanted, ended: new Set(['left', 'gone']), not } as const;
            const query = { workspaceId, scope: null, filters: [filter], sort, after: null, limit: 9 };
            await compare(store, query, naive(tasks, query));
          }
        }
      }),
    );

    it(
      'a list by position goes through many columns, some of them empty',
      onStore(target, async (store) => {
        const kanban = board(newId(), { statuses: Array.from({ length: 70 }, (_, i) => status({ orderKey: i >> 1 })) });
        const { workspaceId } = kanban;
        const tasks = Array.from({ length: 140 }, (_, i) =>
          task(kanban, i + 1, {
            // The last column, too.
            statusId: kanban.statuses[(i * 37) % 5 === 0 ? 69 : (i * 37) % 50]!.id,
            statusOrderKey: (i * 7919) % 997,
            complete: i % 3 === 0,
          }),
        );
        await store.write(async (tx) => {
          await tx.boards.insert(kanban);
          for (const each of tasks) await tx.tasks.insert(each);
        });
        const statusOrder = new Map(kanban.statuses.map(({ id, orderKey }) => [id, orderKey]));
        const filters: TaskQuery['filters'][] = [
          [],
          [{ field: 'complete', in: [true] }],
          [{ field: 'complete', in: [true], not: true }],
        ];
        for (const descending of [false, true]) {
          for (const filter of filters) {
            const fields = ['statusOrder', 'statusId', 'statusOrderKey', 'id'] as const;
            const sort = fields.map((field) => ({ field, descending }));
            const query = { workspaceId, scope: null, filters: filter, sort, statusOrder, after: null, limit: 9 };
            await compare(store, query, naive(tasks, query));
          }
        }
      }),
    );
  });
}

/** Inserts, then moves and removes at random, so that indexes have been maintained and not just built. */
async function fill(store: Store, random: Random, world: RandomBoards, workspaceId: string): Promise<Task[]> {
  const [first, second] = Object.entries(INDEXES).map(([key, id]) => ({ key, id, built: true }));
  const of = workspace({ id: workspaceId, metadataIndexes: [first!] });
  const tasks = new Map<number, Task>();
  const elsewhere = randomBoards(random, random.id());
  await store.write(async (tx) => {
    await tx.structures.insert(of, member(workspaceId));
    for (const each of [...world.boards, ...elsewhere.boards]) await tx.boards.insert(each);
    for (let num = 1; num <= 40 + random.below(60); num += 1) {
      const made = randomTask(random, world, num);
      tasks.set(num, made);
      await tx.tasks.insert(made);
      if (random.once(4)) await tx.tasks.insert(randomTask(random, elsewhere, num));
    }
  });
  await store.write(async (tx) => {
    const structure = await tx.structures.get(workspaceId);
    await tx.structures.change(structure!, { workspace: { ...of, version: 2, metadataIndexes: [first!, second!] } });
  });
  await store.write(async (tx) => {
    for (const before of random.some([...tasks.values()], 3)) {
      if (random.once(4)) {
        tasks.delete(before.num);
        await tx.tasks.remove(before);
      } else {
        const after = { ...randomTask(random, world, before.num, before.id), version: 2 };
        tasks.set(before.num, after);
        await tx.tasks.replace(after);
      }
    }
  });
  for (let from = 0; from <= 110; from += 30) {
    await store.write((tx) => tx.tasks.indexMetadata(workspaceId, from, from + 30));
  }
  return [...tasks.values()];
}

function naive(tasks: readonly Task[], query: TaskQuery): SeenTask[] {
  const { scope, filters, sort } = query;
  return tasks
    .filter((each) => scope === null || inScope(each, scope))
    .map((each) => asSeen(each, scope))
    .filter((each) => matches(each, filters))
    .sort((a, b) => compareSortValues(sortValues(a, query), sortValues(b, query), sort));
}

async function compare(store: Store, query: TaskQuery, expected: readonly SeenTask[]): Promise<void> {
  const about = JSON.stringify(query, (_, value) => (value instanceof Set ? [...value] : value));
  await store.read(async (tx) => {
    assert.equal(await tx.tasks.count(query), expected.length, about);
    const found: SeenTask[] = [];
    for (;;) {
      const last = found.at(-1);
      const after = last === undefined ? null : sortValues(last, query);
      const part = await tx.tasks.find({ ...query, after });
      found.push(...part);
      if (part.length < query.limit || found.length > expected.length) break;
    }
    assert.deepEqual(
      found.map(({ num }) => num),
      expected.map(({ num }) => num),
      about,
    );
    assert.deepEqual(found, expected);
  });
}
