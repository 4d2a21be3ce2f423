import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { EspalierError } from '../../core/errors.ts';

/** Where LMDB keeps what tells its files from others, in either of the first two pages. */
const MAGIC = 0xbeefc0de;
const MAGIC_AT = 24;
const PAGE_SIZE_AT = 48;
const META_END = 168;

/**
 * Refuses a file that is not a store before the engine touches it. A missing or empty one is a new store.
 *
 * @throws `store-unavailable` when the path names anything else
 */
export function expectStoreFile(path: string): void {
  const file = statSync(path, { throwIfNoEntry: false });
  if (file === undefined) return;
  if (!file.isFile()) throw refused(path, 'is not a file');
  if (file.size === 0) return;
  const head = Buffer.alloc(META_END);
  const descriptor = openSync(path, 'r');
  try {
    const read = readSync(descriptor, head, 0, META_END, 0);
    if (read < META_END || head.readUInt32LE(MAGIC_AT) !== MAGIC) throw refused(path, 'is not a store, or is damaged');
    if (file.size < 2 * head.readUInt32LE(PAGE_SIZE_AT)) throw refused(path, 'is damaged: its end is missing');
  } finally {
    closeSync(descriptor);
  }
}

function refused(path: string, what: string): EspalierError {
  return new EspalierError('store-unavailable', `${path} ${what}. It is left as it is.`);
}
