import { expect } from 'chai';
import { createEspalier } from '../../../../adapters/service/index.ts';
import { mongodbStore } from '../../../../adapters/store-mongodb/index.ts';
import { ownReplicaSet } from '../../../fixtures/mongodb/own-replica-set.ts';
import { outcome } from '../../../fixtures/world/world.ts';

/** Together more than the system keeps of what is sent to a connection that nobody reads. */
const LARGE = { tasks: 500, characters: 50_000 };

describe('a primary that stands still while a large write is sent to it', function () {
  this.timeout(120_000);
  const cluster = ownReplicaSet();

  it('holds the write for as long as a connection may be silent, and not for ever', async () => {
    const primary = await cluster.set.primary();
    let isLarge = false;
    const store = mongodbStore({
      url: cluster.set.url,
      client: { socketTimeoutMS: 2_000, monitorCommands: true },
      observe: (client) =>
        client.on('commandStarted', ({ command }) => {
          if (isLarge && command['insert'] === 'tasks') primary.signal('SIGSTOP');
        }),
    });
    const espalier = createEspalier({ store });
    const ada = espalier.as(await espalier.users.create({ name: 'Ada', email: 'ada@example.org' }));
    const { id: workspaceId } = await ada.workspaces.create({ name: 'Acme' });
    const { id: boardId } = await ada.boards.create({ workspaceId, name: 'Board' });
    await ada.statuses.create({ workspaceId, boardId, name: 'Todo' });
    const description = 'x'.repeat(LARGE.characters);
    isLarge = true;
    const tasks = Array.from({ length: LARGE.tasks }, (_, n) => ({ boardId, title: `t${n}`, description }));
    const ended = await outcome(ada.tasks.createMany({ workspaceId, tasks }));
    primary.signal('SIGCONT');
    expect(ended).to.be.oneOf(['ok', 'store-unavailable', 'store-busy']);
    const there = async () => (await ada.tasks.list({ workspaceId, count: true, limit: 1 })).total;
    expect(await there()).to.equal(ended === 'ok' ? LARGE.tasks : 0);
    await espalier.close();
  });
});
