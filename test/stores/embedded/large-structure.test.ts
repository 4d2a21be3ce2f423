import { expect } from 'chai';
import { embeddedStore } from '../../../adapters/store-embedded/index.ts';
import { board, member, page, tag, workspace } from '../../contract/records.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const PAGES = 20_000;

describe('a large structure on the embedded store', () => {
  const folder = temporaryFolder();

  it('is loaded in steps between which others run, once for all that ask at the same time', async () => {
    const path = `${folder}/large.db`;
    const acme = workspace();
    const pages = Array.from({ length: PAGES }, (_, i) => page(acme.id, { orderKey: i }));
    const first = embeddedStore({ path });
    await first.write(async (tx) => {
      const structure = await tx.structures.insert(acme, member(acme.id));
      await tx.structures.change(structure, { pages });
    });
    await first.close();

    const store = embeddedStore({ path });
    // The first to ask reads single records.
    await store.read((tx) => tx.structures.get(acme.id));
    let [turns, isLoading] = [0, true];
    const count = (): void => {
      turns += 1;
      if (isLoading) setImmediate(count);
    };
    const load = () => store.read((tx) => tx.structures.get(acme.id));
    const loading = Promise.all([load(), load(), load()]);
    setImmediate(count);
    const structures = await loading;
    isLoading = false;
    expect(turns).to.be.at.least(4);
    expect([...structures[0]!.pages()]).to.have.length(PAGES);
    expect(new Set(structures).size).to.equal(1);
    await store.close();
  });
});

describe('a record of more than 16 MiB on the embedded store', () => {
  const folder = temporaryFolder();

  it('is read as it was written, once and again', async () => {
    const path = `${folder}/record.db`;
    const { id } = workspace();
    const metadata = { text: 'x'.repeat(8_000) };
    const large = board(id, { tags: Array.from({ length: 2_200 }, (_, n) => tag({ name: `${n}`, metadata })) });
    const first = embeddedStore({ path });
    await first.write((tx) => tx.boards.insert(large));
    await first.close();

    const store = embeddedStore({ path });
    for (let i = 0; i < 3; i += 1) {
      expect(await store.read((tx) => tx.boards.get(id, large.id))).to.deep.equal(large);
    }
    await store.write((tx) => tx.boards.replace({ ...large, name: 'Renamed', version: large.version + 1 }));
    expect((await store.read((tx) => tx.boards.get(id, large.id)))?.name).to.equal('Renamed');
    await store.close();
  });
});
