import assert from 'node:assert/strict';
import type { Page } from '../../core/model/workspace/page.ts';
import { buildStructure } from '../../core/tree/build.ts';
import { onStore } from './opened.ts';
import { forSeeds } from './random.ts';
import { member, newId, page, workspace } from './records.ts';
import { rejected } from './rejected.ts';
import type { StoreTarget } from './target.ts';
import { get, ids } from './structures.ts';

export function reachContract(target: StoreTarget): void {
  describe('pages within reach', () => {
    it(
      'a removed page takes all below it out of reach at once, where they are found until they are forgotten',
      onStore(target, async (store) => {
        const acme = workspace();
        await store.write((tx) => tx.structures.insert(acme, member(acme.id)));
        const top = page(acme.id);
        const below: (typeof top)[] = [];
        for (let i = 0; i < 30; i += 1) below.push(page(acme.id, { parentId: (below[Math.floor(i / 3)] ?? top).id }));
        const change = (pages: readonly (typeof top)[], removedPages: readonly string[]) =>
          store.write(async (tx) => {
            const structure = await tx.structures.get(acme.id);
            assert(structure);
            await tx.structures.change(structure, { pages, removedPages });
          });
        await change([top, ...below], []);
        await change([], ids([top, ...below]));
        await store.read(async (tx) => {
          const structure = await tx.structures.get(acme.id);
          for (const { id } of below) assert.equal(structure?.page(id), undefined);
        });
        assert.deepEqual(Array.from((await get(store, acme.id)).pages()), []);
        await store.write(async (tx) => {
          const { id: topId } = top;
          assert.deepEqual(await tx.structures.stored(acme.id, [topId, newId(), below[7]!.id]), [below[7]]);
          const found = await tx.structures.storedBelow(acme.id, [topId, below[2]!.id], 3);
          assert.equal(found.length, 3);
          for (const { parentId } of found) assert([topId, below[2]!.id].includes(parentId ?? ''));
          await tx.structures.forget(acme.id, found);
          assert.equal((await tx.structures.storedBelow(acme.id, [topId, below[2]!.id], 9)).length, 1);
        });
        await store.write(async (tx) => tx.structures.forget(acme.id, await tx.structures.stored(acme.id, ids(below))));
        assert.deepEqual(await store.write((tx) => tx.structures.stored(acme.id, ids(below))), []);
        await change([top], []);
        assert.deepEqual(Array.from((await get(store, acme.id)).pages()), [top]);
      }),
    );

    it(
      'with a board go the pages of its tasks, wherever they stand, and all below them',
      onStore(target, async (store) => {
        const acme = workspace();
        const put = (parent: { readonly id: string } | null, more: Partial<Page> = {}) =>
          page(acme.id, { parentId: parent?.id ?? null, ...more });
        const [folder, first] = [put(null), put(null, { type: 'board' })];
        const task = put(folder, { type: 'task', boardId: first.id });
        const second = put(task, { type: 'board' });
        const [nested, stays] = [put(folder, { type: 'task', boardId: second.id }), put(folder)];
        const third = put(folder, { type: 'board' });
        // A task of a board that stays: its page goes, and it is out of reach with that.
        const removed = put(nested, { type: 'task', boardId: third.id });
        const gone = [first, task, second, nested, removed];
        await store.write(async (tx) => {
          const made = await tx.structures.insert(acme, member(acme.id));
          await tx.structures.change(made, { pages: [folder, stays, third, ...gone] });
        });
        await store.write(async (tx) => {
          const structure = (await tx.structures.get(acme.id))!;
          await tx.structures.change(structure, { removedPages: ids(gone) });
        });
        const expectGone = async (removedTasks: readonly string[]) => {
          for (let read = 0; read < 3; read += 1) {
            await store.read(async (tx) => {
              const structure = (await tx.structures.get(acme.id))!;
              for (const { id } of gone) assert.equal(structure.page(id), undefined);
              assert.equal(structure.isRemovedTask(removed.id), removedTasks.length > 0);
              assert.deepEqual(ids(structure.children(folder.id)).toSorted(), ids([stays, third]).toSorted());
              assert.deepEqual(ids([...structure.pages()]).toSorted(), ids([folder, stays, third]).toSorted());
              assert.deepEqual([...structure.removedTasks()], removedTasks);
            });
          }
        };
        await expectGone([removed.id]);
        const all = await store.write((tx) => tx.structures.stored(acme.id, ids(gone)));
        assert.deepEqual(ids(all).toSorted(), ids(gone.slice(1)).toSorted());
        const moved = { ...nested, parentId: second.id, orderKey: nested.orderKey + 1 };
        await store.write((tx) => tx.structures.restage(acme.id, [moved]));
        await store.write(async (tx) => {
          assert.deepEqual(await tx.structures.stored(acme.id, [nested.id]), [moved]);
          assert.deepEqual(await tx.structures.storedBelow(acme.id, [second.id], 9), [moved]);
          const below = await tx.structures.storedBelow(acme.id, [folder.id], 9);
          assert.ok(!ids(below).includes(nested.id));
        });
        await expectGone([removed.id]);
        const forgotten = all.map((one) => (one.id === nested.id ? moved : one));
        await store.write((tx) => tx.structures.forget(acme.id, forgotten));
        await store.write(async (tx) => {
          await tx.structures.change((await tx.structures.get(acme.id))!, { settled: true });
        });
        await expectGone([]);
      }),
    );

    it(
      'one is put in place of what has been staged, and is found by nobody before',
      onStore(target, async (store) => {
        const acme = workspace();
        const owner = member(acme.id);
        const [first, second] = [page(acme.id), page(acme.id)];
        await store.write((tx) => tx.structures.stage(acme.id, { members: [owner], pages: [first] }));
        await store.write((tx) => tx.structures.stage(acme.id, { pages: [second] }));
        await store.write(async (tx) => {
          assert.equal(await tx.structures.get(acme.id), null);
          assert.deepEqual(await tx.structures.ofUser(owner.userId), []);
          assert.equal(await tx.structures.countOfUser(owner.userId, 1), 0);
        });
        await store.write((tx) => tx.structures.open(buildStructure(acme, 1, [owner], [first, second])));
        const structure = await get(store, acme.id);
        assert.deepEqual(ids([...structure.pages()]).toSorted(), ids([first, second]).toSorted());
        assert.deepEqual(structure.memberOfUser(owner.userId), owner);
        const other = workspace({ alias: acme.alias });
        const open = store.write((tx) => tx.structures.open(buildStructure(other, 1, [], [])));
        await rejected('alias-taken', open);
      }),
    );

    it('random changes give what the same changes give in memory', async () => {
      await forSeeds(target.runs ?? 10, async (random) => {
        await onStore(target, async (store) => {
          const acme = workspace();
          await store.write((tx) => tx.structures.insert(acme, member(acme.id)));
          const pages = new Map<string, ReturnType<typeof page>>();
          for (let round = 0; round < 20; round += 1) {
            const put = Array.from({ length: 1 + random.below(12) }, () =>
              page(acme.id, {
                id: random.id(),
                orderKey: random.below(5) - 2,
                parentId: pages.size > 0 && random.once(2) ? random.pick([...pages.keys()]) : null,
              }),
            );
            const moved = random.some([...pages.values()], 6).map((each) => ({ ...each, orderKey: random.below(9) }));
            const kept = [...moved, ...put].flatMap(({ id, parentId }) => [id, ...pathUp(pages, parentId)]);
            const removed = withAllBelow(pages, random.some([...pages.keys()], 8)).filter((id) => !kept.includes(id));
            const failing = random.once(4);
            const writing = store.write(async (tx) => {
              const structure = await tx.structures.get(acme.id);
              assert(structure);
              if (random.once(2)) structure.page(put[0]?.id ?? '');
              await tx.structures.change(structure, { pages: [...put, ...moved], removedPages: removed });
              if (failing) throw new RangeError('dropped');
            });
            if (failing) {
              await assert.rejects(writing, RangeError);
            } else {
              await writing;
              for (const each of [...put, ...moved]) pages.set(each.id, each);
              for (const id of removed) pages.delete(id);
            }
            await store.read(async (tx) => {
              const structure = await tx.structures.get(acme.id);
              assert(structure);
              for (const parent of [null, ...random.some([...pages.keys()], 4)]) {
                const expected = [...pages.values()].filter((each) => each.parentId === parent).sort(bySiblings);
                assert.deepEqual(structure.children(parent), expected);
              }
              for (const id of [...random.some([...pages.keys()], 4), ...removed]) {
                assert.deepEqual(structure.page(id), pages.get(id));
              }
              if (random.once(2)) {
                const ids = Array.from(structure.pages(), ({ id }) => id);
                assert.deepEqual(ids.sort(), [...pages.keys()].sort());
              }
            });
          }
        })();
      });
    });
  });
}

type Pages = ReadonlyMap<string, { readonly id: string; readonly parentId: string | null }>;

function pathUp(pages: Pages, id: string | null): string[] {
  return id === null ? [] : [id, ...pathUp(pages, pages.get(id)?.parentId ?? null)];
}

function withAllBelow(pages: Pages, roots: readonly string[]): string[] {
  return [...pages.keys()].filter((id) => pathUp(pages, id).some((above) => roots.includes(above)));
}

function bySiblings(a: { orderKey: number; id: string }, b: { orderKey: number; id: string }): number {
  return a.orderKey - b.orderKey || (a.id < b.id ? -1 : 1);
}
