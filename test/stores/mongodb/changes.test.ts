import { tellsChanges } from '../../fixtures/changes.ts';
import { followSequences } from '../../proofs/property/follow-changes.ts';
import { tellsOfPassingPages } from '../../proofs/property/passing-pages.ts';
import { emptyMongodbStore, mongodbPeer, mongodbUrl } from '../../fixtures/mongodb.ts';

describe('following changes, on MongoDB', function () {
  this.timeout(0);

  before(async function () {
    await mongodbUrl(this);
  });

  tellsChanges(() => emptyMongodbStore('changes'));

  tellsOfPassingPages(async () => [await emptyMongodbStore('changes'), () => mongodbPeer('changes')]);

  it('leads everybody from what they saw to what they see', () =>
    followSequences(() => emptyMongodbStore('changes'), 1, true, 60));

  it('leads there too where the structure of the cursor is not known any more', () =>
    followSequences(() => emptyMongodbStore('changes'), 1, false, 60));
});
