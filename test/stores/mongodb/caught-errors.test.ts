import { emptyMongodbStore, mongodbUrl } from '../../fixtures/mongodb/mongodb.ts';
import { user } from '../../contract/records.ts';
import { rejected } from '../../contract/rejected.ts';

describe('a write on MongoDB whose work catches an error of the database', function () {
  this.timeout(60_000);

  before(async function () {
    await mongodbUrl(this);
  });

  it('is refused with it: the transaction is over', async () => {
    const store = await emptyMongodbStore('caught-errors');
    const ada = user();
    await store.write((tx) => tx.users.insert(ada));
    await rejected(
      'email-taken',
      store.write(async (tx) => {
        await tx.users.insert(user({ email: ada.email }));
        // What is buffered is sent before a list.
        await tx.users.list('all', {}, { limit: 1 }).catch(() => []);
      }),
    );
    await store.close();
  });
});
