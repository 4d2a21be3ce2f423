import { expect } from 'chai';
import { embeddedStore } from '../../../adapters/store-embedded/index.ts';
import { WholeStructureNeeded } from '../../../adapters/store-kv/structure/lazy-structure.ts';
import { StructureCache } from '../../../adapters/store-kv/structure/structure-cache.ts';
import { kvTransaction } from '../../../adapters/store-kv/transaction.ts';
import { TreeSnapshot } from '../../../adapters/store-memory/tree.ts';
import type { ReadTransaction, Store } from '../../../core/ports/store.ts';
import type { Structure } from '../../../core/model/workspace/structure.ts';
import { member, page, workspace } from '../../contract/records.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

/** More than are read one by one. */
const MANY = 1_100;

describe('a structure of which more is asked for than is read one by one', () => {
  const folder = temporaryFolder();
  const acme = workspace();
  const owner = member(acme.id);
  const top = page(acme.id);
  const nested = Array.from({ length: MANY }, (_, i) => page(acme.id, { parentId: top.id, orderKey: i }));

  const asking: Readonly<Record<string, (structure: Structure) => unknown>> = {
    'all pages': (structure) => structure.pages(),
    'all members': (structure) => structure.members(),
    'more children than that': (structure) => structure.children(top.id),
    'the tasks that go with removed pages': (structure) => structure.removedTasks(),
  };

  it('gives up what works on single records', async () => {
    const draft = new TreeSnapshot().draft();
    const writer = kvTransaction(draft, new StructureCache());
    await writer.structures.change(await writer.structures.insert(acme, owner), { pages: [top, ...nested] });
    for (const [name, ask] of Object.entries(asking)) {
      const lazy = (await kvTransaction(draft, new StructureCache()).structures.get(acme.id))!;
      expect(lazy.children(null), name).to.deep.equal([top]);
      expect(() => ask(lazy), name).to.throw(WholeStructureNeeded);
    }
  });

  const store = async (name: string): Promise<Store> => {
    const path = `${folder}/${name}.db`;
    const first = embeddedStore({ path });
    await first.write(async (tx) => {
      await tx.structures.change(await tx.structures.insert(acme, owner), { pages: [top, ...nested] });
    });
    await first.close();
    return embeddedStore({ path });
  };

  it('is loaded, and the read runs again', async () => {
    for (const [n, ask] of Object.values(asking).entries()) {
      const cold = await store(`read-${n}`);
      let runs = 0;
      const count = async (tx: ReadTransaction) => {
        runs += 1;
        const structure = (await tx.structures.get(acme.id))!;
        return ask(structure) === undefined ? 0 : structure.children(top.id).length;
      };
      expect(await cold.read(count)).to.equal(MANY);
      expect(runs).to.equal(2);
      await cold.close();
    }
  });

  it('is loaded outside of writes that ask again for its workspace, so that others write meanwhile', async () => {
    const cold = await store('again');
    const turns: string[] = [];
    const write = (name: string, work: (structure: Structure) => void) =>
      cold.write(async (tx) => {
        turns.push(name);
        work((await tx.structures.get(acme.id))!);
      });
    await write('first', (structure) => structure.page(top.id));
    const second = write('second', (structure) => structure.page(top.id));
    const other = cold.write(async () => void turns.push('other'));
    await Promise.all([second, other]);
    expect(turns).to.deep.equal(['first', 'second', 'other', 'second']);
    await cold.close();
  });

  it('is loaded outside of writes, and a write that needed it happens once', async () => {
    const cold = await store('write');
    let runs = 0;
    let others = 0;
    const writing = cold.write(async (tx) => {
      runs += 1;
      const structure = (await tx.structures.get(acme.id))!;
      await tx.structures.change(structure, { pages: [page(acme.id, { name: `run ${runs}` })] });
      return [...(await tx.structures.get(acme.id))!.pages()].length;
    });
    const other = cold.write(async (tx) => {
      others += 1;
      await tx.activity.touch(owner.id, '2026-01-01T00:00:00.000Z');
    });
    await other;
    expect(await writing).to.equal(MANY + 2);
    expect(others).to.equal(1);
    const names = await cold.read(async (tx) =>
      [...(await tx.structures.get(acme.id))!.pages()].filter(({ name }) => name.startsWith('run')),
    );
    expect(names.map(({ name }) => name)).to.deep.equal([`run ${runs}`]);
    await cold.close();
  });
});
