import { expect } from 'chai';
import type { Database } from '../../../../adapters/store-embedded/lmdb/snapshot.ts';
import { TransactionCache } from '../../../../adapters/store-embedded/lmdb/transaction-cache.ts';
import { WriteDraft } from '../../../../adapters/store-embedded/lmdb/write-draft.ts';
import type { KvReader } from '../../../../adapters/store-kv/engine/kv.ts';

const EMPTY: KvReader = { get: () => undefined, range: () => [], count: () => 0 };
const CHANGES = 5_000;
/** Changes that are written without a turn of the event loop between, each of a task with a long text at most. */
const MOST = 256;

describe('the draft of a large write', () => {
  it('is written to the transaction a few changes at a time, and the last ones at its end', async () => {
    const db = { childTransaction: async (work: () => Promise<unknown>) => work() } as unknown as Database;
    let written = 0;
    const cache = new TransactionCache({ ...EMPTY, write: () => void (written += 1) });
    const draft = new WriteDraft(db, cache);
    let most = 0;
    for (let n = 0; n < CHANGES; n += 1) {
      const before = written;
      if (n % 3 === 0) draft.remove(`${n}`);
      else draft.put(`${n}`, 'value');
      most = Math.max(most, written - before);
    }
    most = Math.max(most, CHANGES - written);
    await draft.apply();
    expect(written).to.equal(CHANGES);
    expect(most).to.be.at.most(MOST);
  });
});
