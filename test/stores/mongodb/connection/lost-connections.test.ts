import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { newId } from '../../../contract/records.ts';
import { needs } from '../../../fixtures/available.ts';
import { rejects } from '../../../fixtures/errors.ts';
import { eventually } from '../../../fixtures/mongodb/mongod.ts';
import { failCommands } from '../../../fixtures/mongodb/fail-commands.ts';
import { emptyMongodbStore, mongodbPeer, mongodbUrl } from '../../../fixtures/mongodb/mongodb.ts';
import { type Service, serviceOn } from '../service.ts';

const APP = 'espalier-lost-connections';
/** The most writers of one commit. */
const GROUP_SIZE = 32;
const HANG_UP = { closeConnection: true };

/** The server hangs up when it gets a certain command, before it does anything. */
describe('a connection that is lost during a write', function () {
  this.timeout(60_000);
  let service: Service;
  let admin: MongoClient;

  before(async function () {
    admin = new MongoClient(await mongodbUrl(this));
    needs(this, 'a MongoDB with enableTestCommands', await failing(['none'], HANG_UP));
    service = await serviceOn((options) =>
      emptyMongodbStore('lost', { ...options, client: { ...options.client, appName: APP } }),
    );
  });

  after(async () => {
    await service?.store.close();
    await admin?.close();
  });

  function failing(commands: readonly string[], fault: object, times = 1): Promise<boolean> {
    return failCommands(admin, { failCommands: commands, ...fault, appName: APP }, { times });
  }

  async function newBoard(email: string) {
    const operator = { caller: { kind: 'operator' } } as const;
    const { id: userId } = await service.engine.users.create(operator, { name: 'Ada', email });
    const ada = service.as(userId);
    const { id: workspaceId } = await ada.workspaces.create({ name: 'Acme' });
    const board = await ada.boards.create({ workspaceId, name: 'Kanban' });
    await ada.statuses.create({ workspaceId, boardId: board.id, name: 'Open' });
    return { ada, workspaceId, board };
  }

  it('does not matter, whichever command it is, and does nothing twice', async () => {
    const { ada, workspaceId, board } = await newBoard('ada@example.org');
    const commands = ['findAndModify', 'insert', 'update', 'commitTransaction', 'aggregate'];
    for (const [i, command] of commands.entries()) {
      await failing([command], HANG_UP);
      const { num } = await ada.tasks.create({ workspaceId, boardId: board.id, title: command });
      expect(num).to.equal(i + 1);
      const { items } = await ada.tasks.list({ workspaceId });
      expect(items.map(({ title }) => title)).to.deep.equal(commands.slice(0, i + 1));
    }
  });

  it('does nothing twice when the server says that a commit was not confirmed', async () => {
    const { ada, workspaceId, board } = await newBoard('ben@example.org');
    const titles = ['a', 'b', 'c', 'd', 'e', 'f'];
    const unsatisfiable = { writeConcernError: { code: 100, errmsg: 'no majority can confirm it' } };
    // Of the first task, and of the group of the others.
    await failing(['commitTransaction'], unsatisfiable, 2);
    const create = (title: string) => ada.tasks.create({ workspaceId, boardId: board.id, title });
    await Promise.all(titles.map(create));
    const { items } = await ada.tasks.list({ workspaceId });
    expect(items.map(({ title }) => title).toSorted()).to.deep.equal(titles);
  });

  it('refuses those who wait behind a commit whose outcome stays unknown, together with it', async () => {
    const { ada, workspaceId, board } = await newBoard('cleo@example.org');
    const refused: unknown[] = [];
    const create = async (title: string): Promise<void> => {
      await ada.tasks.create({ workspaceId, boardId: board.id, title }).catch(({ code }) => refused.push(code));
    };
    await failing(['commitTransaction'], { writeConcernError: { code: 64, errmsg: 'no majority' } }, 10_000);
    const [first, ...others] = Array.from({ length: GROUP_SIZE + 10 }, (_, n) => create(`Task ${n}`));
    await first;
    await new Promise(setImmediate);
    await failing(['none'], HANG_UP);
    expect(refused).to.deep.equal([first, ...others].map(() => 'store-unavailable'));
    const { items } = await ada.tasks.list({ workspaceId });
    // Those of the commit may be there, and nothing of those behind it.
    expect(items.length).to.be.within(1, GROUP_SIZE);
  });

  it('is out of reach, too, while a pool of the size that the URL sets has no other for as long as it sets', async () => {
    const client = { appName: APP, maxPoolSize: 1, waitQueueTimeoutMS: 200 };
    const store = await mongodbPeer('lost', { client });
    try {
      await eventually(() => store.ready());
      await failing(['find', 'aggregate'], { blockConnection: true, blockTimeMS: 2_000 }, 100);
      const read = () => store.read((tx) => tx.users.get(newId()));
      const first = read().catch(() => undefined);
      await rejects(Promise.all([read(), read()]), { code: 'store-unavailable' });
      await failing(['none'], HANG_UP);
      await first;
    } finally {
      await store.close();
    }
  });
});
