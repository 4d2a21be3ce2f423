import type { Store } from '../../core/ports/store.ts';
import type { StoreTarget } from './target.ts';

/** Runs a test on a store of its own, and closes it whatever happens. */
export function onStore(target: StoreTarget, test: (store: Store) => Promise<void>): () => Promise<void> {
  return async () => {
    const store = await target.open();
    try {
      await test(store);
    } finally {
      await store.close();
    }
  };
}
