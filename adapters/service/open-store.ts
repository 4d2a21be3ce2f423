import { EspalierError } from '../../core/kernel/errors.ts';
import type { Store } from '../../core/ports/store.ts';
import type { MongodbStore } from '../store-mongodb/index.ts';

export const DEFAULT_STORE = 'file:espalier.db';

/** A store that several processes share may bring a limiter that counts for all of them. */
export type OpenedStore = Store & Partial<Pick<MongodbStore, 'limiter'>>;

/**
 * Opens the store that a URL names. Only the adapter asked for is loaded.
 *
 * @param url `memory:`, `file:PATH`, `mongodb://...` or `mongodb+srv://...`
 * @throws `invalid-input` for another kind of URL
 * @throws `store-unavailable` when it cannot be opened
 */
export async function openStore(url: string): Promise<OpenedStore> {
  if (url === 'memory:') return (await import('../store-memory/index.ts')).memoryStore();
  if (url.startsWith('file:')) {
    const path = url.slice('file:'.length);
    if (path !== '') return (await import('../store-embedded/index.ts')).embeddedStore({ path });
  }
  if (/^mongodb(\+srv)?:\/\//.test(url)) return (await import('../store-mongodb/index.ts')).mongodbStore({ url });
  throw new EspalierError(
    'invalid-input',
    `No store can be opened at ${JSON.stringify(url)}: use memory:, file:PATH or mongodb://...`,
  );
}
