import assert from 'node:assert/strict';
import type { LoggedChange } from '../../core/model/log/change.ts';
import type { Store } from '../../core/ports/store.ts';
import { onStore } from './opened.ts';
import { newChange, newId } from './records.ts';
import type { StoreTarget } from './target.ts';

/** What is logged comes in the order of commits, without a gap and without what was not committed. */
export function changeLogContract(target: StoreTarget): void {
  describe('change log', () => {
    it(
      'gives the changes of each workspace in the order of commits, part by part',
      onStore(target, async (store) => {
        const [id, other] = [newId(), newId()];
        const changes = Array.from({ length: 6 }, (_, n) => newChange({ version: n + 1, at: instantBefore(n) }));
        await store.write((tx) => tx.changeLog.append(id, changes.slice(0, 3)));
        await store.write((tx) => tx.changeLog.append(other, [newChange()]));
        await store.write((tx) => tx.changeLog.append(id, changes.slice(3, 4)));
        await store.write((tx) => tx.changeLog.append(id, changes.slice(4)));
        const offsets = [
          [1, 0],
          [1, 1],
          [1, 2],
          [4, 0],
          [5, 0],
          [5, 1],
        ];
        const logged = changes.map(({ entry: _, ...change }, n) => {
          return { seq: offsets[n]![0], part: offsets[n]![1], ...change };
        });
        assert.deepEqual(await listed(store, id), logged);
        assert.deepEqual(await listed(store, id, 2, 3), logged.slice(2, 5));
        assert.deepEqual(await listed(store, id, 6), []);
        assert.deepEqual(await listed(store, newId()), []);
        const [head, ofOther] = [await headOf(store, id), await headOf(store, other)];
        assert.deepEqual([head.last, head.floor, ofOther.last], [6, 0, 1]);
        assert.notEqual(head.id, ofOther.id);
        assert.deepEqual(await headOf(store, newId()), { id: '', last: 0, floor: 0 });
      }),
    );

    it(
      'has nothing of a write that throws, and a transaction sees what it has logged',
      onStore(target, async (store) => {
        const id = newId();
        const [first, second] = [newChange(), newChange()];
        await assert.rejects(
          store.write(async (tx) => {
            await tx.changeLog.append(id, [newChange()]);
            throw new RangeError('after all');
          }),
          RangeError,
        );
        await store.write(async (tx) => {
          await tx.changeLog.append(id, [first]);
          await tx.changeLog.append(id, [second]);
          assert.equal((await tx.changeLog.head(id)).last, 2);
          assert.deepEqual(
            (await tx.changeLog.list(id, 0, 9)).map(({ recordId }) => recordId),
            [first.recordId, second.recordId],
          );
        });
        assert.deepEqual(
          (await listed(store, id)).map(({ seq }) => seq),
          [1, 2],
        );
      }),
    );

    it(
      'has every change of writers at the same time once, and each writer in its order',
      onStore(target, async (store) => {
        const id = newId();
        const writers = Array.from({ length: 8 }, () => newId());
        await Promise.all(
          writers.map(async (userId) => {
            for (let version = 1; version <= 5; version += 1) {
              await store.write((tx) => tx.changeLog.append(id, [newChange({ userId, version }), newChange()]));
            }
          }),
        );
        const changes = await listed(store, id, 0, 1_000);
        assert.deepEqual(
          changes.map(({ seq, part }) => seq + part),
          changes.map((_, n) => n + 1),
        );
        for (const userId of writers) {
          const own = changes.filter((change) => change.userId === userId);
          assert.deepEqual(
            own.map(({ version }) => version),
            [1, 2, 3, 4, 5],
          );
        }
      }),
    );

    it(
      'forgets what is at or before its floor, in steps, and goes on behind it',
      onStore(target, async (store) => {
        const id = newId();
        for (let n = 0; n < 5; n += 1) await store.write((tx) => tx.changeLog.append(id, [newChange(), newChange()]));
        const { id: logId } = await headOf(store, id);
        assert.equal(await store.write((tx) => tx.changeLog.trim(id, 7, 4)), true);
        assert.deepEqual(
          (await listed(store, id)).map(({ seq, part }) => seq + part),
          [8, 9, 10],
        );
        assert.equal(await store.write((tx) => tx.changeLog.trim(id, 0, 4)), false);
        assert.deepEqual(await headOf(store, id), { id: logId, last: 10, floor: 7 });
        await store.write((tx) => tx.changeLog.trim(id, 10, 100));
        assert.deepEqual(await listed(store, id), []);
        await store.write((tx) => tx.changeLog.append(id, [newChange()]));
        assert.deepEqual(
          (await listed(store, id)).map(({ seq }) => seq),
          [11],
        );
        assert.equal(await store.write((tx) => tx.changeLog.trim(newId(), 0, 9)), false);
      }),
    );

    it(
      'keeps nothing of what was forgotten in part, whether that goes on or all is cleared',
      onStore(target, async (store) => {
        const [id, other] = [newId(), newId()];
        const trim = (of: string) => store.write((tx) => tx.changeLog.trim(of, 5, 2));
        for (const each of [id, other]) {
          const changes = Array.from({ length: 5 }, () => newChange());
          await store.write((tx) => tx.changeLog.append(each, changes));
          assert.equal(await trim(each), true);
        }
        assert.deepEqual([await trim(id), await trim(id)], [true, false]);
        for (const [of, left] of [
          [id, 0],
          [other, 3],
        ] as const) {
          const { removed } = await store.write((tx) => tx.changeLog.clear(of, null, 100));
          assert.equal(removed, left);
        }
      }),
    );

    it(
      'forgets nothing of another workspace, whether it is trimmed or cleared',
      onStore(target, async (store) => {
        const [id, other] = [newId(), newId()];
        for (const each of [id, other]) {
          await store.write((tx) => tx.changeLog.append(each, [newChange(), newChange(), newChange(), newChange()]));
        }
        const kept = await listed(store, other);
        await store.write((tx) => tx.changeLog.trim(id, 2, 100));
        assert.deepEqual(await listed(store, other), kept);
        await store.write((tx) => tx.changeLog.clear(id, null, 100));
        assert.deepEqual(await listed(store, id), []);
        assert.deepEqual(await listed(store, other), kept);
      }),
    );
  });
}

function listed(store: Store, workspaceId: string, after = 0, limit = 100): Promise<readonly LoggedChange[]> {
  return store.read((tx) => tx.changeLog.list(workspaceId, after, limit));
}

function headOf(store: Store, workspaceId: string) {
  return store.read((tx) => tx.changeLog.head(workspaceId));
}

/** Clocks may go back. */
function instantBefore(n: number): string {
  return new Date(Date.UTC(2026, 0, 1) - n * 1_000).toISOString();
}
