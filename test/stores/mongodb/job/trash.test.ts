import { emptyMongodbStore, mongodbUrl } from '../../../fixtures/mongodb/mongodb.ts';
import { trash } from '../../../fixtures/suite/trash.ts';
import { trashLifetime } from '../../../fixtures/suite/trash-lifetime.ts';
import { trashRules } from '../../../fixtures/suite/trash-rules.ts';
import { trashTaskPages } from '../../../fixtures/suite/trash-task-pages.ts';
import { trashProperties } from '../../../fixtures/suite/trash-properties.ts';

describe('the trash, on MongoDB', function () {
  this.timeout(120_000);

  before(async function () {
    await mongodbUrl(this);
  });

  trash(() => emptyMongodbStore('trash'));
  trashRules(() => emptyMongodbStore('trash'));
  trashTaskPages(() => emptyMongodbStore('trash'));
  trashLifetime(() => emptyMongodbStore('trash'));
  trashProperties(() => emptyMongodbStore('trash'), 2);
});
