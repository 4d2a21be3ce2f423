import { beingRemoved } from '../../../fixtures/suite/being-removed.ts';
import { emptyMongodbStore, mongodbUrl } from '../../../fixtures/mongodb/mongodb.ts';

describe('being removed, on MongoDB', function () {
  this.timeout(60_000);

  before(async function () {
    await mongodbUrl(this);
  });

  beingRemoved(() => emptyMongodbStore('being_removed'));
});
