import assert from 'node:assert/strict';
import type { Store } from '../../core/ports/store.ts';
import { onStore } from './opened.ts';
import { board, member, page, task, user, workspace } from './records.ts';
import type { StoreTarget } from './target.ts';

const WRITERS = 20;

export function isolationContract(target: StoreTarget): void {
  describe('isolation', () => {
    it(
      'a read sees one snapshot, whatever is written while it waits',
      onStore(target, async (store) => {
        const ada = user({ name: 'before' });
        await store.write((tx) => tx.users.insert(ada));
        const begun = gate();
        const written = gate();
        const reading = store.read(async (tx) => {
          const first = await tx.users.get(ada.id);
          begun.open();
          await written.opened;
          return [first, await tx.users.get(ada.id), ...(await tx.users.list('all', {}, { limit: 10 }))];
        });
        await begun.opened;
        await store.write(async (tx) => {
          await tx.users.replace({ ...ada, name: 'after' });
          await tx.users.insert(user());
        });
        const meanwhile = await store.read((tx) => tx.users.get(ada.id));
        written.open();
        assert.deepEqual(await reading, [ada, ada, ada]);
        assert.equal(meanwhile?.name, 'after');
      }),
    );

    it(
      'no read sees half of a write',
      onStore(target, async (store) => {
        const pair = [user({ name: '0' }), user({ name: '0' })] as const;
        await store.write(async (tx) => {
          for (const each of pair) await tx.users.insert(each);
        });
        const writing = { done: false };
        const readers = Array.from({ length: 4 }, async () => {
          while (!writing.done) {
            const [a, b] = await store.read(async (tx) => [
              await tx.users.get(pair[0].id),
              await tx.users.get(pair[1].id),
            ]);
            assert.equal(a?.name, b?.name);
            await turn();
          }
        });
        for (let round = 1; round <= WRITERS; round += 1) {
          await store.write(async (tx) => {
            for (const each of pair) await tx.users.replace({ ...each, name: String(round) });
          });
        }
        writing.done = true;
        await Promise.all(readers);
      }),
    );

    it(
      'no read sees what a write has not finished, and none that throws disturbs another',
      onStore(target, async (store) => {
        const [ada, bob] = [user(), user()];
        const [begun, inserted] = [gate(), gate()];
        const before = store.read(async (tx) => {
          await tx.users.list('all', {}, { limit: 1 });
          begun.open();
          await inserted.opened;
          return [
            await tx.users.get(ada.id),
            await tx.users.by({ email: ada.email }),
            ...(await tx.users.list('all', {}, { limit: 9 })),
          ];
        });
        await begun.opened;
        const during = inserted.opened.then(async () => [
          await store.read((tx) => tx.users.get(ada.id)),
          await store.write((tx) => tx.users.insert(bob)),
        ]);
        const failing = store.write(async (tx) => {
          await tx.users.insert(ada);
          inserted.open();
          for (let i = 0; i < WRITERS; i += 1) await tx.users.get(ada.id);
          throw new RangeError('after all');
        });
        await assert.rejects(failing, RangeError);
        assert.deepEqual(await before, [null, null]);
        assert.equal((await during)[0], null);
        assert.deepEqual(await store.read((tx) => tx.users.list('all', {}, { limit: 9 })), [bob]);
      }),
    );

    it(
      'a read that begins after a write was acknowledged sees it',
      onStore(target, async (store) => {
        const ada = user();
        await store.write((tx) => tx.users.insert(ada));
        for (let round = 1; round <= WRITERS; round += 1) {
          const name = String(round);
          await Promise.all([
            store.read((tx) => tx.users.get(ada.id)),
            store.write((tx) => tx.users.replace({ ...ada, name })),
          ]);
          assert.equal((await store.read((tx) => tx.users.get(ada.id)))?.name, name);
        }
      }),
    );

    it(
      'what was returned stays as it was',
      onStore(target, async (store) => {
        const { id, kanban } = await acme(store);
        const card = task(kanban, 1);
        await store.write((tx) => tx.tasks.insert(card));
        const [before, structure] = await store.read(async (tx) => [
          await tx.tasks.get(id, card.id),
          await tx.structures.get(id),
        ]);
        const members = Array.from(structure?.members() ?? []);
        await store.write(async (tx) => {
          await tx.tasks.replace({ ...card, title: 'other', assignees: ['x'] });
          const current = await tx.structures.get(id);
          assert(current);
          await tx.structures.change(current, { members: members.map((each) => ({ ...each, role: 10 })) });
        });
        assert.deepEqual(before, card);
        assert.equal(structure?.member(members[0]?.id ?? '')?.role, 40);
      }),
    );

    it(
      'concurrent changes of a structure happen one after another',
      onStore(target, async (store) => {
        const { id } = await acme(store);
        await all(WRITERS, async () =>
          store.write(async (tx) => {
            const structure = await tx.structures.get(id);
            assert(structure);
            const count = Array.from(structure.pages()).length;
            await tx.structures.change(structure, { pages: [page(id, { orderKey: count })] });
          }),
        );
        const structure = await store.read((tx) => tx.structures.get(id));
        assert.equal(structure?.revision, 1 + WRITERS);
        assert.deepEqual(
          structure?.children(null).map(({ orderKey }) => orderKey),
          Array.from({ length: WRITERS }, (_, i) => i),
        );
      }),
    );

    it(
      'running numbers are given once, later calls getting larger ones',
      onStore(target, async (store) => {
        const { id } = await acme(store);
        let acknowledged = 0;
        const given = await all(WRITERS, async (i) => {
          const before = acknowledged;
          const first = await store.write((tx) => tx.tasks.reserveNums(id, 1 + (i % 3)));
          assert(first > before);
          acknowledged = Math.max(acknowledged, first + (i % 3));
          return Array.from({ length: 1 + (i % 3) }, (_, n) => first + n);
        });
        assert.equal(new Set(given.flat()).size, given.flat().length);
      }),
    );

    it(
      'concurrent appends to a column take different places',
      onStore(target, async (store) => {
        const { id, kanban } = await acme(store);
        await all(WRITERS, async () =>
          store.write(async (tx) => {
            const num = await tx.tasks.reserveNums(id, 1);
            const card = task(kanban, num);
            const [last] = await tx.tasks.column(id, card.statusId, { descending: true, limit: 1 });
            await tx.tasks.insert({ ...card, statusOrderKey: (last?.statusOrderKey ?? 0) + 1024 });
          }),
        );
        const column = await store.read((tx) =>
          tx.tasks.column(id, kanban.statuses[0]?.id ?? '', { limit: WRITERS + 1 }),
        );
        assert.deepEqual(
          column.map(({ statusOrderKey }) => statusOrderKey),
          Array.from({ length: WRITERS }, (_, i) => (i + 1) * 1024),
        );
      }),
    );

    it(
      'a condition checked by two writers holds for only one of them',
      onStore(target, async (store) => {
        const { id } = await acme(store);
        const [a, b] = [page(id), page(id, { orderKey: 1 })];
        await store.write(async (tx) => {
          const structure = await tx.structures.get(id);
          assert(structure);
          await tx.structures.change(structure, { pages: [a, b] });
        });
        const under = (moved: typeof a, parent: typeof a) =>
          store.write(async (tx) => {
            const structure = await tx.structures.get(id);
            assert(structure);
            if (structure.page(parent.id)?.parentId === moved.id) throw new RangeError('a cycle');
            await tx.structures.change(structure, { pages: [{ ...moved, parentId: parent.id }] });
          });
        const results = await Promise.allSettled([under(a, b), under(b, a)]);
        assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
      }),
    );
  });
}

async function acme(store: Store) {
  const record = workspace();
  const kanban = board(record.id);
  await store.write(async (tx) => {
    await tx.structures.insert(record, member(record.id));
    await tx.boards.insert(kanban);
  });
  return { id: record.id, kanban };
}

function all<T>(count: number, work: (i: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, i) => work(i)));
}

function gate() {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
