import { tellsChanges } from '../../fixtures/changes.ts';
import { followSequences } from '../../proofs/property/follow-changes.ts';
import { emptyMongodbStore, mongodbUrl } from '../../fixtures/mongodb.ts';

describe('following changes, on MongoDB', function () {
  this.timeout(0);

  before(async function () {
    await mongodbUrl(this);
  });

  tellsChanges(() => emptyMongodbStore('changes'));

  it('leads everybody from what they saw to what they see', () =>
    followSequences(() => emptyMongodbStore('changes'), 1, true, 60));

  it('leads there too where the structure of the cursor is not known any more', () =>
    followSequences(() => emptyMongodbStore('changes'), 1, false, 60));
});
