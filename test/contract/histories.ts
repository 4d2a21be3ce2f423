import { expect } from 'chai';
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
        expect(all.map(({ changes, action }) => [changes, action])).to.deep.equal([
          ['4', 'task.update'],
          ['3', 'comment.delete'],
          ['2', 'task.update'],
          ['1', 'task.update'],
        ]);
        expect(all.map(({ place, seq }) => [place, seq])).to.deep.equal([
          [7, 7],
          [6, 5],
          [4, 4],
          [1, 1],
        ]);
        expect(all.map((one) => one.commentId)).to.deep.equal([null, commentId, null, null]);
        expect([all[3]!.boardId, all.some(({ isOldest }) => isOldest)]).to.deep.equal([boardId, false]);
        expect(await of('task', taskId, null, 2)).to.deep.equal(all.slice(0, 2));
        expect(await of('task', taskId, 6, 2)).to.deep.equal(all.slice(2));
        expect(await of('task', taskId, 1)).to.deep.equal([]);
        expect(await of('board', taskId)).to.deep.equal([]);
        expect(await of('task', newId())).to.deep.equal([]);
      }),
    );

    it(
      'of a board and of its page both tell that it went and came back',
      onStore(target, async (store) => {
        const { of, add, remove } = newHistories(store);
        const id = newId();
        const page = { kind: 'page', recordId: id, boardId: id } as const;
        await add(entry('1', { kind: 'board', recordId: id, boardId: id }), entry('2', page));
        await add(entry('3', { ...page, action: 'delete' }, 'delete'));
        await add(entry('4', page, 'restore'));
        const told = async (kind: HistoryKind) => (await of(kind, id)).map(({ changes, action }) => [changes, action]);
        expect(await told('page')).to.deep.equal([
          ['4', 'page.restore'],
          ['3', 'page.delete'],
          ['2', 'page.update'],
        ]);
        const ofBoard = [
          ['4', 'board.restore'],
          ['3', 'board.delete'],
          ['1', 'board.update'],
        ];
        expect(await told('board')).to.deep.equal(ofBoard);
        expect(await remove('page', id, 9)).to.deep.equal({ removed: 3, more: false });
        expect([await told('page'), await told('board')]).to.deep.equal([[], ofBoard]);
        expect(await remove('board', id, 9)).to.deep.equal({ removed: 3, more: false });
        expect(await told('board')).to.deep.equal([]);
      }),
    );

    it(
      'stay when the log forgets their changes, and the log tells nothing of them',
      onStore(target, async (store) => {
        const { of, add, id, list } = newHistories(store);
        const recordId = newId();
        for (let n = 1; n <= 6; n += 1) await add(newChange(), entry(String(n), { recordId }));
        expect((await list()).filter((change) => 'entry' in change || 'changes' in change)).to.deep.equal([]);
        expect(await store.write((tx) => tx.changeLog.trim(id, 8, 4))).to.equal(true);
        expect((await list()).map(({ seq, part }) => seq + part)).to.deep.equal([9, 10, 11, 12]);
        expect(await store.write((tx) => tx.changeLog.trim(id, 8, 9))).to.equal(false);
        expect(await store.write((tx) => tx.changeLog.trim(id, 10, 9))).to.equal(false);
        expect((await of('task', recordId)).map(({ changes }) => changes)).to.deep.equal([
          '6',
          '5',
          '4',
          '3',
          '2',
          '1',
        ]);
        await add(entry('7', { recordId }));
        expect((await of('task', recordId, null, 2)).map(({ changes }) => changes)).to.deep.equal(['7', '6']);
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
        expect(await remove('task', recordId, 4)).to.deep.equal({ removed: 4, more: true });
        expect(await of('task', recordId)).to.have.length(2);
        expect(await remove('task', recordId, 0)).to.deep.equal({ removed: 0, more: true });
        expect(await remove('task', recordId, 2)).to.deep.equal({ removed: 2, more: false });
        expect(await remove('task', recordId, 2)).to.deep.equal({ removed: 0, more: false });
        expect(await of('task', recordId)).to.deep.equal([]);
        expect(await of('task', other)).to.have.length(6);
        expect(await list()).to.deep.equal(logged);
        await add(entry('again', { recordId }));
        expect((await of('task', recordId)).map(({ changes }) => changes)).to.deep.equal(['again']);
      }),
    );

    it(
      'hold at most 10,000 entries, of which the oldest says that there were others',
      onStore(target, async (store) => {
        const { of, add, isTruncated } = newHistories(store);
        const recordId = newId();
        const some = Array.from({ length: 500 }, () => entry('[]', { recordId }));
        await add(...some);
        expect(await isTruncated('task', recordId)).to.equal(false);
        for (let n = 0; n < MAX_ENTRIES + 1_000; n += some.length) await add(...some);
        expect(await isTruncated('task', recordId)).to.equal(true);
        expect(await isTruncated('task', newId())).to.equal(false);
        const all = await of('task', recordId, null, 2 * MAX_ENTRIES);
        expect(all.length)
          .to.be.at.most(MAX_ENTRIES)
          .and.at.least(MAX_ENTRIES - 1_000);
        expect(all.findIndex(({ isOldest }) => isOldest)).to.equal(all.length - 1);
        expect(await of('task', recordId, all.at(-1)!.place)).to.deep.equal([]);
      }),
    ).timeout(60_000);

    it(
      'go with their workspace, in steps',
      onStore(target, async (store) => {
        const { of, add, id, list } = newHistories(store);
        const boardId = newId();
        const deleted = { kind: 'page', action: 'delete', recordId: boardId, boardId } as const;
        for (let n = 0; n < 4; n += 1) await add(entry('1', deleted, 'delete'));
        const clear = () => store.write((tx) => tx.changeLog.clear(id, 3));
        expect(await clear()).to.equal(true);
        let steps = 1;
        for (; await clear(); steps += 1) expect(steps).to.be.below(9);
        for (const kind of ['page', 'board'] as const) expect(await of(kind, boardId)).to.deep.equal([]);
        expect(await list()).to.deep.equal([]);
        expect((await store.read((tx) => tx.changeLog.head(id))).floor).to.equal(4);
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
      store.write((tx) => tx.changeLog.removeHistory(record(kind, recordId), limit)),
    list: () => store.read((tx) => tx.changeLog.list(id, 0, 99)),
  };
}
