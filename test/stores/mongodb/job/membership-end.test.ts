import { membershipEnd } from '../../../fixtures/suite/membership-end.ts';
import { emptyMongodbStore, mongodbUrl } from '../../../fixtures/mongodb/mongodb.ts';

describe('a member who leaves, on MongoDB', function () {
  this.timeout(60_000);

  before(async function () {
    await mongodbUrl(this);
  });

  membershipEnd(() => emptyMongodbStore('membership_end'));
});
