import { assert } from 'chai';
import { explain } from '../../proofs/history/check.ts';
import { historyOf } from '../../proofs/history/processes.ts';
import { emptyMongodbStore, mongodbUrl, rawDatabase } from '../../fixtures/mongodb/mongodb.ts';
import { firstSeed } from '../../contract/random.ts';

/** ESPALIER_HISTORIES: how many runs; ESPALIER_SEED: the first of them. */
const HISTORIES = Number(process.env['ESPALIER_HISTORIES'] ?? 1);
const CALLS = Number(process.env['ESPALIER_CALLS'] ?? 25);
const SEED = firstSeed();

describe('recorded histories on MongoDB', function () {
  this.timeout(0);
  let url = '';

  before(async function () {
    url = await mongodbUrl(this);
  });

  for (let seed = SEED; seed < SEED + HISTORIES; seed += 1) {
    it(`of two processes with eight clients come from one order (seed ${seed})`, async () => {
      const store = await emptyMongodbStore('history');
      const { databaseName: dbName } = await rawDatabase('history');
      try {
        const run = { processes: 2, clients: 4, calls: CALLS, seed };
        const history = await historyOf(store, { url, dbName }, run);
        assert((await explain(history)).order.length > 20);
      } finally {
        await store.close();
      }
    });
  }
});
