import assert from 'node:assert/strict';
import type { NewChange, NewEntry } from '../../core/model/log/change.ts';
import { type HistoryKind, MAX_ENTRIES } from '../../core/model/log/history-entry.ts';
import type { Store } from '../../core/ports/store.ts';
import { onStore } from './opened.ts';
import { newChange, newId } from './records.ts';
import type { StoreTarget } from './target.ts';

/** Entries of histories come with the log, and stay longer than it. */
export function historiesContract(target: StoreTarget): void {
  describe('histories', () => {
    it(
      'have the entries of one record, newest first, in parts',
      onStore(target, async (store) => {
        const { of, add } = newHistories(store);
        const [taskId, commentId, boardId] = [newId(), newId(), newId()];
        await add(entry('1', { recordId: taskId, boardId }), entry('of another'), newChange({ recordId: taskId }));
        await add(entry('2', { recordId: taskId }));
        await add(newChange(), entry('3', { kind: 'comment', recordId: commentId, taskId }, 'delete'));
        await add(entry('4', { recordId: taskId }));
        const all = await of('task', taskId);
        assert.deepEqual(
          all.map(({ changes, action }) => [changes, action]),
          [
            ['4', 'task.update'],
            ['3', 'comment.delete'],
            ['2', 'task.update'],
            ['1', 'task.update'],
          ],
        );
        assert.deepEqual(
          all.map(({ offset, seq }) => [offset, seq]),
          [
            [7, 7],
            [6, 5],
            [4, 4],
            [1, 1],
          ],
        );
        assert.deepEqual(
          all.map((one) => one.commentId),
          [null, commentId, null, null],
        );
        assert.deepEqual([all[3]!.boardId, all.some(({ isOldest }) => isOldest)], [boardId, false]);
        assert.deepEqual(await of('task', taskId, null, 2), all.slice(0, 2));
        assert.deepEqual(await of('task', taskId, 6, 2), all.slice(2));
        assert.deepEqual(await of('task', taskId, 1), []);
        assert.deepEqual(await of('board', taskId), []);
        assert.deepEqual(await of('task', newId()), []);
      }),
    );

    for (const [when, keeps] of [
      ['', true],
      [', also when the log has forgotten that', false],
    ] as const) {
      it(
        `of a board and of its page both tell that it went and came back${when}`,
        onStore(target, async (store) => {
          const { of, add, id: workspaceId, list, remove } = newHistories(store);
          const id = newId();
          const page = { kind: 'page', recordId: id, boardId: id } as const;
          await add(entry('1', { kind: 'board', recordId: id, boardId: id }), entry('2', page));
          await add(entry('3', { ...page, action: 'delete' }, 'delete'));
          await add(entry('4', page, 'restore'));
          if (!keeps) await store.write((tx) => tx.changeLog.trim(workspaceId, 4, 9));
          const logged = await list();
          assert.equal(logged.length, keeps ? 4 : 0);
          const told = async (kind: HistoryKind) =>
            (await of(kind, id)).map(({ changes, action }) => [changes, action]);
          assert.deepEqual(await told('page'), [
            ['4', 'page.restore'],
            ['3', 'page.delete'],
            ['2', 'page.update'],
          ]);
          const ofBoard = [
            ['4', 'board.restore'],
            ['3', 'board.delete'],
            ['1', 'board.update'],
          ];
          assert.deepEqual(await told('board'), ofBoard);
          assert.deepEqual(await remove('page', id, 9), { removed: 3, more: false });
          assert.deepEqual([await told('page'), await told('board')], [[], ofBoard]);
          assert.deepEqual(await remove('board', id, 9), { removed: 3, more: false });
          assert.deepEqual(await told('board'), []);
          assert.deepEqual(await list(), logged);
        }),
      );
    }

    it(
      'stay when the log forgets their changes, and the log tells nothing of them',
      onStore(target, async (store) => {
        const { of, add, id, list } = newHistories(store);
        const recordId = newId();
        for (let n = 1; n <= 6; n += 1) await add(newChange(), entry(String(n), { recordId }));
        assert.deepEqual(
          (await list()).filter((change) => 'entry' in change || 'changes' in change),
          [],
        );
        assert.equal(await store.write((tx) => tx.changeLog.trim(id, 8, 4)), true);
        assert.deepEqual(
          (await list()).map(({ seq, part }) => seq + part),
          [9, 10, 11, 12],
        );
        assert.equal(await store.write((tx) => tx.changeLog.trim(id, 8, 9)), false);
        assert.equal(await store.write((tx) => tx.changeLog.trim(id, 10, 9)), false);
        assert.deepEqual(
          (await of('task', recordId)).map(({ changes }) => changes),
          ['6', '5', '4', '3', '2', '1'],
        );
        await add(entry('7', { recordId }));
        assert.deepEqual(
          (await of('task', recordId, null, 2)).map(({ changes }) => changes),
          ['7', '6'],
        );
      }),
    );

    it(
      'are removed in steps, and the log keeps what it has not forgotten',
      onStore(target, async (store) => {
        const { of, add, id, list, remove } = newHistories(store);
        const [recordId, other] = [newId(), newId()];
        for (let n = 1; n <= 6; n += 1) await add(entry(String(n), { recordId }), entry('kept', { recordId: other }));
        await store.write((tx) => tx.changeLog.trim(id, 4, 9));
        const logged = await list();
        assert.deepEqual(await remove('task', recordId, 4), { removed: 4, more: true });
        assert.equal((await of('task', recordId)).length, 2);
        assert.deepEqual(await remove('task', recordId, 0), { removed: 0, more: true });
        assert.deepEqual(await remove('task', recordId, 2), { removed: 2, more: false });
        assert.deepEqual(await remove('task', recordId, 2), { removed: 0, more: false });
        assert.deepEqual(await of('task', recordId), []);
        assert.equal((await of('task', other)).length, 6);
        assert.deepEqual(await list(), logged);
        await add(entry('again', { recordId }));
        assert.deepEqual(
          (await of('task', recordId)).map(({ changes }) => changes),
          ['again'],
        );
      }),
    );

    it(
      'are removed of several records and kinds at once, and of no others',
      onStore(target, async (store) => {
        const { of, add, id } = newHistories(store);
        const [first, second, other] = [newId(), newId(), newId()];
        for (const recordId of [first, other, second]) {
          await add(entry('of a task', { recordId }), entry('of a page', { recordId, kind: 'page', boardId: null }));
        }
        const records = { workspaceId: id, kinds: ['task', 'page'], recordIds: [second, newId(), first] } as const;
        const remove = (limit: number) => store.write((tx) => tx.changeLog.removeHistories(records, limit));
        assert.deepEqual(await remove(3), { removed: 3, more: true });
        assert.deepEqual(await remove(3), { removed: 1, more: false });
        for (const recordId of [first, second]) {
          assert.deepEqual([await of('task', recordId), await of('page', recordId)], [[], []]);
        }
        assert.deepEqual([(await of('task', other)).length, (await of('page', other)).length], [1, 1]);
        const one = { ...records, kinds: ['task'], recordIds: [other] } as const;
        const ofTask = await store.write((tx) => tx.changeLog.removeHistories(one, 3));
        assert.deepEqual(ofTask, { removed: 1, more: false });
        assert.deepEqual([(await of('task', other)).length, (await of('page', other)).length], [0, 1]);
        const none = { ...records, recordIds: [] };
        const removed = await store.write((tx) => tx.changeLog.removeHistories(none, 3));
        assert.deepEqual(removed, { removed: 0, more: false });
      }),
    );

    it(
      'hold at most 10,000 entries, of which the oldest says that there were others',
      onStore(target, async (store) => {
        const { of, add, isTruncated } = newHistories(store);
        const recordId = newId();
        const page = { kind: 'page', recordId, boardId: recordId } as const;
        const some = Array.from({ length: 500 }, () => entry('[]', page));
        await add(entry('[]', page, 'delete'), ...some);
        assert.equal(await isTruncated('page', recordId), false);
        for (let n = 0; n < MAX_ENTRIES + 1_000; n += some.length) await add(...some);
        assert.equal(await isTruncated('page', recordId), true);
        assert.equal(await isTruncated('page', newId()), false);
        const all = await of('page', recordId, null, 2 * MAX_ENTRIES);
        assert.ok(all.length <= MAX_ENTRIES && all.length >= MAX_ENTRIES - 1_000, String(all.length));
        assert.equal(
          all.findIndex(({ isOldest }) => isOldest),
          all.length - 1,
        );
        assert.deepEqual(await of('page', recordId, all.at(-1)!.offset), []);
        const ofBoard = await of('board', recordId);
        assert.deepEqual(
          ofBoard.map(({ offset, isOldest }) => [offset, isOldest]),
          [[1, false]],
        );
        assert.equal(await isTruncated('board', recordId), false);
      }),
    );

    it(
      'go with their workspace, in steps',
      onStore(target, async (store) => {
        const { of, add, id, list } = newHistories(store);
        const boardId = newId();
        const deleted = { kind: 'page', action: 'delete', recordId: boardId, boardId } as const;
        for (let n = 0; n < 7; n += 1) await add(entry('1', deleted, 'delete'));
        const other = newHistories(store);
        await other.add(entry('1', deleted, 'delete'));
        let steps = 0;
        for (let from: string | null = null; from !== null || steps === 0; steps += 1) {
          const { removed, next } = await store.write((tx) => tx.changeLog.clear(id, from, 3));
          assert.ok(removed <= 3 && steps < 9);
          from = next;
        }
        assert.ok(steps > 2);
        assert.equal((await other.of('board', boardId)).length, 1);
        for (const kind of ['page', 'board'] as const) assert.deepEqual(await of(kind, boardId), []);
        assert.deepEqual(await list(), []);
        assert.equal((await store.read((tx) => tx.changeLog.head(id))).floor, 7);
      }),
    );
  });
}

function entry(changes: string, fields: Partial<NewChange> = {}, verb: NewEntry['verb'] = 'update'): NewChange {
  return newChange({ ...fields, entry: { verb, changes } });
}

/** The histories of a workspace of its own. */
function newHistories(store: Store) {
  const id = newId();
  const record = (kind: HistoryKind, recordId: string) => ({ workspaceId: id, kind, recordId });
  return {
    id,
    add: (...changes: readonly NewChange[]) => store.write((tx) => tx.changeLog.append(id, changes)),
    of: (kind: HistoryKind, recordId: string, before: number | null = null, limit = 99) =>
      store.read((tx) => tx.changeLog.historyOf(record(kind, recordId), before, limit)),
    isTruncated: (kind: HistoryKind, recordId: string) =>
      store.read((tx) => tx.changeLog.isTruncated(record(kind, recordId))),
    remove: (kind: HistoryKind, recordId: string, limit: number) =>
      store.write((tx) =>
        tx.changeLog.removeHistories({ workspaceId: id, kinds: [kind], recordIds: [recordId] }, limit),
      ),
    list: () => store.read((tx) => tx.changeLog.list(id, 0, 99)),
  };
}
