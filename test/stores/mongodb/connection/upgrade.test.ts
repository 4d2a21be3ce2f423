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

/** As an early build has left it. */
async function toFirstFormat(db: Db): Promise<void> {
  const rename = async (collection: string, fields: Readonly<Record<string, string>>) =>
    db.collection(collection).updateMany({}, { $rename: fields });
  // Counts that hold no more, as a later build left them before this one wrote.
  await db.collection<{ _id: string }>('locks').updateMany({ _id: /^counts\// }, { $set: { tasks: { gone: 7 } } });
  await rename('locks', {
    exists: 'open',
    createdAtRevision: 'born',
    settledAtRevision: 'settled',
    lastNum: 'nums',
    taskCount: 'tally',
    version: 'claims',
  });
  await rename('changeLog', { offset: 'place' });
  await rename('history', { offset: 'place' });
  await rename('idempotency', { record: 'replay', expiresAt: 'sweepAt' });
  await db.collection('idempotency').rename('replays');
  await db.collection('jobs').rename('purges');
  await schemaOf(db).deleteOne({});
}

/** The collection with the document that holds the version, where nothing else is set. */
function schemaOf(db: Db) {
  return db.collection<{ _id: string; version: number }>('settings');
}
