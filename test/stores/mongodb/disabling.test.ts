import { disabling } from '../../fixtures/disabling.ts';
import { emptyMongodbStore, mongodbUrl } from '../../fixtures/mongodb.ts';

describe('disabling the owner of very many workspaces, on MongoDB', function () {
  this.timeout(120_000);

  before(async function () {
    await mongodbUrl(this);
  });

  disabling(() => emptyMongodbStore('disabling'));
});
