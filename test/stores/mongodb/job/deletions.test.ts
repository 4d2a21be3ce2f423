import { deletions } from '../../../fixtures/suite/deletions.ts';
import { emptyMongodbStore, mongodbUrl } from '../../../fixtures/mongodb/mongodb.ts';

describe('deletions, on MongoDB', function () {
  this.timeout(120_000);

  before(async function () {
    await mongodbUrl(this);
  });

  deletions(() => emptyMongodbStore('deletions'));
});
