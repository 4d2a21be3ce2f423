import assert from 'node:assert/strict';
import type { Store } from '../../core/ports/store.ts';
import type { Page } from '../../core/model/workspace/page.ts';
import { buildStructure } from '../../core/tree/build.ts';
import type { Structure } from '../../core/model/workspace/structure.ts';
import { onStore } from './opened.ts';
import { forSeeds } from './random.ts';
import { instant, invitation, member, newId, page, user, workspace } from './records.ts';
import { rejected } from './rejected.ts';
import type { StoreTarget } from './target.ts';

export function structureContract(target: StoreTarget): void {
  describe('structures', () => {
    it(
      'begin at revision 1 with one member and no pages',
      onStore(target, async (store) => {
        const acme = workspace();
        const owner = member(acme.id);
        const made = await store.write((tx) => tx.structures.insert(acme, owner));
        for (const structure of [made, await get(store, acme.id)]) {
          assert.deepEqual(structure.workspace, acme);
          assert.equal(structure.revision, 1);
          assert.deepEqual(Array.from(structure.members()), [owner]);
          assert.deepEqual(structure.memberOfUser(owner.userId), owner);
          assert.deepEqual(Array.from(structure.pages()), []);
          assert.deepEqual(structure.children(null), []);
        }
        assert.equal(await store.read((tx) => tx.structures.get(newId())), null);
      }),
    );

    it(
      'an alias is taken once',
      onStore(target, async (store) => {
        const acme = workspace({ alias: 'acme' });
        await store.write((tx) => tx.structures.insert(acme, member(acme.id)));
        const other = workspace({ alias: 'acme' });
        await rejected(
          'alias-taken',
          store.write((tx) => tx.structures.insert(other, member(other.id))),
        );
        assert.deepEqual(await store.read((tx) => tx.workspaces.by({ alias: 'acme' })), acme);
      }),
    );

    it(
      'every change raises the revision by one, an empty one too',
      onStore(target, async (store) => {
        const acme = workspace();
        await store.write((tx) => tx.structures.insert(acme, member(acme.id)));
        await store.write(async (tx) => {
          const first = await tx.structures.get(acme.id);
          assert(first);
          const second = await tx.structures.change(first, {});
          assert.equal(second.revision, 2);
          const third = await tx.structures.change(second, { workspace: { ...acme, name: 'Renamed' } });
          assert.equal(third.revision, 3);
          assert.equal((await tx.structures.get(acme.id))?.workspace.name, 'Renamed');
        });
        assert.equal((await get(store, acme.id)).revision, 3);
        assert.equal((await store.read((tx) => tx.workspaces.by({ alias: acme.alias })))?.name, 'Renamed');
      }),
    );

    it(
      'a failed change is never seen again',
      onStore(target, async (store) => {
        const acme = workspace();
        await store.write((tx) => tx.structures.insert(acme, member(acme.id)));
        const attempt = (name: string, fail: boolean) =>
          store.write(async (tx) => {
            const structure = await tx.structures.get(acme.id);
            assert(structure);
            await tx.structures.change(structure, { pages: [page(acme.id, { name })] });
            if (fail) throw new RangeError(name);
          });
        await assert.rejects(attempt('dropped', true), RangeError);
        assert.deepEqual(Array.from((await get(store, acme.id)).pages()), []);
        await Promise.allSettled([attempt('dropped', true), attempt('kept', false), attempt('dropped', true)]);
        const after = await get(store, acme.id);
        assert.equal(after.revision, 2);
        assert.deepEqual(
          Array.from(after.pages(), ({ name }) => name),
          ['kept'],
        );
      }),
    );

    it(
      'a workspace made anew with the same id repeats no revision',
      onStore(target, async (store) => {
        const acme = workspace();
        const owner = member(acme.id);
        await store.write((tx) => tx.structures.insert(acme, owner));
        const kept = page(acme.id);
        const before = await store.write(async (tx) => {
          const structure = await tx.structures.get(acme.id);
          assert(structure);
          return tx.structures.change(structure, { pages: [kept] });
        });
        await store.write(async (tx) => {
          const structure = await tx.structures.get(acme.id);
          assert(structure);
          await tx.structures.remove(structure);
          assert.equal((await tx.structures.clear(acme.id, 9)).more, false);
        });
        const again = await store.write((tx) => tx.structures.insert(acme, owner));
        assert(again.revision > before.revision);
        assert.deepEqual(Array.from((await get(store, acme.id)).pages()), []);
      }),
    );

    it(
      'one that is removed is gone at once for everybody, and what is stored of it is cleared in parts',
      onStore(target, async (store) => {
        const acme = workspace();
        const other = workspace();
        const owner = member(acme.id);
        const [sent, elsewhere] = [invitation(acme.id, { createdById: owner.id }), invitation(other.id)];
        const top = page(acme.id);
        const pages = [top, page(acme.id, { parentId: top.id }), page(acme.id)];
        await store.write(async (tx) => {
          const structure = await tx.structures.insert(acme, owner);
          await tx.structures.change(structure, { pages });
          await tx.structures.insert(other, member(other.id, { userId: owner.userId }));
          await tx.invitations.insert(sent);
          await tx.invitations.insert(elsewhere);
        });
        await store.write(async (tx) => {
          const structure = await tx.structures.get(acme.id);
          assert(structure);
          await tx.structures.remove(structure);
          assert.equal(await tx.structures.get(acme.id), null);
        });
        await store.read(async (tx) => {
          assert.equal(await tx.structures.get(acme.id), null);
          assert.equal(await tx.workspaces.by({ alias: acme.alias }), null);
          assert.deepEqual(
            (await tx.structures.ofUser(owner.userId)).map((each) => each.workspace.id),
            [other.id],
          );
          assert.deepEqual(await tx.workspaces.list('all', {}, { limit: 10 }), [other]);
          assert.equal(await store.write((again) => again.structures.countOfUser(owner.userId, 1)), 1);
          assert.equal(await store.write((again) => again.structures.countOfUser(owner.userId, 9)), 1);
        });
        const cleared: string[] = [];
        for (let more = true, steps = 0; more; steps += 1) {
          assert(steps < 9);
          const part = await store.write((tx) => tx.structures.clear(acme.id, 2));
          cleared.push(...ids(part.pages));
          more = part.more;
        }
        assert.deepEqual(cleared.toSorted(), ids(pages).toSorted());
        await store.read(async (tx) => {
          assert.equal(await tx.invitations.get(sent.id), null);
          assert.deepEqual(
            await tx.invitations.list('pendingBy', { workspaceId: acme.id, createdById: owner.id }, { limit: 10 }),
            [],
          );
          assert.deepEqual(await tx.invitations.get(elsewhere.id), elsewhere);
        });
        assert.deepEqual(await store.write((tx) => tx.structures.stored(acme.id, ids(pages))), []);
        await store.write((tx) => tx.structures.insert(workspace({ alias: acme.alias }), owner));
      }),
    );

    it(
      'slices of the workspaces of a user leave out those that are deleted, and those they own those they do not',
      onStore(target, async (store) => {
        const ada = user();
        const spaces = Array.from({ length: 9 }, () => workspace());
        for (const [n, each] of spaces.entries()) {
          const role = n % 3 === 1 ? 20 : 40;
          await store.write((tx) => tx.structures.insert(each, member(each.id, { userId: ada.id, role })));
        }
        // Their members are still stored.
        for (const { id } of [spaces[0]!, spaces[4]!, spaces[5]!]) {
          await store.write(async (tx) => tx.structures.remove((await tx.structures.get(id))!));
        }
        const there = ids([1, 2, 3, 6, 7, 8].map((n) => spaces[n]!));
        const owned = ids([2, 3, 6, 8].map((n) => spaces[n]!));
        await store.read(async (tx) => {
          for (const limit of [1, 2, 3, 4, 9]) {
            const slices: string[][] = [[], []];
            for (let after: string | null = null; ;) {
              const part = await tx.structures.ofUser(ada.id, { after, limit });
              const some: readonly string[] = part.map((one) => one.workspace.id);
              slices[0]!.push(...some);
              if (some.length < limit) break;
              after = some.at(-1)!;
            }
            for (let after: string | null = null; ;) {
              const some: readonly string[] = await tx.structures.ownedBy(ada.id, { after, limit });
              slices[1]!.push(...some);
              if (some.length < limit) break;
              after = some.at(-1)!;
            }
            assert.deepEqual(slices, [there, owned]);
          }
        });
      }),
    );

    it(
      'a user is in the workspaces of active memberships, by workspace id',
      onStore(target, async (store) => {
        const ada = user();
        const spaces = Array.from({ length: 4 }, () => workspace());
        for (const each of spaces.toReversed()) {
          await store.write((tx) => tx.structures.insert(each, member(each.id, { userId: ada.id })));
        }
        const [first] = spaces as [(typeof spaces)[0]];
        await store.write(async (tx) => {
          const structure = await tx.structures.get(first.id);
          const own = structure?.memberOfUser(ada.id);
          assert(structure && own);
          await tx.structures.change(structure, { members: [{ ...own, active: false, leftAt: instant() }] });
        });
        await store.read(async (tx) => {
          const found = await tx.structures.ofUser(ada.id);
          assert.deepEqual(
            found.map((each) => each.workspace),
            spaces.slice(1),
          );
          const part = await tx.structures.ofUser(ada.id, { after: spaces[1]!.id, limit: 1 });
          assert.deepEqual(
            part.map((each) => each.workspace),
            spaces.slice(2, 3),
          );
          assert.deepEqual(await tx.structures.ofUser(ada.id, { after: spaces[3]!.id, limit: 1 }), []);
          assert.equal((await tx.structures.ofUser(ada.id, { limit: 9 })).length, 3);
          assert.deepEqual(await tx.structures.ownedBy(ada.id, { limit: 9 }), ids(spaces.slice(1)));
          assert.deepEqual(await tx.structures.owners([first.id]), []);
          assert.deepEqual(await tx.structures.owners([]), []);
          assert.deepEqual(await tx.structures.owners([spaces[1]!.id]), [found[0]!.member]);
          const several = await tx.structures.owners([first.id, spaces[2]!.id, spaces[1]!.id]);
          assert.deepEqual(
            new Set(several.map(({ workspaceId }) => workspaceId)),
            new Set([spaces[1]!.id, spaces[2]!.id]),
          );
          assert(found.every((each) => each.member.userId === ada.id && each.member.workspaceId === each.workspace.id));
          assert.deepEqual(await tx.workspaces.list('all', {}, { after: first.id, limit: 2 }), spaces.slice(1, 3));
        });
        assert.equal((await get(store, first.id)).memberOfUser(ada.id)?.active, false);
      }),
    );

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
        await store.write((tx) => tx.structures.forget(acme.id, all));
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

async function get(store: Store, id: string): Promise<Structure> {
  const structure = await store.read(async (tx) => {
    const found = await tx.structures.get(id);
    // A store may load lazily: what is looked at after the transaction has to be loaded in it.
    Array.from(found?.pages() ?? []);
    Array.from(found?.members() ?? []);
    return found;
  });
  assert(structure);
  return structure;
}

function ids(records: readonly { readonly id: string }[]): string[] {
  return records.map(({ id }) => id);
}
