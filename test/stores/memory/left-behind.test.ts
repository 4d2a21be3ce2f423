import { PREFIX } from '../../../adapters/store-kv/engine/key-prefixes.ts';
import { leavesNothingBehind } from '../../fixtures/suite/left-behind.ts';
import { treeStore } from '../../fixtures/store/tree-store.ts';

/** After the first characters of all keys. */
const END = '\u{7f}';

describe('what is removed from memory', () => {
  const store = treeStore();

  leavesNothingBehind('leaves nothing behind', () => ({
    open: async () => store,
    dump: async () => {
      const all = store.committed().range({ from: '', to: END }, Infinity, false);
      return new Map([...all].map(([key, value]) => [key, JSON.stringify(value)]));
    },
    stays: [PREFIX.audit, PREFIX.loggedChange, PREFIX.job],
  }));
});
