import { expect } from 'chai';
import { SHARE_OF_WRITES } from '../../../adapters/event-loop/loop-share.ts';
import { open } from 'lmdb';
import { DecodeCache } from '../../../adapters/store-embedded/encoding/decode-cache.ts';
import { keyEncoder, valueEncoder } from '../../../adapters/store-embedded/encoding/value-encoding.ts';
import { type Database, openTransaction, LmdbSnapshot } from '../../../adapters/store-embedded/lmdb/snapshot.ts';
import { TransactionCache } from '../../../adapters/store-embedded/lmdb/transaction-cache.ts';
import { WriteDraft } from '../../../adapters/store-embedded/lmdb/write-draft.ts';
import { chunks, type KvReader, prefixRange, type KvValue } from '../../../adapters/store-kv/engine/kv.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const RECORDS = 300;

describe('a scan of large records on the embedded store', () => {
  const folder = temporaryFolder();

  for (const reverse of [false, true]) {
    it(`reads few of them at once, and small ones many, in a write too${reverse ? ', backwards too' : ''}`, async () => {
      const decoded = new DecodeCache();
      const db: Database = open({
        path: `${folder}/${String(reverse)}.db`,
        noSubdir: true,
        keyEncoder,
        encoder: {
          encode: (value: KvValue) => valueEncoder.encode(value),
          decode: (bytes: Buffer) => decoded.value(bytes),
        },
      });
      const isLarge = (n: number) => n >= 100 && n < 200;
      const keyOf = (n: number) => `k${String(n).padStart(3, '0')}`;
      await db.transaction(() => {
        for (let n = 0; n < RECORDS; n += 1) db.putSync(keyOf(n), { n, text: '字'.repeat(isLarge(n) ? 40_000 : 1) });
      });
      const expectFewLarge = (reader: KvReader): void => {
        const read: number[] = [];
        const large: number[] = [];
        let most = 0;
        for (const entries of chunks(reader, prefixRange('k'), reverse, RECORDS)) {
          const numbers = entries.map(([, value]) => (value as { n: number }).n);
          read.push(...numbers);
          most = Math.max(most, numbers.length);
          large.push(numbers.filter(isLarge).length);
        }
        const expected = Array.from({ length: RECORDS }, (_, n) => n);
        expect(read).to.deep.equal(reverse ? expected.toReversed() : expected);
        expect(Math.max(...large)).to.equal(1);
        expect(most).to.be.above(100);
      };
      const reader = new LmdbSnapshot(db, db.useReadTransaction());
      expectFewLarge(reader);
      reader.end();
      await db.childTransaction(async () => {
        const draft = new WriteDraft(db, new TransactionCache(openTransaction(db)), SHARE_OF_WRITES);
        for (let n = 0; n < RECORDS; n += 7) draft.put(keyOf(n), { n, text: '' });
        expectFewLarge(draft);
      });
      await db.close();
    });
  }
});
