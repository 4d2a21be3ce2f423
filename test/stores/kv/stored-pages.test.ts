import { expect } from 'chai';
import { LoopShare } from '../../../adapters/event-loop/loop-share.ts';
import type { Kv } from '../../../adapters/store-kv/engine/kv.ts';
import { StructureCache } from '../../../adapters/store-kv/structure/structure-cache.ts';
import { kvTransaction } from '../../../adapters/store-kv/transaction.ts';
import { TreeSnapshot } from '../../../adapters/store-memory/tree.ts';
import type { StructureRepository } from '../../../core/ports/structures.ts';
import { member, page, workspace } from '../../contract/records.ts';

const PAGES = 500;
/** Reads between two looks at the clock. */
const READS = 32;

describe('stored pages that are out of reach', () => {
  const acme = workspace();
  const top = page(acme.id);
  const rows = Array.from({ length: PAGES }, (_, n) => page(acme.id, { parentId: top.id, orderKey: n }));
  const ids = rows.map(({ id }) => id);

  const reading: Readonly<Record<string, (structures: StructureRepository) => Promise<readonly unknown[]>>> = {
    'by their ids': (structures) => structures.stored(acme.id, ids),
    'below a page': (structures) => structures.storedChildren(acme.id, top.id, null, PAGES),
    'below many pages': (structures) => structures.storedBelow(acme.id, [...ids, top.id], PAGES),
  };

  for (const [name, read] of Object.entries(reading)) {
    it(`are read ${name} in steps`, async () => {
      const draft = new TreeSnapshot().draft();
      const writer = kvTransaction(draft, new StructureCache());
      await writer.structures.change(await writer.structures.insert(acme, member(acme.id)), { pages: [top, ...rows] });
      const seen = { reads: 0, most: 0 };
      const look = (): number => {
        seen.most = Math.max(seen.most, seen.reads);
        seen.reads = 0;
        return 0;
      };
      const count = <R>(result: R): R => {
        seen.reads += 1;
        return result;
      };
      const counted = {
        get: (key: string) => count(draft.get(key)),
        range: (...[range, limit, reverse]: Parameters<Kv['range']>) => count(draft.range(range, limit, reverse)),
        chunk: (...[range, limit, reverse]: Parameters<Kv['chunk']>) => count(draft.chunk(range, limit, reverse)),
        count: (range: Parameters<Kv['count']>[0]) => count(draft.count(range)),
      } as Kv;
      const share = new LoopShare({ now: look, nextTurn: () => undefined });
      const { structures } = kvTransaction(counted, new StructureCache(), share);
      expect(await read(structures)).to.have.length(PAGES);
      look();
      expect(seen.most).to.be.within(1, 2 * READS);
    });
  }
});
