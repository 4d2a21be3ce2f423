import assert from 'node:assert/strict';
import type { Store } from '../../core/ports/store.ts';
import type { Structure } from '../../core/model/workspace/structure.ts';
import { onStore } from './opened.ts';
import { instant, member, newId, page, user, workspace } from './records.ts';
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
      'one that the caller holds is given back, unless it has changed or is of another workspace',
      onStore(target, async (store) => {
        const [acme, other] = [workspace(), workspace()];
        const held = await store.write((tx) => tx.structures.insert(acme, member(acme.id)));
        await store.write((tx) => tx.structures.insert(other, member(other.id)));
        assert.equal(await store.read((tx) => tx.structures.get(acme.id, held)), held);
        assert.deepEqual((await store.read((tx) => tx.structures.get(other.id, held)))?.workspace, other);
        await store.write(async (tx) => {
          assert.equal(await tx.structures.get(acme.id, held), held);
          const next = await tx.structures.change(held, { pages: [page(acme.id)] });
          assert.equal((await tx.structures.get(acme.id, held))?.revision, next.revision);
        });
        const after = await store.read((tx) => tx.structures.get(acme.id, held));
        assert.deepEqual([after?.revision, Array.from(after?.pages() ?? []).length], [held.revision + 1, 1]);
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
          assert.equal((await tx.structures.clear(acme.id, null, 9)).next, null);
        });
        await rejected(
          'store-busy',
          store.write((tx) => tx.structures.change(before, { pages: [page(acme.id)] })),
        );
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
        const top = page(acme.id);
        const pages = [top, page(acme.id, { parentId: top.id }), page(acme.id)];
        await store.write(async (tx) => {
          const structure = await tx.structures.insert(acme, owner);
          await tx.structures.change(structure, { pages });
          await tx.structures.insert(other, member(other.id, { userId: owner.userId }));
          assert.equal(await tx.structures.countOfUser(owner.userId, 9), 2);
        });
        await store.write(async (tx) => {
          const structure = await tx.structures.get(acme.id);
          assert(structure);
          await tx.structures.remove(structure);
          assert.equal(await tx.structures.get(acme.id), null);
          assert.equal(await tx.structures.countOfUser(owner.userId, 9), 1);
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
        let all = 0;
        for (let from: string | null = null, steps = 0; from !== null || steps === 0; steps += 1) {
          assert(steps < 9);
          const { removed, next } = await store.write((tx) => tx.structures.clear(acme.id, from, 2));
          assert(removed <= 2);
          all += removed;
          from = next;
        }
        assert.equal(all, 1 + pages.length);
        assert.notEqual(await get(store, other.id), null);
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
              if (some.length < limit || slices.flat().length > 2 * spaces.length) break;
              after = some.at(-1)!;
            }
            for (let after: string | null = null; ;) {
              const some: readonly string[] = await tx.structures.ownedBy(ada.id, { after, limit });
              slices[1]!.push(...some);
              if (some.length < limit || slices.flat().length > 2 * spaces.length) break;
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
  });
}

/** A structure, loaded as a whole. */
export async function get(store: Store, id: string): Promise<Structure> {
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

export function ids(records: readonly { readonly id: string }[]): string[] {
  return records.map(({ id }) => id);
}
