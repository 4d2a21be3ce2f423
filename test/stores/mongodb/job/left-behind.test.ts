import { leavesNothingBehind } from '../../../fixtures/suite/left-behind.ts';
import { emptyMongodbStore, mongodbPeer, mongodbUrl, rawDatabase } from '../../../fixtures/mongodb/mongodb.ts';

describe('what is removed from MongoDB', function () {
  this.timeout(120_000);

  before(async function () {
    await mongodbUrl(this);
  });

  leavesNothingBehind('leaves nothing behind', () => {
    let isEmpty = true;
    return {
      open: async () => {
        const store = isEmpty ? await emptyMongodbStore('left-behind') : await mongodbPeer('left-behind');
        isEmpty = false;
        return store;
      },
      async dump() {
        const all = new Map<string, string>();
        for (const collection of await (await rawDatabase('left-behind')).collections()) {
          for await (const doc of collection.find()) {
            // A change may stay, an entry of a history may not.
            const kind = 'histories' in doc ? 'entry' : collection.collectionName;
            all.set(`${kind} ${String(doc._id)}`, JSON.stringify(doc));
          }
        }
        return all;
      },
      // That a page was removed is kept for a day, without the page, for other processes.
      stays: ['audit ', 'changeLog ', 'jobs ', 'pages '],
    };
  });
});
