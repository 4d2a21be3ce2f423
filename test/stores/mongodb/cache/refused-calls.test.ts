import { expect } from 'chai';
import { mongodbPeer, mongodbUrl } from '../../../fixtures/mongodb/mongodb.ts';
import { rejects } from '../../../fixtures/errors.ts';
import { type Watched, watchedService } from '../command/commands.ts';
import { type Service, serviceOn } from '../service.ts';

const operator = { caller: { kind: 'operator' } } as const;

describe('a call that is refused by the structure of a workspace', function () {
  this.timeout(60_000);
  let owner: Service;
  let watched: Watched;
  let workspaceId: string;
  let outsider: ReturnType<Service['as']>;

  before(async function () {
    await mongodbUrl(this);
  });

  beforeEach(async () => {
    watched = await watchedService('refused');
    owner = await serviceOn((options) => mongodbPeer('refused', options));
    const { id: ada } = await owner.engine.users.create(operator, { name: 'Ada', email: 'ada@example.org' });
    const { id: eve } = await owner.engine.users.create(operator, { name: 'Eve', email: 'eve@example.org' });
    ({ id: workspaceId } = await owner.as(ada).workspaces.create({ name: 'Acme' }));
    outsider = watched.as(eve);
  });

  afterEach(() => Promise.all([owner.store.close(), watched.store.close()]));

  /** Whether the pages of the workspace were read since this was last asked. */
  const hasRead = () => watched.sent().some(({ command }) => JSON.stringify(command).includes('"pages"'));

  it('reads it once: of a large workspace that takes seconds', async () => {
    for (const isFirst of [true, false]) {
      await rejects(outsider.pages.list({ workspaceId }), { code: 'not-found' });
      expect(hasRead()).to.equal(isFirst);
    }
  });

  it('reads it once, too, where it would write', async () => {
    for (const isFirst of [true, false]) {
      const create = outsider.pages.create({ workspaceId, name: 'Page', type: 'folder' });
      await rejects(create, { code: 'not-found' });
      expect(hasRead()).to.equal(isFirst);
    }
  });
});
