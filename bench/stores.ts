import { clusterUrl, freshDatabase } from './cluster.ts';
import { copyOf } from './seeded.ts';
import { openedService, scratch, type Service } from './service.ts';
import type { Shape } from './world/shape.ts';

export type StoreName = 'memory' | 'embedded' | 'MongoDB';

export interface Place {
  readonly url: string;
  readonly dbName?: string;
}

let files = 0;

/** An empty store of a kind. Null: this machine has no MongoDB. */
export async function freshPlace(store: StoreName): Promise<Place | null> {
  if (store === 'memory') return { url: 'memory:' };
  if (store === 'embedded') return { url: `file:${scratch(`store-${(files += 1)}.db`)}` };
  const url = await clusterUrl();
  return url === null ? null : { url, dbName: freshDatabase() };
}

/** A service on an empty store of a kind. Null: this machine has no MongoDB. */
export async function serviceOn(store: StoreName): Promise<Service | null> {
  const place = await freshPlace(store);
  return place === null ? null : openedService(place.url, { dbName: place.dbName });
}

/** A service on a store of a kind that holds a world. Null: this machine has no MongoDB. */
export async function seededOn(store: StoreName, shape: Shape): Promise<Service | null> {
  if (store === 'embedded') return openedService(`file:${(await copyOf(shape)).path}`);
  const worker = await serviceOn(store);
  await worker?.call('seed', shape);
  return worker;
}
