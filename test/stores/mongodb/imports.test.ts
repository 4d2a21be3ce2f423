import { imports } from '../../fixtures/imports.ts';
import { emptyMongodbStore, mongodbUrl } from '../../fixtures/mongodb.ts';

describe('imports of large workspaces, on MongoDB', function () {
  this.timeout(120_000);

  before(async function () {
    await mongodbUrl(this);
  });

  imports(() => emptyMongodbStore('imports'));
});
