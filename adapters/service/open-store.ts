import { statSync } from 'node:fs';
import { EspalierError, invalid } from '../../core/kernel/errors.ts';
import { A_BOOLEAN, numberFrom, type OptionRule, requireOptions } from '../../core/kernel/options.ts';
import type { Store } from '../../core/ports/store.ts';
import type { EmbeddedStore } from '../store-embedded/index.ts';
import type { MongodbStore } from '../store-mongodb/index.ts';
import { withoutPassword } from './store-url.ts';

/** The default store of `espalier serve`: a file in the current folder. */
export const DEFAULT_STORE = 'file:espalier.db';

/** An open store. One that several processes share may have a rate limiter that counts for all of them; one in a file can be copied. */
export type OpenedStore = Store & Partial<Pick<MongodbStore, 'limiter'> & Pick<EmbeddedStore, 'backup'>>;

/** Options to open a store of any kind. */
export interface OpenOptions {
  /** Permissions of the files that an embedded store creates. Default 0600. */
  readonly fileMode?: number;
  /** Whether other processes forward their writes on an embedded store to this one, see `embeddedStore`. Default false. */
  readonly writesForOthers?: boolean;
  /** The time limit of a MongoDB server for one query, in milliseconds. Default 10,000. */
  readonly queryTimeout?: number;
  /** Do not create a store: if there is none, this call, or the first use of a MongoDB store, throws. Default false. */
  readonly mustExist?: boolean;
}

const RULES: Readonly<Record<keyof OpenOptions, OptionRule>> = {
  fileMode: numberFrom(0, 0o777),
  writesForOthers: A_BOOLEAN,
  queryTimeout: numberFrom(1),
  mustExist: A_BOOLEAN,
};

/**
 * Opens the store at a URL. Only its adapter is loaded.
 *
 * @param url `memory:`, `file:PATH`, `mongodb://...` or `mongodb+srv://...`
 * @throws `invalid-input` for another kind of URL, and for options that are unknown or of another form
 * @throws `store-unavailable` if it cannot be opened
 * @throws `not-found` if it must exist and does not
 */
export async function openStore(url: string, options: OpenOptions = {}): Promise<OpenedStore> {
  if (typeof (url as unknown) !== 'string')
    throw invalid('/url', 'must be a string: memory:, file:PATH or mongodb://...');
  requireOptions(options, RULES);
  const { fileMode, writesForOthers = false, queryTimeout, mustExist = false } = options;
  if (url === 'memory:') return (await import('../store-memory/index.ts')).memoryStore();
  if (url.startsWith('file:')) {
    const path = url.slice('file:'.length);
    if (path !== '') {
      if (mustExist && isNoStore(path)) throw new EspalierError('not-found', `There is no store at ${path}.`);
      const { embeddedStore } = await import('../store-embedded/index.ts');
      return embeddedStore({ path, writesForOthers, ...(fileMode !== undefined && { fileMode }) });
    }
  }
  if (/^mongodb(\+srv)?:\/\//.test(url)) {
    return (await import('../store-mongodb/index.ts')).mongodbStore({
      url,
      mustExist,
      ...(queryTimeout !== undefined && { queryTimeout }),
    });
  }
  throw new EspalierError(
    'invalid-input',
    `No store can be opened at ${JSON.stringify(withoutPassword(url))}: use memory:, file:PATH or mongodb://...`,
  );
}

/** An empty file counts as no store: opening would create one in it. */
function isNoStore(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0;
}
