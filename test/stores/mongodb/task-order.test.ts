import { taskOrderProperties } from '../../proofs/property/task-order.ts';
import { emptyMongodbStore, mongodbUrl } from '../../fixtures/mongodb/mongodb.ts';

describe('the order of tasks, on MongoDB', function () {
  this.timeout(0);

  before(async function () {
    await mongodbUrl(this);
  });

  taskOrderProperties({ open: () => emptyMongodbStore('task-order'), runs: 2, moves: 10, crowded: 600 });
});
