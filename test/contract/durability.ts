import assert from 'node:assert/strict';
import type { Store } from '../../core/ports/store.ts';
import { board, member, newId, page, task, user, workspace } from './records.ts';
import type { StoreTarget } from './target.ts';

export function durabilityContract(target: StoreTarget): void {
  const { reopen, peer } = target;

  if (reopen !== undefined) {
    it('what was acknowledged is there when the store is opened again', async () => {
      const all = everything();
      const first = await target.open();
      await fill(first, all);
      const second = await reopen(first);
      try {
        await expectAll(second, all);
        assert.equal(await second.write((tx) => tx.tasks.reserveNums(all.acme.id, 1)), 2);
      } finally {
        await second.close();
      }
    });

    it('pages of a large tree are there, and others are not, for the first who asks behind that', async () => {
      const acme = workspace();
      const chain: ReturnType<typeof page>[] = [];
      for (let i = 0; i < 100; i += 1) chain.push(page(acme.id, { parentId: chain.at(-1)?.id ?? null }));
      const gone = chain.slice(90);
      const first = await target.open();
      await first.write(async (tx) => {
        const made = await tx.structures.insert(acme, member(acme.id));
        const structure = await tx.structures.change(made, { pages: chain });
        await tx.structures.change(structure, { removedPages: gone.map(({ id }) => id) });
      });
      const second = await reopen(first);
      try {
        await second.read(async (tx) => {
          const structure = await tx.structures.get(acme.id);
          assert(structure);
          assert.equal(structure.page(newId()), undefined);
          for (const { id } of gone.toReversed()) assert.equal(structure.page(id), undefined);
          for (const { id } of gone) assert.deepEqual(structure.children(id), []);
          for (const each of chain.slice(0, 90).toReversed())
            assert.deepEqual(asJson(structure.page(each.id)), asJson(each));
          assert.deepEqual(structure.children(chain[89]!.id), []);
          assert.deepEqual(asJson(structure.children(chain[88]!.id)), asJson([chain[89]]));
        });
      } finally {
        await second.close();
      }
    });
  }

  if (peer !== undefined) {
    it('what one handle acknowledged, the other sees at once, structures and all', async () => {
      const all = everything();
      const one = await target.open();
      const other = await peer(one);
      try {
        await other.read((tx) => tx.users.get(all.ada.id));
        await fill(one, all);
        await expectAll(other, all);
        for (let round = 2; round < 12; round += 1) {
          const [writer, reader] = round % 2 === 0 ? [one, other] : [other, one];
          const written = await writer.write(async (tx) => {
            const structure = await tx.structures.get(all.acme.id);
            assert(structure);
            return tx.structures.change(structure, { pages: [page(all.acme.id, { orderKey: round })] });
          });
          await reader.read(async (tx) => {
            const structure = await tx.structures.get(all.acme.id);
            assert.equal(structure?.revision, written.revision);
            assert.equal(structure.children(null).length, round);
          });
        }
      } finally {
        await other.close();
        await one.close();
      }
    });
  }
}

function everything() {
  const ada = user();
  const acme = workspace();
  const kanban = board(acme.id);
  return {
    ada,
    acme,
    owner: member(acme.id, { userId: ada.id }),
    kanban,
    card: task(kanban, 1, { title: 'Zoë 🌱 \u2028 "quoted" \\ tab\t', statusOrderKey: -5, externalId: 'Ü' }),
    top: page(acme.id, { entries: { [ada.id]: { level: 300, membership: 2 } }, orderKey: -3 }),
  };
}

async function fill(
  store: Store,
  { ada, acme, owner, kanban, card, top }: ReturnType<typeof everything>,
): Promise<void> {
  await store.write(async (tx) => {
    await tx.users.insert(ada);
    const structure = await tx.structures.insert(acme, owner);
    await tx.structures.change(structure, { pages: [top] });
    await tx.boards.insert(kanban);
    await tx.tasks.reserveNums(acme.id, 1);
    await tx.tasks.insert(card);
  });
}

async function expectAll(store: Store, all: ReturnType<typeof everything>): Promise<void> {
  const { ada, acme, owner, kanban, card, top } = all;
  await store.read(async (tx) => {
    assert.deepEqual(await tx.users.by({ email: ada.email }), ada);
    assert.deepEqual(await tx.structures.ofUser(ada.id), [{ workspace: acme, member: owner }]);
    const structure = await tx.structures.get(acme.id);
    assert.equal(structure?.revision, 2);
    assert.deepEqual(asJson(structure.page(top.id)), asJson(top));
    assert.deepEqual(await tx.boards.get(acme.id, kanban.id), kanban);
    assert.deepEqual(await tx.tasks.byExternalId(acme.id, 'Ü'), card);
    assert.deepEqual(await tx.tasks.column(acme.id, card.statusId, { limit: 2 }), [card]);
  });
}

/** Compared as JSON, which a record is. */
function asJson(record: unknown): unknown {
  return JSON.parse(JSON.stringify(record));
}
