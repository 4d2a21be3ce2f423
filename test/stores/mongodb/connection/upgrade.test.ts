import { expect } from 'chai';
import { type Db, type Document, MongoClient } from 'mongodb';
import type { Store } from '../../../../core/ports/store.ts';
import {
  board,
  instant,
  member,
  newChange,
  newId,
  purge,
  status,
  task,
  user,
  workspace,
} from '../../../contract/records.ts';
import { rejected } from '../../../contract/rejected.ts';
import { needs } from '../../../fixtures/available.ts';
import { failCommands } from '../../../fixtures/mongodb/fail-commands.ts';
import { emptyMongodbStore, mongodbPeer, mongodbUrl, rawDatabase } from '../../../fixtures/mongodb/mongodb.ts';
import { schemaOf, toFirstFormat, toSecondFormat } from './older-formats.ts';

const NAME = 'upgrade';
const TASKS = 30;
/** Of a command whose collection is renamed or dropped meanwhile. */
const QUERY_PLAN_KILLED = 175;
const entry = { verb: 'update', changes: '[]' } as const;

describe('a MongoDB database of the first format', function () {
  this.timeout(60_000);

  before(async function () {
    await mongodbUrl(this);
  });

  it('is upgraded by several processes at once, and again after one was killed at its last step', async () => {
    const store = await emptyMongodbStore(NAME);
    const home = workspace();
    const kanban = board(home.id, { statuses: [status(), status()] });
    const [owner, recordId] = [user(), newId()];
    const job = purge(home.id);
    const record = { key: 'key', digest: 'digest', output: { id: newId() }, expiresAt: instant(3_600_000) };
    await store.write(async (tx) => {
      await tx.users.insert(owner);
      await tx.users.replace({ ...owner, name: 'Ada' });
      await tx.structures.insert(home, member(home.id, { userId: owner.id }));
      await tx.boards.insert(kanban);
      for (let num = 1; num <= TASKS; num += 1) {
        await tx.tasks.insert(task(kanban, num, { statusId: kanban.statuses[num % 2]!.id }));
      }
      expect(await tx.tasks.reserveNums(home.id, TASKS)).to.equal(1);
      await tx.changeLog.append(home.id, [newChange({ recordId, entry }), newChange()]);
      await tx.jobs.insert(job);
      await tx.idempotency.put(record);
    });
    const seen = await everything(store);
    await store.close();
    const db = await rawDatabase(NAME);
    const after = await collectionsOf(db);
    await toFirstFormat(db);

    const stores = await Promise.all([1, 2, 3].map(() => mongodbPeer(NAME)));
    await Promise.all(stores.map((one) => one.ready()));
    for (const one of stores) expect(await everything(one)).to.deep.equal(seen);
    expect(await collectionsOf(db)).to.deep.equal(after);

    await db.collection('jobs').rename('purges');
    await schemaOf(db).deleteOne({});
    const again = await mongodbPeer(NAME);
    expect(await everything(again)).to.deep.equal(seen);
    expect(await collectionsOf(db)).to.deep.equal(after);

    await again.write((tx) => tx.tasks.insert(task(kanban, TASKS + 1, { statusId: kanban.statuses[0]!.id })));
    for (const one of stores) expect((await everything(one)).counts).to.deep.equal([TASKS / 2 + 1, TASKS / 2]);
    for (const one of stores) await one.close();
    await again.close();

    async function everything(of: Store) {
      return of.read(async (tx) => {
        const { tasks } = await tx.tasks.countByStatus(home.id, kanban.id);
        return {
          counts: kanban.statuses.map(({ id }) => tasks.get(id)),
          lastNum: await tx.tasks.lastNum(home.id),
          structure: (await tx.structures.get(home.id))?.revision,
          user: await tx.users.get(owner.id),
          log: await tx.changeLog.list(home.id, 0, 10),
          history: await tx.changeLog.historyOf({ workspaceId: home.id, recordId, kind: 'task' }, null, 10),
          job: await tx.jobs.get(home.id, job.id),
          idempotency: await tx.idempotency.get(record.key),
        };
      });
    }
  });
});

describe('a MongoDB database of the first format, which another process upgrades', function () {
  this.timeout(60_000);
  let admin: MongoClient;

  before(async function () {
    admin = new MongoClient(await mongodbUrl(this));
  });

  after(() => admin?.close());

  it('is opened also where that renames a collection while its documents are changed', async function () {
    const store = await emptyMongodbStore(NAME);
    const record = { key: 'key', digest: 'digest', output: null, expiresAt: instant(3_600_000) };
    await store.write((tx) => tx.idempotency.put(record));
    await store.close();
    const db = await rawDatabase(NAME);
    await toFirstFormat(db);
    const data = { failCommands: ['update'], namespace: `${db.databaseName}.replays`, errorCode: QUERY_PLAN_KILLED };
    needs(this, 'a MongoDB with enableTestCommands', await failCommands(admin, data, { times: 1 }));

    const opened = await mongodbPeer(NAME);
    await opened.ready();
    expect(await opened.read((tx) => tx.idempotency.get(record.key))).to.deep.equal(record);
    await opened.close();
  });
});

