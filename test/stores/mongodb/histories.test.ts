import { expect } from 'chai';
import { MAX_ENTRIES } from '../../../core/model/log/history-entry.ts';
import { isCountedAt } from '../../../adapters/store-mongodb/records/change-log.ts';
import { newChange, newId } from '../../contract/records.ts';
import { emptyMongodbStore, mongodbUrl, rawDatabase } from '../../fixtures/mongodb.ts';

/** Entries beyond the bound that were never counted. */
const BEYOND = 1_500;
/** What a count reads and removes beside the entries that there may be: a chunk of each. */
const CHUNKS = 2 * 512;

describe('a history on MongoDB whose writer keeps its entries from being counted', function () {
  this.timeout(60_000);

  before(async function () {
    await mongodbUrl(this);
  });

  it('is cut by the next counts, each of which reads and removes a bounded number of entries', async () => {
    let read = 0;
    const store = await emptyMongodbStore('histories', {
      client: { monitorCommands: true },
      observe(client) {
        client.on('commandSucceeded', ({ reply }) => {
          const { cursor = {} } = reply as { readonly cursor?: Readonly<Record<string, readonly object[]>> };
          read += (cursor['firstBatch'] ?? cursor['nextBatch'] ?? []).length;
        });
      },
    });
    const [workspaceId, recordId] = [newId(), newId()];
    const entry = { verb: 'update', changes: '[]' } as const;
    let last = 0;
    /** An entry behind so many changes of other records. */
    const write = async (others: number) => {
      const changes = [...Array.from({ length: others }, () => newChange()), newChange({ recordId, entry })];
      ({ last } = await store.write((tx) => tx.changeLog.append(workspaceId, changes)));
    };
    await write(0);
    const history = (await rawDatabase('histories')).collection<{ _id: string; place: number; total: number | null }>(
      'history',
    );
    const { _id, ...first } = (await history.findOne({}))!;
    expect(first.total).to.equal(null);
    const uncounted = Array.from({ length: MAX_ENTRIES + BEYOND }, (_, n) => ({ ...first, place: -n }));
    await history.insertMany(uncounted.map((one) => ({ ...one, _id: `${_id} ${one.place}` })));
    let before = await history.countDocuments();
    for (let counts = 0; before > MAX_ENTRIES; counts += 1) {
      expect(counts).to.be.below(5);
      let others = 0;
      while (!isCountedAt(last + 1 + others)) others += 1;
      read = 0;
      await write(others);
      expect(read).to.be.within(MAX_ENTRIES, MAX_ENTRIES + CHUNKS);
      const after = await history.countDocuments();
      expect(before - after).to.be.within(1, CHUNKS);
      before = after;
    }
    await store.close();
  });
});
