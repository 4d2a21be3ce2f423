import assert from 'node:assert/strict';
import type { SortKey, TaskQuery } from '../../core/model/content/task-query.ts';
import { onStore } from './opened.ts';
import { board, instant, newId, status, task } from './records.ts';
import type { StoreTarget } from './target.ts';

const BY_NUM: readonly SortKey[] = [
  { field: 'num', descending: false },
  { field: 'id', descending: false },
];

export function taskContract(target: StoreTarget): void {
  describe('tasks', () => {
    it(
      'a column is read from a key on, upwards and downwards, below zero too',
      onStore(target, async (store) => {
        const kanban = board(newId(), { statuses: [status(), status()] });
        const keys = [-(2 ** 52), -1024, -1, 0, 1, 1024, 2 ** 32, 2 ** 52];
        const statusId = kanban.statuses[0]?.id ?? '';
        await store.write(async (tx) => {
          for (const [i, statusOrderKey] of keys.toReversed().entries()) {
            await tx.tasks.insert(task(kanban, i + 1, { statusOrderKey }));
          }
          await tx.tasks.insert(task(kanban, 99, { statusId: kanban.statuses[1]?.id ?? '', statusOrderKey: 5 }));
        });
        const column = (range: { from?: number; descending?: boolean; limit: number }) =>
          store.read(async (tx) => {
            const places = await tx.tasks.placesTaken(kanban.workspaceId, statusId, range);
            const tasks = await tx.tasks.column(kanban.workspaceId, statusId, range);
            assert.deepEqual(
              tasks.map((each) => each.statusOrderKey),
              places,
            );
            return places;
          });
        assert.deepEqual(await column({ limit: 100 }), keys);
        assert.deepEqual(await column({ limit: 100, descending: true }), keys.toReversed());
        assert.deepEqual(await column({ limit: 2, from: -1 }), [-1, 0]);
        assert.deepEqual(await column({ limit: 2, from: -2 }), [-1, 0]);
        assert.deepEqual(await column({ limit: 2, from: -1, descending: true }), [-1, -1024]);
        assert.deepEqual(await column({ limit: 2, from: 5, descending: true }), [1, 0]);
        assert.deepEqual(await column({ limit: 2, from: 2 ** 52 }), [2 ** 52]);
        assert.deepEqual(await column({ limit: 0 }), []);
        const among = (from: number, to: number) =>
          store.read((tx) => tx.tasks.placesTakenAmong(kanban.workspaceId, statusId, from, to));
        assert.deepEqual(await among(-2, 2), [-1, 0, 1]);
        assert.deepEqual(await among(2, 4), []);
        assert.deepEqual(await among(4, 6), [], 'of another status');
        assert.deepEqual(await among(2 ** 52 - 1, 2 ** 52 + 1), [2 ** 52]);
        assert.deepEqual(await among(-(2 ** 52) - 1, 1 - 2 ** 52), [-(2 ** 52)]);
      }),
    );

    it(
      'a place in a status is taken once, and given free by a move',
      onStore(target, async (store) => {
        const kanban = board(newId());
        const [a, b] = [task(kanban, 1), task(kanban, 2)];
        await store.write(async (tx) => {
          await tx.tasks.insert(a);
          await tx.tasks.insert(b);
        });
        await assert.rejects(store.write((tx) => tx.tasks.replace({ ...b, statusOrderKey: a.statusOrderKey })));
        await store.write(async (tx) => {
          await tx.tasks.replace({ ...a, statusOrderKey: 7 });
          await tx.tasks.replace({ ...b, statusOrderKey: a.statusOrderKey });
        });
        const column = await store.read((tx) => tx.tasks.column(kanban.workspaceId, a.statusId, { limit: 9 }));
        assert.deepEqual(
          column.map(({ num, statusOrderKey }) => [num, statusOrderKey]),
          [
            [1, 7],
            [2, 1024],
          ],
        );
      }),
    );

    it(
      'tasks that are replaced together take the places that they leave to each other',
      onStore(target, async (store) => {
        const kanban = board(newId());
        const cards = [1, 2, 3, 4].map((num) => task(kanban, num));
        const places = cards.map(({ statusOrderKey }) => statusOrderKey);
        const at = (n: number, place: number) => ({ ...cards[n]!, statusOrderKey: places[place]!, version: 2 });
        await store.write(async (tx) => {
          for (const card of cards) await tx.tasks.insert(card);
        });
        // Three in a circle, and one that goes where none was.
        await store.write((tx) => tx.tasks.replaceTogether([at(0, 1), at(1, 2), at(2, 0)]));
        await store.write((tx) => tx.tasks.replaceTogether([{ ...at(3, 3), statusOrderKey: 7 }, at(1, 3)]));
        await store.read(async (tx) => {
          const column = await tx.tasks.column(kanban.workspaceId, cards[0]!.statusId, { limit: 9 });
          assert.deepEqual(
            column.map(({ num, statusOrderKey }) => [num, statusOrderKey]),
            [
              [4, 7],
              [3, places[0]],
              [1, places[1]],
              [2, places[3]],
            ],
          );
        });
        await assert.rejects(store.write((tx) => tx.tasks.replaceTogether([at(0, 0)])));
      }),
    );

    it(
      'a removed task is found nowhere',
      onStore(target, async (store) => {
        const kanban = board(newId(), { externalId: null });
        const card = task(kanban, 1, { assignees: ['a'], tags: ['t'], externalId: 'E' });
        await store.write((tx) => tx.tasks.insert(card));
        await store.write((tx) => tx.tasks.remove(card));
        await store.read(async (tx) => {
          for (const filters of [
            [],
            [{ field: 'boardId', in: [kanban.id] }],
            [{ field: 'statusId', in: [card.statusId] }],
            [{ field: 'assignees', in: ['a'] }],
            [{ field: 'tags', in: ['t'] }],
            [{ field: 'externalId', in: ['E'] }],
            [{ field: 'updatedAt', from: card.updatedAt }],
          ] as TaskQuery['filters'][]) {
            const query = { workspaceId: kanban.workspaceId, scope: null, filters };
            assert.deepEqual(await tx.tasks.find({ ...query, sort: BY_NUM, after: null, limit: 9 }), []);
            assert.equal(await tx.tasks.count(query), 0);
          }
        });
        await store.write((tx) => tx.tasks.insert(card));
      }),
    );

    it(
      'keep how often nothing but what belongs to the board was changed, and come without those changes when seen without it',
      onStore(target, async (store) => {
        const kanban = board(newId(), { statuses: [status()] });
        const plain = task(kanban, 1);
        const boardEdits = { count: 2, version: 3, updatedAt: plain.updatedAt };
        const edited = { ...task(kanban, 2), version: 3, updatedAt: instant(7), boardEdits };
        await store.write(async (tx) => {
          await tx.boards.insert(kanban);
          for (const card of [plain, edited]) await tx.tasks.insert(card);
        });
        await store.read(async (tx) => {
          for (const card of [plain, edited]) {
            assert.deepEqual(await tx.tasks.get(kanban.workspaceId, card.id), card);
            const scope = { boards: new Set<string>(), hidden: new Set<string>(), withoutBoard: new Set([card.id]) };
            const query = { workspaceId: kanban.workspaceId, scope, filters: [], sort: BY_NUM, after: null, limit: 9 };
            const [seen] = await tx.tasks.find(query);
            const { version, updatedAt } = seen!;
            assert.deepEqual([version, updatedAt, 'boardEdits' in seen!], [1, plain.updatedAt, false]);
            for (const [bounds, many] of [
              [{ to: plain.updatedAt }, 1],
              [{ from: instant(1) }, 0],
            ] as const) {
              const filters = [{ field: 'updatedAt', ...bounds }] as const;
              assert.equal((await tx.tasks.find({ ...query, filters })).length, many);
              assert.equal(await tx.tasks.count({ ...query, filters }), many);
            }
          }
        });
      }),
    );

    it(
      'are counted by status, without those that are left out',
      onStore(target, async (store) => {
        const kanban = board(newId(), { statuses: [status(), status(), status()] });
        const [open, doing, done] = kanban.statuses.map(({ id }) => id) as [string, string, string];
        const cards = [open, open, open, doing].map((statusId, i) => task(kanban, i + 1, { statusId }));
        await store.write(async (tx) => {
          await tx.boards.insert(kanban);
          for (const card of cards) await tx.tasks.insert(card);
        });
        const count = (except: string[]) =>
          store.read(async (tx) => {
            const { tasks } = await tx.tasks.countByStatus(kanban.workspaceId, kanban.id);
            const among = await tx.tasks.countAmong(kanban.workspaceId, kanban.id, new Set(except));
            return [open, doing, done].map((id) => (tasks.get(id) ?? 0) - (among.get(id) ?? 0));
          });
        assert.deepEqual(await count([]), [3, 1, 0]);
        assert.deepEqual(await count([cards[0]?.id ?? '', cards[3]?.id ?? '', newId()]), [2, 0, 0]);
      }),
    );

    it(
      'running numbers are given in a row',
      onStore(target, async (store) => {
        const [one, other] = [newId(), newId()];
        await store.write(async (tx) => {
          assert.equal(await tx.tasks.reserveNums(one, 3), 1);
          assert.equal(await tx.tasks.reserveNums(one, 1), 4);
        });
        assert.equal(await store.write((tx) => tx.tasks.reserveNums(one, 1)), 5);
        await store.read(async (tx) => {
          assert.equal(await tx.tasks.lastNum(one), 5);
          assert.equal(await tx.tasks.lastNum(other), 0);
        });
        assert.equal(await store.write((tx) => tx.tasks.reserveNums(other, 1)), 1);
      }),
    );

    it(
      'tasks are counted at the first call, and kept from then on',
      onStore(target, async (store) => {
        const [one, other] = [board(newId()), board(newId())];
        const countOf = ({ workspaceId }: typeof one) => store.write((tx) => tx.tasks.ensureTaskCount(workspaceId));
        const cards = [1, 2, 3].map((num) => task(one, num));
        await store.write(async (tx) => {
          for (const card of cards.slice(0, 2)) await tx.tasks.insert(card);
        });
        const known = ({ workspaceId }: typeof one) => store.read((tx) => tx.tasks.taskCount(workspaceId));
        assert.equal(await known(one), null);
        assert.equal(await countOf(one), 2);
        await store.write(async (tx) => {
          await tx.tasks.insert(cards[2]!);
          assert.equal(await tx.tasks.ensureTaskCount(one.workspaceId), 3);
          await tx.tasks.replace({ ...cards[2]!, title: 'changed' });
          await tx.tasks.remove(cards[0]!);
        });
        const failed = store.write(async (tx) => {
          await tx.tasks.remove(cards[1]!);
          assert.equal(await tx.tasks.ensureTaskCount(one.workspaceId), 1);
          throw new Error('taken back');
        });
        await assert.rejects(failed, /taken back/);
        assert.equal(await countOf(one), 2);
        assert.equal(await countOf(other), 0);
        await store.write(async (tx) => {
          await tx.tasks.insert(task(other, 1));
          await tx.tasks.reserveNums(other.workspaceId, 5);
        });
        assert.deepEqual([await known(one), await known(other)], [2, 1]);
        assert.deepEqual([await countOf(one), await countOf(other)], [2, 1]);
        assert.equal(await known(board(newId())), null);
      }),
    );
  });
}
