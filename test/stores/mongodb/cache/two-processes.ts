import { emptyMongodbStore, mongodbPeer, mongodbUrl } from '../../../fixtures/mongodb/mongodb.ts';
import { type Service, serviceOn } from '../service.ts';

export interface TwoProcesses {
  readonly one: Service;
  readonly other: Service;
}

/**
 * Opens two processes on an empty database before each test, and closes them after it.
 *
 * @param keepTrash in milliseconds; 0: what is deleted is purged at once
 */
export function twoProcesses(database: string, keepTrash?: number): TwoProcesses {
  let one: Service;
  let other: Service;

  before(async function () {
    await mongodbUrl(this);
  });

  beforeEach(async () => {
    one = await serviceOn((options) => emptyMongodbStore(database, options), keepTrash);
    other = await serviceOn((options) => mongodbPeer(database, options), keepTrash);
  });

  afterEach(async () => {
    await Promise.all([one.store.close(), other.store.close()]);
  });

  return {
    get one() {
      return one;
    },
    get other() {
      return other;
    },
  };
}
