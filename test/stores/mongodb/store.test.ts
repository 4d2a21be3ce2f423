import type { Store } from '../../../core/ports/store.ts';
import { storeContract } from '../../contract/index.ts';
import { emptyMongodbStore, mongodbPeer, mongodbUrl } from '../../fixtures/mongodb/mongodb.ts';

/** Each run of a random test is a few hundred round trips here. */
const runs = Number(process.env['ESPALIER_RUNS'] ?? 3);

describe('mongodb', function () {
  this.timeout(60_000);

  before(async function () {
    await mongodbUrl(this);
  });

  storeContract({
    name: 'mongodb',
    runs,
    open: () => emptyMongodbStore('contract'),
    async reopen(store: Store) {
      await store.close();
      return mongodbPeer('contract');
    },
    peer: () => mongodbPeer('contract'),
  });
});
