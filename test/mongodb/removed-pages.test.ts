import assert from 'node:assert/strict';
import { finishJobs } from '../support/jobs.ts';
import { emptyMongodbStore, mongodbPeer, mongodbUrl, rawDatabase } from '../support/mongodb.ts';
import { type Service, serviceOn } from './service.ts';

/** Removing a page marks it alone. A process that knows an older structure must find out about all below it. */
describe('pages removed by another process', function () {
  this.timeout(20_000);
  const operator = { caller: { kind: 'operator' } } as const;
  let here: Service;
  let there: Service;

  before(async function () {
    await mongodbUrl(this);
  });

  beforeEach(async () => {
    here = await serviceOn((options) => emptyMongodbStore('removed', options));
    there = await serviceOn((options) => mongodbPeer('removed', options));
  });

  afterEach(async () => {
    await Promise.all([here.store.close(), there.store.close()]);
  });

  for (const swept of [false, true]) {
    it(`are gone with all below them, ${swept ? 'swept already' : 'before it is swept'}`, async () => {
      const { id: userId } = await here.engine.users.create(operator, { name: 'Ada', email: 'ada@example.org' });
      const [ada, again] = [here.as(userId), there.as(userId)];
      const { id: workspaceId } = await ada.workspaces.create({ name: 'Acme' });
      const folder = async (name: string, parentId: string | null = null) =>
        (await ada.pages.create({ workspaceId, name, type: 'folder', ...(parentId === null ? {} : { parentId }) })).id;
      const listed = async () => (await again.pages.list({ workspaceId })).map(({ name }) => name).toSorted();
      const top = await folder('Top');
      await folder('Below', await folder('Middle', top));
      await folder('Stays');
      const moved = await folder('Moved');
      await folder('With it', moved);
      const saved = await folder('Saved', top);
      assert.equal((await listed()).length, 7);

      await ada.pages.update({ workspaceId, pageId: moved, parentId: top });
      await ada.pages.update({ workspaceId, pageId: saved, parentId: null });
      await folder('New', moved);
      await ada.pages.delete({ workspaceId, pageId: top });
      const pages = (await rawDatabase('removed')).collection('pages');
      const marked = () => pages.countDocuments({ removedAt: { $exists: true } });
      assert.equal(await marked(), 1);
      if (swept) {
        await finishJobs(here.ports);
        assert.equal(await marked(), 6);
      }
      assert.deepEqual(await listed(), ['Saved', 'Stays']);
      assert.deepEqual(
        (await again.pages.list({ workspaceId })).length,
        (await ada.pages.list({ workspaceId })).length,
      );
      assert.deepEqual((await there.engine.doctor.check(operator)).findings, []);
    });
  }
});
