import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { embeddedStore } from '../../../adapters/store-embedded/index.ts';
import { emptyMongodbStore, mongodbPeer, mongodbUrl, rawDatabase } from '../../fixtures/mongodb/mongodb.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { olderFile } from './answers.ts';
import { loadDump } from './load-dump.ts';
import { olderStore } from './older-stores.ts';

const COMMITS = ['a2dbc81'];

for (const commit of COMMITS) {
  describe(`an embedded store of commit ${commit}`, () => {
    const folder = temporaryFolder();
    let copies = 0;

    olderStore(commit, async () => {
      const path = join(folder, `${(copies += 1)}.db`);
      copyFileSync(olderFile(commit, 'store.lmdb'), path);
      return embeddedStore({ path });
    });
  });

  describe(`a MongoDB database of commit ${commit}`, function () {
    this.timeout(60_000);

    before(async function () {
      await mongodbUrl(this);
      await (await emptyMongodbStore('older')).close();
    });

    olderStore(commit, async () => {
      await loadDump(await rawDatabase('older'), commit);
      return mongodbPeer('older');
    });
  });
}
