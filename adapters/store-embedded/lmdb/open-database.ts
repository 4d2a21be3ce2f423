import { open } from 'lmdb';
import type { KvValue } from '../../store-kv/engine/kv.ts';
import { DecodeCache } from '../encoding/decode-cache.ts';
import { keyEncoder, valueEncoder } from '../encoding/value-encoding.ts';
import { LastTransaction } from '../files/last-transaction.ts';
import { lockOf } from '../files/lock-file.ts';
import { OpenedFile } from '../files/opened-file.ts';
import { createStoreFiles } from '../files/private-files.ts';
import { lmdbError } from '../store-errors.ts';
import { mapSize } from './map-size.ts';
import { type Database, expectReads } from './snapshot.ts';
import { upgradeFile } from './upgrade.ts';

const MAX_READERS = 1_000;

export interface OpenDatabase {
  readonly db: Database;
  readonly last: LastTransaction;
  readonly file: OpenedFile;
}

/**
 * Opens the file of a store, which is created if missing, and upgrades what an older release has written.
 *
 * @param fileMode permissions of created files
 * @throws `store-unavailable` if it cannot be opened or read, or was written by a newer release
 */
export function openDatabase(path: string, durable: boolean, fileMode: number): OpenDatabase {
  let db: Database | null = null;
  let last: LastTransaction | null = null;
  let file: OpenedFile | null = null;
  // Used if the file is deleted between its creation and this call; not in the types of lmdb.
  const permissions = { permissionsMode: fileMode };
  const decoded = new DecodeCache();
  try {
    createStoreFiles(path, fileMode);
    db = open({
      path,
      ...permissions,
      ...mapSize(),
      noSubdir: true,
      overlappingSync: false,
      noSync: !durable,
      maxReaders: MAX_READERS,
      keyEncoder,
      encoder: {
        encode: (value: KvValue) => valueEncoder.encode(value),
        decode: (bytes: Buffer) => decoded.value(bytes),
      },
    });
    file = new OpenedFile(path);
    last = new LastTransaction(lockOf(path), fileMode);
    last.correct(db);
    expectReads(db);
    upgradeFile(db, last);
    return { db, last, file };
  } catch (error) {
    void db?.close();
    last?.close();
    file?.close();
    throw lmdbError(error, `to open ${path}`);
  }
}
