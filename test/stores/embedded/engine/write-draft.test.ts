import { expect } from 'chai';
import { countBytes } from '../../../../adapters/event-loop/counted-bytes.ts';
import type { Share } from '../../../../adapters/event-loop/loop-share.ts';
import { BYTES_BETWEEN_CHECKS } from '../../../../adapters/event-loop/yielder.ts';
import type { Database } from '../../../../adapters/store-embedded/lmdb/snapshot.ts';
import { TransactionCache } from '../../../../adapters/store-embedded/lmdb/transaction-cache.ts';
import { WriteDraft } from '../../../../adapters/store-embedded/lmdb/write-draft.ts';
import type { KvReader } from '../../../../adapters/store-kv/engine/kv.ts';

const EMPTY: KvReader = {
  get: () => undefined,
  range: () => [],
  chunk: () => ({ entries: [], end: null }),
  count: () => 0,
  hasMore: () => false,
};
const CHANGES = 5_000;

describe('the draft of a large write', () => {
  function opened(share: Share, bytes: number) {
    const db = { childTransaction: async (work: () => Promise<unknown>) => work() } as unknown as Database;
    const seen = { written: 0 };
    const write = (): void => {
      seen.written += 1;
      countBytes(bytes);
    };
    return { draft: new WriteDraft(db, new TransactionCache({ ...EMPTY, write }), share), seen };
  }

  it('is written to the transaction as it grows: with each change one at most', async () => {
    const { draft, seen } = opened({ isOver: () => false, next: async () => {} }, 1);
    for (let n = 0; n < CHANGES; n += 1) {
      const before = seen.written;
      if (n % 3 === 0) draft.remove(`${n}`);
      else draft.put(`${n}`, 'value');
      expect(seen.written - before).to.be.at.most(1);
    }
    expect(seen.written).to.be.above(CHANGES / 2);
    await draft.apply();
    expect(seen.written).to.equal(CHANGES);
  });

  it('lets others run between large records that are written at its end', async () => {
    const atTurns: number[] = [];
    const next = async (): Promise<void> => void atTurns.push(seen.written);
    const { draft, seen } = opened({ isOver: () => true, next }, BYTES_BETWEEN_CHECKS);
    for (let n = 0; n < 10; n += 1) draft.put(`${n}`, { n });
    expect(seen.written).to.equal(0);
    await draft.apply();
    expect(atTurns).to.deep.equal([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });
});