describe('a MongoDB database of the second format', function () {
  this.timeout(60_000);

  before(async function () {
    await mongodbUrl(this);
  });

  it('keeps every entry of its histories, also where one was killed that upgraded it', async () => {
    for (const isMoved of [() => false, (offset: number) => offset % 2 === 0]) {
      const store = await emptyMongodbStore(NAME);
      const { workspaceId, all } = await addHistories(store);
      const db = await rawDatabase(NAME);
      const [seen, after] = [await all(store), await collectionsOf(db)];
      await store.close();
      await toSecondFormat(db, isMoved);

      const stores = await Promise.all([1, 2, 3].map(() => mongodbPeer(NAME)));
      await Promise.all(stores.map((one) => one.ready()));
      for (const one of stores) expect(await all(one)).to.deep.equal(seen);
      expect(await collectionsOf(db)).to.deep.equal(after);

      const [first] = stores as [Store];
      // The removal of a workspace may go on from where the build before left it: at the id of a record.
      const { removed } = await first.write((tx) => tx.changeLog.clear(workspaceId, newId(), 1_000));
      expect(removed).to.be.above(10);
      expect(await db.collection('changeLog').countDocuments()).to.equal(0);
      for (const one of stores) await one.close();
    }
  });
});

describe('a MongoDB database of a newer release', function () {
  this.timeout(60_000);

  before(async function () {
    await mongodbUrl(this);
  });

  it('is refused and left as it is', async () => {
    const store = await emptyMongodbStore(NAME);
    await store.ready();
    await store.close();
    const db = await rawDatabase(NAME);
    await schemaOf(db).updateOne({ _id: 'schema' }, { $inc: { version: 1 } });
    await db.collection('limits').drop();
    const before = await collectionsOf(db);
    const schema = await schemaOf(db).findOne({});

    const refused = await mongodbPeer(NAME);
    await rejected('store-unavailable', refused.ready());
    await rejected(
      'store-unavailable',
      refused.read(async () => 1),
    );
    await refused.close();
    expect(await collectionsOf(db)).to.deep.equal(before);
    expect(await schemaOf(db).findOne({})).to.deep.equal(schema);
    await schemaOf(db).deleteOne({});
  });
});

/**
 * Histories of a task with comments, of a board and its page that were in the trash, and of a board whose page has none,
 * before and after the floor of the log.
 */
async function addHistories(store: Store) {
  const [workspaceId, taskId, boardId, otherId] = [newId(), newId(), newId(), newId()];
  const task = { kind: 'task', recordId: taskId, boardId, fromBoardId: otherId } as const;
  const comment = { kind: 'comment', taskId, boardId } as const;
  const pages = [boardId, otherId].map((id) => ({ kind: 'page', recordId: id, boardId: id }) as const);
  for (let n = 0; n < 6; n += 1) {
    const verb = n % 2 === 0 ? 'delete' : 'restore';
    const changes = [
      newChange({ ...task, requestId: `of ${n}`, entry: { verb: 'update', changes: `[${n}]` } }),
      newChange({ ...comment, userId: newId(), entry: { verb: 'create', changes: '[]' } }),
      newChange(),
      newChange({ kind: 'board', recordId: boardId, boardId, entry }),
      ...pages.map((one) => newChange({ ...one, entry: { verb, changes: '[]' } })),
    ];
    await store.write((tx) => tx.changeLog.append(workspaceId, changes));
  }
  const floor = 20;
  expect(await store.write((tx) => tx.changeLog.trim(workspaceId, floor, 15))).to.equal(true);
  const ofPage = { workspaceId, kinds: ['page'], recordIds: [otherId] } as const;
  await store.write((tx) => tx.changeLog.removeHistories(ofPage, 100));
  const oldest = (await rawDatabase(NAME)).collection<{ _id: string }>('changeLog');
  await oldest.updateOne({ _id: `${workspaceId} 1` }, { $set: { oldestOf: [`task ${taskId}`] } });
  await oldest.updateOne({ _id: `${workspaceId} 5` }, { $set: { oldestOf: [`page ${boardId}`] } });
  const histories = (['task', 'board', 'page'] as const).flatMap((kind) =>
    [taskId, boardId, otherId].map((recordId) => ({ workspaceId, kind, recordId })),
  );
  const all = (of: Store) =>
    of.read(async (tx) => ({
      log: await tx.changeLog.list(workspaceId, 0, 100),
      histories: await Promise.all(histories.map((one) => tx.changeLog.historyOf(one, null, 100))),
      truncated: await Promise.all(histories.map((one) => tx.changeLog.isTruncated(one))),
    }));
  const { histories: found, truncated } = await all(store);
  expect(found.map(({ length }) => length)).to.deep.equal([12, 0, 0, 0, 12, 6, 0, 6, 0]);
  expect(truncated.filter(Boolean)).to.have.length(2);
  return { workspaceId, all };
}

/** The names of all fields by collection, and of all indexes. */
async function collectionsOf(db: Db): Promise<Document> {
  const found: Record<string, readonly string[]> = {};
  for (const collection of await db.collections()) {
    const fields = new Set<string>();
    for await (const doc of collection.find()) for (const field in doc) fields.add(field);
    const indexes = await collection.indexes();
    found[collection.collectionName] = [...[...fields].toSorted(), ...indexes.map(({ name }) => name!).toSorted()];
  }
  return found;
}
