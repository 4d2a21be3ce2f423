import { emptyMongodbStore, mongodbUrl } from '../../fixtures/mongodb.ts';
import { trash } from '../../fixtures/trash.ts';
import { trashLifetime } from '../../fixtures/trash-lifetime.ts';
import { trashRules } from '../../fixtures/trash-rules.ts';
import { trashProperties } from '../../fixtures/trash-properties.ts';

describe('the trash, on MongoDB', function () {
  this.timeout(120_000);

  before(async function () {
    await mongodbUrl(this);
  });

  trash(() => emptyMongodbStore('trash'));
  trashRules(() => emptyMongodbStore('trash'));
  trashLifetime(() => emptyMongodbStore('trash'));
  trashProperties(() => emptyMongodbStore('trash'), 2);
});
