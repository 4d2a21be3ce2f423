import { embeddedStore } from '../../../adapters/store-embedded/index.ts';
import { mongodbStore } from '../../../adapters/store-mongodb/index.ts';
import type { Store } from '../../../core/ports/store.ts';
import { type Crowd, perform, type Scene } from './crowd.ts';

/** Run by fork: some of the clients of a run, in a process of their own. It sends its history when it is through. */
export interface Orders {
  readonly store: { readonly path: string } | { readonly url: string; readonly dbName: string };
  readonly scene: Scene;
  readonly crowd: Crowd;
}

process.once('message', ({ store: where, scene, crowd }: Orders) => void work(open(where), scene, crowd));

function open(where: Orders['store']): Store {
  return 'path' in where ? embeddedStore({ path: where.path }) : mongodbStore(where);
}

async function work(store: Store, scene: Scene, crowd: Crowd): Promise<void> {
  await store.ready();
  process.send?.('ready');
  await new Promise((resolve) => process.once('message', resolve));
  const history = await perform(store, scene, crowd);
  await store.close();
  process.send?.(history, () => process.disconnect());
}
