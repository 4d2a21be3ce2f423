import { closeSync, fstatSync, openSync, type Stats, statSync } from 'node:fs';
import { EspalierError } from '../../../core/kernel/errors.ts';
import { isWhole, type Meta, readMeta } from './lmdb-format.ts';
import { lmdbError } from '../store-errors.ts';

/**
 * Refuses a file that is not a store before lmdb opens it.
 *
 * @param mayBeNew whether a missing or empty file is a new store
 * @throws `store-unavailable` if the path is anything else
 */
export function expectStoreFile(path: string, mayBeNew: boolean): void {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    const isNew = found === undefined || found.size === 0;
    if (isNew && !mayBeNew) throw new EspalierError('store-unavailable', `There is no store at ${path} any more.`);
    if (found !== undefined) check(path, found);
  } catch (error) {
    throw lmdbError(error, `to open ${path}`);
  }
}

function check(path: string, found: Stats): void {
  if (!found.isFile()) throw refused(path, 'is not a file');
  if (found.size === 0) return;
  const file = openSync(path, 'r');
  try {
    for (let before: Meta | null = null; ;) {
      const meta = readMeta(file);
      if (meta === null) throw refused(path, 'is not a store, or is damaged');
      // Pages are written before the meta page that refers to them, so the size is read after the meta page.
      if (isWhole(file, fstatSync(file).size, meta)) return;
      // Another process may have written in the meantime: then check again.
      if (meta.transaction === before?.transaction) throw refused(path, 'is damaged: a part of it is missing');
      before = meta;
    }
  } finally {
    closeSync(file);
  }
}

function refused(path: string, what: string): EspalierError {
  return new EspalierError('store-unavailable', `${path} ${what}. It is left unchanged.`);
}
