import { expect } from 'chai';
import { MAX_ENTRIES } from '../../../core/model/log/history-entry.ts';
import { isCountedAt } from '../../../adapters/store-mongodb/records/change-log.ts';
import { newChange, newId } from '../../contract/records.ts';
import { emptyMongodbStore, mongodbUrl, rawDatabase } from '../../fixtures/mongodb/mongodb.ts';

/** Entries beyond the bound that were never counted. */
const BEYOND = 1_500;
/** What one write removes at most. */
const CHUNK = 512;

describe('a history on MongoDB whose writer keeps its entries from being counted', function () {
  this.timeout(60_000);

  before(async function () {
    await mongodbUrl(this);
  });

  it('is cut by the next counts, each of which reads and removes a bounded number of entries', async () => {
    let limits: (number | undefined)[] = [];
    const store = await emptyMongodbStore('histories', {
      client: { monitorCommands: true },
      observe(client) {
        client.on('commandStarted', ({ command }) => {
          const { aggregate, find, limit, pipeline = [] } = command as Sent;
          if ((aggregate ?? find) === 'history')
            limits.push(limit ?? pipeline.find((stage) => '$limit' in stage)?.$limit);
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
    const history = (await rawDatabase('histories')).collection<{ _id: string; offset: number }>('history');
    const { _id, ...first } = (await history.findOne({}))!;
    const uncounted = Array.from({ length: MAX_ENTRIES + BEYOND }, (_, n) => ({ ...first, offset: -n }));
    await history.insertMany(uncounted.map((one) => ({ ...one, _id: `${_id} ${one.offset}` })));
    let before = await history.countDocuments();
    for (let counts = 0; before > MAX_ENTRIES; counts += 1) {
      expect(counts).to.be.below(5);
      let others = 0;
      while (!isCountedAt(last + 1 + others)) others += 1;
      limits = [];
      await write(others);
      const [counted, removed, ...more] = limits;
      expect([counted, more]).to.deep.equal([MAX_ENTRIES, []]);
      expect(removed).to.be.within(1, CHUNK + 1);
      const after = await history.countDocuments();
      expect(before - after).to.be.within(1, CHUNK);
      before = after;
    }
    await store.close();
  });
});

/** What of a query is looked at. */
interface Sent {
  readonly aggregate?: string;
  readonly find?: string;
  readonly limit?: number;
  readonly pipeline?: readonly { readonly $limit?: number }[];
}
