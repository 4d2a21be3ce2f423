import { firstSeed } from '../../../contract/random.ts';
import { COPY_KILLS, killCopies } from '../../../fixtures/suite/killed-copies.ts';
import { emptyMongodbStore, mongodbUrl, mongodbUrlOf } from '../../../fixtures/mongodb/mongodb.ts';

describe('copies made by processes that are killed, on MongoDB', function () {
  this.timeout(COPY_KILLS * 300_000);

  before(async function () {
    await mongodbUrl(this);
  });

  it(`are whole or not there, and leave nothing behind, ${COPY_KILLS} times`, async () => {
    await (await emptyMongodbStore('copies')).close();
    await killCopies(await mongodbUrlOf('copies'), firstSeed());
  });
});
