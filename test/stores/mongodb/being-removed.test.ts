import { beingRemoved } from '../../fixtures/being-removed.ts';
import { emptyMongodbStore, mongodbUrl } from '../../fixtures/mongodb.ts';

describe('being removed, on MongoDB', function () {
  this.timeout(60_000);

  before(async function () {
    await mongodbUrl(this);
  });

  beingRemoved(() => emptyMongodbStore('being_removed'));
});
