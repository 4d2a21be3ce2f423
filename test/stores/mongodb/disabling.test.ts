import { disabling } from '../../fixtures/disabling.ts';
import { copyDatabase, emptyMongodbStore, mongodbUrl } from '../../fixtures/mongodb.ts';

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
