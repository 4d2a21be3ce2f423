import { disabling } from '../../../fixtures/suite/disabling.ts';
import { copyDatabase, emptyMongodbStore, mongodbUrl } from '../../../fixtures/mongodb/mongodb.ts';

describe('disabling the owner of very many workspaces, on MongoDB', function () {
  this.timeout(120_000);

  before(async function () {
    await mongodbUrl(this);
  });

  disabling(() => emptyMongodbStore('disabling'), {
    save: () => copyDatabase('disabling', 'disabling-made'),
    restore: () => copyDatabase('disabling-made', 'disabling'),
  });
});
