import { assert, expect } from 'chai';
import { memoryStore } from '../../../adapters/store-memory/index.ts';
import { StructureCache } from '../../../adapters/store-kv/structure/structure-cache.ts';
import { kvTransaction } from '../../../adapters/store-kv/transaction.ts';
import type { KvReader } from '../../../adapters/store-kv/engine/kv.ts';
import { TreeSnapshot } from '../../../adapters/store-memory/tree.ts';
import { countedTurns, countingKvStore } from '../../fixtures/store/counting-kv-store.ts';
import { member, page, workspace } from '../../contract/records.ts';
import { rejected } from '../../contract/rejected.ts';

const PAGES = 300;

describe('structures in a key-value store', () => {
  it('are not changed from an old revision', async () => {
    const store = memoryStore();
    const acme = workspace();
    const first = await store.write((tx) => tx.structures.insert(acme, member(acme.id)));
    await store.write((tx) => tx.structures.change(first, {}));
    await rejected(
      'store-busy',
      store.write((tx) => tx.structures.change(first, {})),
    );
  });

  it('are not loaded to answer about one page, but kept whole by a process that asks again', async () => {
    const acme = workspace();
    const top = page(acme.id);
    const child = page(acme.id, { parentId: top.id });
    const draft = new TreeSnapshot().draft();
    const writer = kvTransaction(draft, new StructureCache());
    const empty = await writer.structures.insert(acme, member(acme.id));
    const others = Array.from({ length: PAGES }, () => page(acme.id, { parentId: child.id }));
    await writer.structures.change(empty, { pages: [top, child, ...others] });

    const counted = new CountingReader(draft);
    const cache = new StructureCache();
    const ask = async (): Promise<number> => {
      counted.read = 0;
      const tx = kvTransaction({ ...refusing, ...counted.asReader() }, cache);
      const structure = await tx.structures.get(acme.id);
      expect(structure?.page(child.id)).to.deep.equal(child);
      expect(structure?.children(top.id)).to.deep.equal([child]);
      return counted.read;
    };
    assert((await ask()) < PAGES / 2, 'the first time reads what is asked for');
    assert((await ask()) > PAGES, 'the second time reads all');
    assert((await ask()) < 3, 'from then on only the revision is read');
  });

  it('let others run while very many pages change', async () => {
    const asked = { got: [], put: [] };
    const { share, longest } = countedTurns(asked);
    const store = countingKvStore(asked, share);
    const acme = workspace();
    const empty = await store.write((tx) => tx.structures.insert(acme, member(acme.id)));
    const pages = Array.from({ length: PAGES * 20 }, () => page(acme.id));
    await store.write((tx) => tx.structures.change(empty, { pages }));
    expect(longest()).to.be.below(PAGES * 5);
  });

  it('are not kept of a workspace that is removed', async () => {
    const acme = workspace();
    const draft = new TreeSnapshot().draft();
    const cache = new StructureCache();
    const made = kvTransaction(draft, cache);
    const structure = await made.structures.insert(acme, member(acme.id));
    made.structures.settle(cache);
    expect(cache.get(acme.id, structure.revision)).to.equal(structure);
    const removed = kvTransaction(draft, cache);
    await removed.structures.remove(structure);
    removed.structures.settle(cache);
    expect(cache.get(acme.id, structure.revision)).to.equal(undefined);
  });
});

const refuse = (): never => expect.fail('nothing is written');
const refusing = { put: refuse, putNew: refuse, remove: refuse };

/** Counts the entries that were read. */
class CountingReader {
  read = 0;
  readonly #kv: KvReader;

  constructor(kv: KvReader) {
    this.#kv = kv;
  }

  asReader(): KvReader {
    return {
      get: (key) => {
        this.read += 1;
        return this.#kv.get(key);
      },
      range: (range, limit, reverse) => {
        const entries = this.#kv.range(range, limit, reverse);
        this.read += entries.length;
        return entries;
      },
      chunk: (range, limit, reverse) => {
        const chunk = this.#kv.chunk(range, limit, reverse);
        this.read += chunk.entries.length;
        return chunk;
      },
      count: (range) => this.#kv.count(range),
      hasMore: (range, than) => this.#kv.hasMore(range, than),
    };
  }
}
