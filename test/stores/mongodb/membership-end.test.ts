import { membershipEnd } from '../../fixtures/membership-end.ts';
import { emptyMongodbStore, mongodbUrl } from '../../fixtures/mongodb.ts';

describe('a member who leaves, on MongoDB', function () {
  this.timeout(60_000);

  before(async function () {
    await mongodbUrl(this);
  });

  membershipEnd(() => emptyMongodbStore('membership_end'));
});
