import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { createEspalier } from '../../../../adapters/service/index.ts';
import { needs } from '../../../fixtures/available.ts';
import { emptyMongodbStore, mongodbUrl } from '../../../fixtures/mongodb/mongodb.ts';

/** What MongoDB 5.0 begins with, but with little memory for each sort. */
const OLD = { internalQueryMaxBlockingSortMemoryUsageBytes: 10_000, allowDiskUseByDefault: false };
const USUAL = { internalQueryMaxBlockingSortMemoryUsageBytes: 104_857_600, allowDiskUseByDefault: true };

describe('a sort that takes more memory than MongoDB gives it', function () {
  this.timeout(60_000);
  let admin: MongoClient;

  before(async function () {
    admin = new MongoClient(await mongodbUrl(this));
    needs(this, 'a MongoDB whose parameters may be set', await set(USUAL));
  });

  after(async () => {
    await set(USUAL);
    await admin?.close();
  });

  function set(parameters: object): Promise<boolean> {
    const command = { setParameter: 1, ...parameters };
    return admin
      .db('admin')
      .command(command)
      .then(
        () => true,
        () => false,
      );
  }

  it('goes on on disk', async () => {
    const espalier = createEspalier({ store: await emptyMongodbStore('sort-memory') });
    const ada = espalier.as(await espalier.users.create({ name: 'Ada', email: 'ada@example.org' }));
    const { id: workspaceId } = await ada.workspaces.create({ name: 'Acme' });
    const { id: boardId } = await ada.boards.create({ workspaceId, name: 'Kanban' });
    await ada.statuses.create({ workspaceId, boardId, name: 'Open' });
    const titles = ['c', 'a', 'b', 'd'];
    const description = 'long '.repeat(5_000);
    for (const title of titles) await ada.tasks.create({ workspaceId, boardId, title, description });
    await set(OLD);
    const { items } = await ada.tasks.list({ workspaceId, sort: ['title'] });
    expect(items.map(({ title }) => title)).to.deep.equal(titles.toSorted());
    await espalier.close();
  });
});
