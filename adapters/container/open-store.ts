import { EspalierError } from '../../core/errors.ts';
import type { Store } from '../../core/store.ts';

export const DEFAULT_STORE = 'file:espalier.db';

/**
 * Opens the store that a URL names. Only the adapter asked for is loaded.
 *
 * @param url `memory:`, `file:PATH`, `mongodb://...` or `mongodb+srv://...`
 * @throws `invalid-input` for another kind of URL
 * @throws `store-unavailable` when it cannot be opened
 */
export async function openStore(url: string): Promise<Store> {
  if (url === 'memory:') return (await import('../memory/index.ts')).memoryStore();
  if (url.startsWith('file:')) {
    const path = url.slice('file:'.length);
    if (path !== '') return (await import('../embedded/index.ts')).embeddedStore({ path });
  }
  throw new EspalierError(
    'invalid-input',
    `No store can be opened at ${JSON.stringify(url)}: use memory:, file:PATH or mongodb://...`,
  );
}
