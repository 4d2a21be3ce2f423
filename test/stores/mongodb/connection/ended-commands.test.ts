import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import type { EspalierError } from '../../../../core/kernel/errors.ts';
import { newId } from '../../../contract/records.ts';
import { needs } from '../../../fixtures/available.ts';
import { rejects } from '../../../fixtures/errors.ts';
import { failCommands } from '../../../fixtures/mongodb/fail-commands.ts';
import { emptyMongodbStore, mongodbPeer, mongodbUrl, rawDatabase } from '../../../fixtures/mongodb/mongodb.ts';
import { type Service, serviceOn } from '../service.ts';

const APP = 'espalier-ended-commands';
const [CURSOR_NOT_FOUND, QUERY_PLAN_KILLED, CURSOR_KILLED, LIFETIME_EXCEEDED, INTERRUPTED] = [
  43, 175, 237, 290, 11_601,
];
/** More than the server sends at once. */
const LONG_LIST = 2_001;

describe('a command that the server ends early', function () {
  this.timeout(60_000);
  let service: Service;
  let admin: MongoClient;

  before(async function () {
    admin = new MongoClient(await mongodbUrl(this));
    needs(this, 'a MongoDB with enableTestCommands', await ending('none', INTERRUPTED));
    service = await serviceOn((options) =>
      emptyMongodbStore('ended', { ...options, retryFor: 200, client: { ...options.client, appName: APP } }),
    );
  });

  afterEach(() => ending('none', INTERRUPTED));

  after(async () => {
    await service?.store.close();
    await admin?.close();
  });

  function ending(command: string, errorCode: number, times = 1): Promise<boolean> {
    return failCommands(admin, { failCommands: [command], errorCode, appName: APP }, { times });
  }

  it('has a write run again, which has its effect once', async () => {
    const operator = { caller: { kind: 'operator' } } as const;
    const { id } = await service.engine.users.create(operator, { name: 'Ada', email: 'ada@example.org' });
    const ada = service.as(id);
    const { id: workspaceId } = await ada.workspaces.create({ name: 'Acme' });
    const { id: boardId } = await ada.boards.create({ workspaceId, name: 'Kanban' });
    await ada.statuses.create({ workspaceId, boardId, name: 'Open' });
    const { id: taskId } = await ada.tasks.create({ workspaceId, boardId, title: 'First' });
    const codes = [CURSOR_NOT_FOUND, QUERY_PLAN_KILLED, CURSOR_KILLED, LIFETIME_EXCEEDED, INTERRUPTED];
    const commands = ['findAndModify', 'find', 'update'];
    const { version } = await ada.tasks.get({ workspaceId, taskId });
    for (const code of codes) {
      for (const command of commands) {
        await ending(command, code);
        await ada.tasks.update({ workspaceId, taskId, title: `${command} ${code}` });
      }
    }
    const task = await ada.tasks.get({ workspaceId, taskId });
    expect(task.version).to.equal(version + codes.length * commands.length);
    await ending('update', LIFETIME_EXCEEDED, 1_000);
    await rejects(ada.tasks.update({ workspaceId, taskId, title: 'Never' }), (error: EspalierError) => {
      expect(error.code).to.equal('store-busy');
      expect(error.detail).to.include('transactionLifetimeLimitSeconds');
    });
  });

  it('has a read run again whose cursor is gone, a few times', async () => {
    const db = await rawDatabase('ended');
    const userId = newId();
    const tokens = Array.from({ length: LONG_LIST }, () => ({ _id: newId(), userId, hash: newId() }));
    await db.collection<{ _id: string }>('tokens').insertMany(tokens);
    const list = () => service.store.read((tx) => tx.tokens.list('ofUser', { userId }, { limit: Infinity }));
    for (const code of [CURSOR_NOT_FOUND, QUERY_PLAN_KILLED, CURSOR_KILLED]) {
      await ending('getMore', code);
      expect(await list()).to.have.length(LONG_LIST);
    }
    await ending('getMore', CURSOR_NOT_FOUND, 1_000);
    await rejects(list(), { code: 'store-busy' });
  });

  it('leaves a store closed whose indexes a majority does not confirm in time, as a URL with wtimeoutMS asks', async () => {
    const unconfirmed = {
      failCommands: ['createIndexes'],
      writeConcernError: { code: 64, errmsg: 'late' },
      appName: APP,
    };
    await failCommands(admin, unconfirmed, { times: 1 });
    const store = await mongodbPeer('ended', { client: { appName: APP } });
    await rejects(store.ready(), { code: 'store-unavailable' });
    await store.ready();
    await store.close();
  });

  it('ends a read that an operator has interrupted with an error that says so', async () => {
    await ending('aggregate', INTERRUPTED);
    await rejects(
      service.store.read((tx) => tx.users.get(newId())),
      (error: EspalierError) => {
        expect(error.code).to.equal('store-busy');
        expect(error.detail).to.include('killOp');
      },
    );
  });
});
