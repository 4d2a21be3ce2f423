import { tellsChanges } from '../../fixtures/suite/changes.ts';
import { forSeeds } from '../../contract/random.ts';
import { followSequences } from '../../proofs/property/follow/follow-changes.ts';
import { anotherProcess, followLate } from '../../proofs/property/follow/follow-late.ts';
import { tellsOfPassingPages } from '../../proofs/property/follow/passing-pages.ts';
import { emptyMongodbStore, mongodbPeer, mongodbUrl } from '../../fixtures/mongodb/mongodb.ts';

/** ESPALIER_MONGODB_LATE: how many random readers follow while others write. */
const LATE = Number(process.env['ESPALIER_MONGODB_LATE'] ?? 2);

describe('following changes, on MongoDB', function () {
  this.timeout(0);

  before(async function () {
    await mongodbUrl(this);
  });

  tellsChanges(() => emptyMongodbStore('changes'));

  tellsOfPassingPages(async () => [await emptyMongodbStore('changes'), () => mongodbPeer('changes')]);

  it('leads everybody from what they saw to what they see', () =>
    followSequences(() => emptyMongodbStore('changes'), 1, true, 30));

  it('leads there too where the structure of the cursor is not known any more', () =>
    followSequences(() => emptyMongodbStore('changes'), 1, false, 30));

  it('leads there while another process writes, before an answer is applied and while records are read', () =>
    forSeeds(LATE, async (_, seed) => {
      const [store, other] = [await emptyMongodbStore('changes'), await mongodbPeer('changes')];
      await followLate(store, seed, anotherProcess(other));
      await Promise.all([store.close(), other.close()]);
    }));
});
