import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { createEspalier } from '../../../../adapters/service/index.ts';
import { type Api, newApi } from '../../../edges/http/support.ts';
import { needs } from '../../../fixtures/available.ts';
import { emptyMongodbStore, mongodbUrl } from '../../../fixtures/mongodb/mongodb.ts';
import { watchedService } from '../command/commands.ts';

const READS = new Set(['find', 'aggregate']);
const TIMEOUT = 4_321;

describe('a query on MongoDB', function () {
  this.timeout(60_000);
  let admin: MongoClient;
  let api: Api;

  before(async function () {
    admin = new MongoClient(await mongodbUrl(this));
    api = await newApi('in process', { espalier: createEspalier({ store: await emptyMongodbStore('slow') }) });
  });

  after(async () => {
    await api?.close();
    await admin?.close();
  });

  const timingOut = (mode: 'alwaysOn' | 'off') =>
    admin
      .db('admin')
      .command({ configureFailPoint: 'maxTimeAlwaysTimeOut', mode })
      .then(
        () => true,
        () => false,
      );

  it('tells the server how long it may work on it, in reads and in writes', async () => {
    const watched = await watchedService('bounded', { queryTimeout: TIMEOUT });
    const operator = { caller: { kind: 'operator' } } as const;
    const { id: userId } = await watched.engine.users.create(operator, { name: 'Ada', email: 'ada@example.org' });
    const ada = watched.as(userId);
    const { id: workspaceId } = await ada.workspaces.create({ name: 'Acme' });
    const board = await ada.boards.create({ workspaceId, name: 'Kanban' });
    await ada.statuses.create({ workspaceId, boardId: board.id, name: 'Open' });
    await ada.tasks.create({ workspaceId, boardId: board.id, title: 'one' });
    await ada.tasks.list({ workspaceId, q: 'one', count: true, sort: ['title'] });
    await ada.audit.list({ workspaceId });
    const reads = watched.sent().filter(({ commandName }) => READS.has(commandName));
    expect(reads.length).to.be.above(5);
    for (const { command } of reads) expect(command['maxTimeMS'], JSON.stringify(command)).to.equal(TIMEOUT);
    await watched.store.close();
  });

  it('that the server gives up is answered 503 with Retry-After, and the next one as usual', async function () {
    const { token } = await api.user('ada');
    const list = { method: 'GET', path: '/api/workspace', token };
    const create = { method: 'POST', path: '/api/workspace', token, body: { name: 'Acme' } };
    try {
      needs(this, 'a MongoDB with enableTestCommands', await timingOut('alwaysOn'));
      for (const ask of [list, create]) {
        const answer = await api.ask(ask);
        expect(answer.status).to.equal(503);
        expect(answer.json.code).to.equal('store-busy');
        expect(Number(answer.headers.get('retry-after'))).to.be.above(0);
      }
    } finally {
      await timingOut('off');
    }
    expect((await api.ask(create)).status).to.equal(201);
    expect((await api.ask(list)).json).to.have.length(1);
  });
});
