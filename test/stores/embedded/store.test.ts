import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { embeddedStore } from '../../../adapters/store-embedded/index.ts';
import type { Store } from '../../../core/ports/store.ts';
import { storeContract } from '../../contract/index.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

/** ESPALIER_RUNS: how often each random test is run. */
const runs = Number(process.env['ESPALIER_RUNS'] ?? 10);

const folder = temporaryFolder();
const paths = new WeakMap<Store, string>();

storeContract({
  name: 'embedded',
  open: async () => openAt(join(folder, `${randomUUID()}.db`)),
  reopen: async (store) => {
    await store.close();
    return openAt(pathOf(store));
  },
  peer: async (store) => openAt(pathOf(store)),
  runs,
});

function openAt(path: string): Store {
  const store = embeddedStore({ path });
  paths.set(store, path);
  return store;
}

function pathOf(store: Store): string {
  return paths.get(store) ?? '';
}
