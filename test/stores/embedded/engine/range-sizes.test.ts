import { expect } from 'chai';
import { open } from 'lmdb';
import { keyEncoder, valueEncoder } from '../../../../adapters/store-embedded/encoding/value-encoding.ts';
import { type Database, LmdbSnapshot, openTransaction } from '../../../../adapters/store-embedded/lmdb/snapshot.ts';
import type { KvReader } from '../../../../adapters/store-kv/engine/kv.ts';
import { temporaryFolder } from '../../../fixtures/temporary-folder.ts';

const KEYS = Array.from({ length: 12 }, (_, n) => `k${String(n).padStart(2, '0')}`);

type Sizes = Pick<KvReader, 'count' | 'hasMore'>;

describe('the sizes of ranges in an LMDB file', () => {
  const folder = temporaryFolder();

  it('are those of the snapshot, or of the open write transaction, also of empty ranges and up to the last key', async () => {
    const db: Database = open({ path: `${folder}/sizes.db`, noSubdir: true, keyEncoder, encoder: valueEncoder });
    await db.transaction(() => {
      for (const key of KEYS) db.putSync(key, 1);
    });
    const expectSizes = (reader: Sizes, keys: readonly string[]): void => {
      for (const from of KEYS) {
        for (const to of [...KEYS, 'l']) {
          const size = keys.filter((key) => key >= from && key < to).length;
          expect(reader.count({ from, to })).to.equal(size);
          const more = [0, 1, size - 1, size, size + 1, KEYS.length, 1_000].filter((than) => than >= 0);
          for (const than of more) expect(reader.hasMore({ from, to }, than), `${from} ${than}`).to.equal(size > than);
        }
      }
    };
    const snapshot = new LmdbSnapshot(db, db.useReadTransaction());
    expectSizes(snapshot, KEYS);
    await db.childTransaction(() => {
      const transaction = openTransaction(db);
      for (const key of KEYS.slice(4, 8)) transaction.write([key, null]);
      expectSizes(transaction, [...KEYS.slice(0, 4), ...KEYS.slice(8)]);
      expectSizes(snapshot, KEYS);
    });
    snapshot.end();
    await db.close();
  });
});
