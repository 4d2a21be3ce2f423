import assert from 'node:assert/strict';
import type { TaskReads, TaskRepository } from '../../core/ports/tasks.ts';
import type { Task } from '../../core/model/content/task.ts';
import { onStore } from './opened.ts';
import { forSeeds, type Random } from './random.ts';
import { board, member, newId, page, status, task, workspace } from './records.ts';
import type { StoreTarget } from './target.ts';
import { randomTask, type RandomBoards, randomBoards } from './random-tasks.ts';

const WRITES = 30;

/** What a store keeps count of follows each of its writes, in the transaction and after it. */
export function taskCountContract(target: StoreTarget): void {
  describe('counts of tasks', () => {
    it('follow every way to write tasks, and are left by a write that throws', async () => {
      await forSeeds(target.runs ?? 10, async (random) => {
        await onStore(target, async (store) => {
          const workspaceId = random.id();
          const world = randomBoards(random, workspaceId);
          const tasks = new Map<string, Task>();
          await store.write(async (tx) => {
            for (const each of world.boards) await tx.boards.insert(each);
          });
          for (let n = 0; n < WRITES; n += 1) {
            const before = new Map(tasks);
            const given = random.once(6) ? new Error('given up') : null;
            const written = store.write(async (tx) => {
              // It may run again.
              tasks.clear();
              for (const [id, task] of before) tasks.set(id, task);
              for (let some = random.below(4); some >= 0; some -= 1) await writeOne(tx.tasks, random, world, tasks);
              if (random.once(2)) await compare(tx.tasks, random, world, tasks);
              if (given !== null) throw given;
            });
            if (given === null) await written;
            else {
              await assert.rejects(written, (thrown) => thrown === given);
              tasks.clear();
              for (const [id, task] of before) tasks.set(id, task);
            }
            await store.read((tx) => compare(tx.tasks, random, world, tasks));
          }
        })();
      });
    });

    it(
      'tell when a task with a page of its own has changed its status',
      onStore(target, async (store) => {
        const at = workspace();
        const kanban = board(at.id, { statuses: [status(), status()] });
        const [shown, plain] = [task(kanban, 1), task(kanban, 2)];
        await store.write(async (tx) => {
          const structure = await tx.structures.insert(at, member(at.id));
          const pages = [
            page(at.id, { id: kanban.id, type: 'board', contentId: kanban.id }),
            page(at.id, { id: shown.id, type: 'task', contentId: shown.id, boardId: kanban.id }),
          ];
          await tx.structures.change(structure, { pages });
          await tx.boards.insert(kanban);
          for (const each of [shown, plain]) await tx.tasks.insert(each);
        });
        const pageMoves = () => store.read(async (tx) => (await tx.tasks.countByStatus(at.id, kanban.id)).pageMoves);
        const seen = [await pageMoves()];
        let statusId = shown.statusId;
        for (const replacing of ['replace', 'replaceTogether'] as const) {
          statusId = kanban.statuses.find(({ id }) => id !== statusId)!.id;
          const moved = { ...shown, statusId };
          await store.write((tx) =>
            replacing === 'replace' ? tx.tasks.replace(moved) : tx.tasks.replaceTogether([moved]),
          );
          seen.push(await pageMoves());
        }
        assert.equal(new Set(seen).size, 3);
        assert.equal(await pageMoves(), seen[2]);
      }),
    );

    it(
      'tell when a task is removed whose page went with the page above it',
      onStore(target, async (store) => {
        const at = workspace();
        const kanban = board(at.id);
        const gone = task(kanban, 1);
        const folder = page(at.id);
        await store.write(async (tx) => {
          const structure = await tx.structures.insert(at, member(at.id));
          const ofTask = { id: gone.id, contentId: gone.id, boardId: kanban.id, parentId: folder.id };
          const pages = [
            page(at.id, { id: kanban.id, type: 'board', contentId: kanban.id }),
            folder,
            page(at.id, { ...ofTask, type: 'task' }),
          ];
          const after = await tx.structures.change(structure, { pages });
          await tx.boards.insert(kanban);
          await tx.tasks.insert(gone);
          await tx.structures.change(after, { removedPages: [folder.id, gone.id] });
        });
        const pageMoves = () => store.read(async (tx) => (await tx.tasks.countByStatus(at.id, kanban.id)).pageMoves);
        const before = await pageMoves();
        await store.write(async (tx) => {
          await tx.structures.get(at.id);
          await tx.tasks.remove(gone);
        });
        assert.notEqual(await pageMoves(), before);
      }),
    );

    it(
      'are none for a board without tasks, and one that is not there',
      onStore(target, async (store) => {
        const kanban = board(newId());
        await store.write((tx) => tx.boards.insert(kanban));
        await store.read(async (tx) => {
          for (const id of [kanban.id, newId()]) {
            const { tasks } = await tx.tasks.countByStatus(kanban.workspaceId, id);
            assert.deepEqual([...tasks.values()].filter(Boolean), []);
            assert.deepEqual(await tx.tasks.countAmong(kanban.workspaceId, id, new Set([newId()])), new Map());
          }
        });
      }),
    );
  });
}

async function writeOne(
  repository: TaskRepository,
  random: Random,
  world: RandomBoards,
  tasks: Map<string, Task>,
): Promise<void> {
  const all = [...tasks.values()];
  const change = random.below(4);
  if (change === 0 || all.length < 2) {
    const made = placed(randomTask(random, world, Math.max(0, ...all.map(({ num }) => num)) + 1), all);
    tasks.set(made.id, made);
    return repository.insert(made);
  }
  const one = random.pick(all);
  if (change === 1) {
    tasks.delete(one.id);
    return repository.remove(one);
  }
  if (change === 2) {
    const next = placed({ ...randomTask(random, world, one.num, one.id), version: one.version + 1 }, all);
    tasks.set(next.id, next);
    return repository.replace(next);
  }
  const other = random.pick(all.filter((each) => each !== one));
  // One takes the place that the other leaves.
  const { boardId, statusId, statusOrderKey } = other;
  const moved = [
    { ...one, boardId, statusId, statusOrderKey },
    placed({ ...randomTask(random, world, other.num, other.id), version: other.version + 1 }, all),
  ];
  for (const task of moved) tasks.set(task.id, task);
  return repository.replaceTogether(moved);
}

/** At the end or the start of its status. */
function placed(task: Task, all: readonly Task[]): Task {
  const keys = [0, ...all.map(({ statusOrderKey }) => statusOrderKey)];
  return { ...task, statusOrderKey: task.complete ? Math.max(...keys) + 1 : Math.min(...keys) - 1 };
}

async function compare(
  repository: TaskReads,
  random: Random,
  { boards }: RandomBoards,
  tasks: ReadonlyMap<string, Task>,
): Promise<void> {
  const some = new Set(random.some([...tasks.keys()], 4));
  for (const { id: boardId, workspaceId } of boards) {
    const here = [...tasks.values()].filter((task) => task.boardId === boardId);
    const { tasks: counts } = await repository.countByStatus(workspaceId, boardId);
    const present = new Map([...counts].filter(([, count]) => count !== 0));
    assert.deepEqual(present, byStatus(here));
    const among = await repository.countAmong(workspaceId, boardId, some);
    assert.deepEqual(among, byStatus(here.filter(({ id }) => some.has(id))));
    const filters = [{ field: 'boardId', in: [boardId] }] as const;
    assert.equal(await repository.count({ workspaceId, scope: null, filters }), here.length);
  }
}

function byStatus(tasks: readonly Task[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { statusId } of tasks) counts.set(statusId, (counts.get(statusId) ?? 0) + 1);
  return counts;
}
