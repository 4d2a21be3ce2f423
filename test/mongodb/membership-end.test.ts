import { membershipEnd } from '../support/membership-end.ts';
import { emptyMongodbStore, mongodbUrl } from '../support/mongodb.ts';

describe('a member who leaves, on MongoDB', function () {
  this.timeout(60_000);

  before(async function () {
    await mongodbUrl(this);
  });

  membershipEnd(() => emptyMongodbStore('membership_end'));
});
