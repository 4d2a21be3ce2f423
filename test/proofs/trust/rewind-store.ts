import { readOnly } from '../../../adapters/store-kv/engine/kv.ts';
import { StructureCache } from '../../../adapters/store-kv/structure/structure-cache.ts';
import { kvTransaction } from '../../../adapters/store-kv/transaction.ts';
import { TreeSnapshot } from '../../../adapters/store-memory/tree.ts';
import type { Store } from '../../../core/ports/store.ts';

/** A memory store that can be taken back to a former state, for nothing. */
export interface RewindStore extends Store {
  /** The state. It is the same object exactly as long as nothing has been written. */
  state(): TreeSnapshot;
  rewind(state: TreeSnapshot): void;
}

export function rewindStore(): RewindStore {
  let state = new TreeSnapshot();
  /** By state: two futures of one state have the same revision numbers. */
  const caches = new WeakMap([[state, new StructureCache()]]);
  const cache = () => caches.get(state)!;
  let last: Promise<unknown> = Promise.resolve();
  return {
    state: () => state,
    rewind(to) {
      state = to;
    },
    read: async (work) => work(kvTransaction(readOnly(state), cache())),
    write(work) {
      const result = last.then(async () => {
        const draft = state.draft();
        const tx = kvTransaction(draft, cache());
        const done = await work(tx);
        state = draft.freeze();
        caches.set(state, new StructureCache());
        tx.structures.settle(cache());
        return done;
      });
      last = result.catch(() => undefined);
      return result;
    },
    ready: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}
