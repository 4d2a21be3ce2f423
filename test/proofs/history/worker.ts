import { embeddedStore } from '../../../adapters/store-embedded/index.ts';
import { mongodbStore } from '../../../adapters/store-mongodb/index.ts';
import type { Store } from '../../../core/ports/store.ts';
import { type ClientsOfRun, runClients, type SharedRecords } from './concurrent-clients.ts';

/** Run by fork: some of the clients of a run, in a process of their own. It sends its history when it is through. */
export interface Orders {
  readonly store: { readonly path: string } | { readonly url: string; readonly dbName: string };
  readonly shared: SharedRecords;
  readonly clients: ClientsOfRun;
}

process.once('message', ({ store: where, shared, clients }: Orders) => void work(open(where), shared, clients));

function open(where: Orders['store']): Store {
  return 'path' in where ? embeddedStore({ path: where.path }) : mongodbStore(where);
}

async function work(store: Store, shared: SharedRecords, clients: ClientsOfRun): Promise<void> {
  await store.ready();
  process.send?.('ready');
  await new Promise((resolve) => process.once('message', resolve));
  const history = await runClients(store, shared, clients);
  await store.close();
  process.send?.(history, () => process.disconnect());
}
