import { PREFIX } from '../../../adapters/store-kv/engine/key-prefixes.ts';
import { StructureCache } from '../../../adapters/store-kv/structure/structure-cache.ts';
import { kvTransaction } from '../../../adapters/store-kv/transaction.ts';
import { TreeSnapshot } from '../../../adapters/store-memory/tree.ts';
import { leavesNothingBehind } from '../../fixtures/left-behind.ts';

/** After the first characters of all keys. */
const END = '\u{7f}';

describe('what is removed from memory', () => {
  let state = new TreeSnapshot();
  const cache = new StructureCache();

  leavesNothingBehind('leaves nothing behind', () => ({
    open: async () => ({
      read: (work) => work(kvTransaction(state.draft(), cache)),
      async write(work) {
        const draft = state.draft();
        const tx = kvTransaction(draft, cache);
        const result = await work(tx);
        state = draft.freeze();
        tx.structures.settle(cache);
        return result;
      },
      ready: () => Promise.resolve(),
      close: () => Promise.resolve(),
    }),
    dump: async () => {
      const all = state.draft().range({ from: '', to: END }, Infinity, false);
      return new Map([...all].map(([key, value]) => [key, JSON.stringify(value)]));
    },
    stays: [PREFIX.audit, PREFIX.loggedChange, PREFIX.job],
  }));
});
