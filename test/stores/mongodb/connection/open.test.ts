import { expect } from 'chai';
import { rejects, throws } from '../../../fixtures/errors.ts';
import { lookup } from 'node:dns';
import { readFile } from 'node:fs/promises';
import type { LookupFunction } from 'node:net';
import type { MongoClient, MongoClientOptions, ReadPreference } from 'mongodb';
import type { EspalierError } from '../../../../core/kernel/errors.ts';
import { mongodbStore, type MongodbStoreOptions } from '../../../../adapters/store-mongodb/index.ts';
import { INDEXES } from '../../../../adapters/store-mongodb/connection/collections.ts';
import { board, task, user, workspace } from '../../../contract/records.ts';
import { rejected } from '../../../contract/rejected.ts';
import { needs } from '../../../fixtures/available.ts';
import { eventually, startStandalone } from '../../../fixtures/mongodb/mongod.ts';
import { emptyMongodbStore, mongodbPeer, mongodbUrl, rawDatabase } from '../../../fixtures/mongodb/mongodb.ts';

describe('opening a MongoDB store', function () {
  this.timeout(60_000);

  before(async function () {
    await mongodbUrl(this);
  });

  it('makes the indexes that are documented, by name', async () => {
    const store = await emptyMongodbStore('open');
    await store.ready();
    await store.close();
    const db = await rawDatabase('open');
    for (const [name, indexes] of Object.entries(INDEXES)) {
      const there = (await db.collection(name).indexes()).map((index) => index.name);
      expect(new Set(there)).to.deep.equal(new Set(['_id_', ...indexes.map((index) => index.name)]));
    }
  });

  it('makes just what the documentation lists', async () => {
    const text = await readFile(new URL('../../../../../docs/mongodb.md', import.meta.url), 'utf8');
    const rows = [...text.matchAll(/^\| ((?:`[a-zA-Z]+`(?:, )?)+) +\| (.+?) +\|$/gm)];
    const listed = rows.flatMap(([, names, cells]) => {
      const indexes = [...cells!.matchAll(/`(\w+)` \(([^)]*)\)/g)].map(([, name, fields]) => [name, fields]);
      return [...names!.matchAll(/[a-zA-Z]+/g)].map(([name]) => [name, Object.fromEntries(indexes)] as const);
    });
    const made = Object.entries(INDEXES).map(([name, indexes]) => [
      name,
      Object.fromEntries(
        indexes.map((index) => {
          const kept = 'expireAfterSeconds' in index && index.expireAfterSeconds > 0 ? ['a day'] : [];
          const fields = Object.entries(index.key).map(([name, way]) => (way === 1 ? name : `${name} descending`));
          return [index.name, [...fields, ...kept].join(', ')];
        }),
      ),
    ]);
    expect(Object.fromEntries(listed)).to.deep.equal(Object.fromEntries(made));
  });

  it('says that user and password are not accepted, and repeats neither', async () => {
    const url = await mongodbUrl({ timeout: () => undefined } as never);
    const store = mongodbStore({ url: url.replace('//', '//someone:secret@') });
    const told = ({ code, message }: Error & { code?: unknown }) => {
      expect(code).to.equal('store-unavailable');
      expect(message)
        .to.match(/authSource/)
        .and.not.match(/someone|secret/);
    };
    await rejects(store.ready(), told);
    await rejects(
      store.read((tx) => tx.users.get('')),
      told,
    );
    await rejects(
      store.write((tx) => tx.users.get('')),
      told,
    );
    await store.close();
  });

  it('makes nothing where it must exist, and opens what is there', async () => {
    const db = await rawDatabase('absent');
    await db.dropDatabase();
    const url = await mongodbUrl({ timeout: () => undefined } as never);
    const options = { url, dbName: db.databaseName };
    const absent = mongodbStore({ ...options, mustExist: true });
    await rejects(absent.ready(), { code: 'not-found' });
    expect(await db.listCollections().toArray()).to.deep.equal([]);
    const made = mongodbStore(options);
    await made.ready();
    await absent.ready();
    await Promise.all([made.close(), absent.close()]);
  });

  it('is refused where an index cannot be made, with what is in its way, and works once that is gone', async () => {
    const store = await emptyMongodbStore('indexes');
    const { email } = await store.write(async (tx) => {
      const one = user();
      await tx.users.insert(one);
      return one;
    });
    await store.close();
    const users = (await rawDatabase('indexes')).collection<{ _id: string; email: string }>('users');
    await users.dropIndex('email_unique');
    await users.insertOne({ _id: 'second', email });
    const opened = await mongodbPeer('indexes');
    const told = ({ code, message }: Error & { code?: unknown }) => {
      expect(code).to.equal('store-unavailable');
      expect(message).to.contain('email_unique').and.contain('users').and.not.contain(email);
    };
    await rejects(opened.ready(), told);
    await rejects(
      opened.read((tx) => tx.users.get('')),
      told,
    );
    await users.deleteOne({ _id: 'second' });
    for (const [inTheWay, options] of [
      ['email_unique', { unique: false }],
      ['email_unique', { unique: true, sparse: true }],
      ['email_unique', { unique: true, collation: { locale: 'en' } }],
      ['by_email', { unique: true }],
    ] as const) {
      await users.createIndex({ email: 1 }, { name: inTheWay, ...options });
      await rejects(opened.ready(), ({ code, detail }: EspalierError) => {
        expect(code).to.equal('store-unavailable');
        expect(detail).to.match(new RegExp(`users.* drop ${inTheWay},`));
      });
      await users.dropIndex(inTheWay);
    }
    await opened.ready();
    await opened.close();
  });

  it('may happen in several processes at once', async () => {
    const db = await rawDatabase('several');
    await db.dropDatabase();
    const url = await mongodbUrl({ timeout: () => undefined } as never);
    const stores = Array.from({ length: 4 }, () => mongodbStore({ url, dbName: db.databaseName }));
    await Promise.all(stores.map((store) => store.ready()));
    await Promise.all(stores.map((store) => store.write((tx) => tx.users.insert(user()))));
    expect((await stores[0]!.read((tx) => tx.users.list('all', {}, { limit: 9 }))).length).to.equal(4);
    await Promise.all(stores.map((store) => store.close()));
  });

  for (const [what, args, advice] of [
    ['stands alone', [], /--replSet rs0.*rs\.initiate\(\)/],
    ['waits to be told of its replica set', ['--replSet', 'rs0'], /rs\.initiate\(\)/],
  ] as const) {
    it(`is refused by a server that ${what}, with what to do about it`, async function () {
      const alone = await startStandalone(...args);
      needs(this, 'a mongod: set MONGOMS_SYSTEM_BINARY', alone !== null);
      try {
        const store = mongodbStore({ url: alone!.url });
        for (const call of [() => store.ready(), () => store.read(async () => 1), () => store.write(async () => 1)]) {
          await rejects(call(), (error: { code?: unknown; detail?: unknown }) => {
            expect(error.code).to.equal('store-unavailable');
            expect(String(error.detail)).to.match(advice);
            return true;
          });
        }
        await store.close();
      } finally {
        await alone!.stop();
      }
    });
  }

  it('fails where nobody listens, and leaves the store closable', async () => {
    const store = mongodbStore({ url: 'mongodb://127.0.0.1:9/', client: { serverSelectionTimeoutMS: 200 } });
    await rejected('store-unavailable', store.ready());
    await rejected(
      'store-unavailable',
      store.read((tx) => tx.users.get('x')),
    );
    await rejected(
      'store-unavailable',
      store.write((tx) => tx.users.insert(user())),
    );
    await store.close();
    await store.close();
  });

  it('is tried again by the next call when the first one has found no primary', async () => {
    const url = (await mongodbUrl({ timeout: () => undefined } as never)).replaceAll('127.0.0.1', 'localhost');
    let isInReach = false;
    // By the address: without a network, the name is not looked up.
    const lookUp: LookupFunction = (_, options, done) =>
      isInReach ? lookup('127.0.0.1', options, done) : done(new Error('out of reach'), '');
    const client = { serverSelectionTimeoutMS: 200, lookup: lookUp };
    const store = mongodbStore({ url, dbName: (await rawDatabase('reached')).databaseName, client });
    try {
      await rejects(store.ready(), { code: 'store-unavailable' });
      isInReach = true;
      await eventually(() => store.ready());
      await store.write((tx) => tx.users.insert(user()));
    } finally {
      await store.close();
    }
  });

  it('takes times from the URL, and waits longer for an answer than the server may work on a query', async () => {
    const timesOf = async (query: string, options: Partial<MongodbStoreOptions> = {}) => {
      let times: Partial<MongoClientOptions> = {};
      const observe = ({ options: driver }: MongoClient) => void (times = driver);
      await mongodbStore({ url: `mongodb://127.0.0.1:9/${query}`, ...options, observe }).close();
      const { appName, connectTimeoutMS, serverSelectionTimeoutMS, socketTimeoutMS } = times;
      return { appName, connectTimeoutMS, serverSelectionTimeoutMS, socketTimeoutMS };
    };
    const usual = await timesOf('');
    const named = {
      appName: 'mine',
      connectTimeoutMS: 9_000,
      serverSelectionTimeoutMS: 8_000,
      socketTimeoutMS: 70_000,
    };
    const query = '?appName=mine&connecttimeoutms=9000&serverSelectionTimeoutMS=8000&socketTimeoutMS=70000';
    expect(await timesOf(query)).to.deep.equal(named);
    const client = { serverSelectionTimeoutMS: 5_000 };
    expect(await timesOf(query, { client })).to.deep.equal({ ...named, ...client });
    const slow = await timesOf('', { queryTimeout: 90_000 });
    expect(slow.socketTimeoutMS).to.be.above(90_000);
    expect(slow).to.deep.equal({ ...usual, socketTimeoutMS: slow.socketTimeoutMS });
    expect(await timesOf('?socketTimeoutMS=70000', { queryTimeout: 90_000 })).to.include({ socketTimeoutMS: 70_000 });
  });

  it('keeps what safety depends on, whatever the URL and the options name', async () => {
    const named = {
      readPreference: 'secondary',
      writeConcern: { w: 1 },
      retryReads: false,
      retryWrites: false,
    } as const;
    for (const [query, client] of [
      ['', {}],
      ['?readPreference=secondary&w=1&retryReads=false&retryWrites=false', {}],
      ['', { ...named, ignoreUndefined: true }],
    ] as const) {
      let driver: Partial<MongoClientOptions> = {};
      const observe = ({ options }: MongoClient) => void (driver = options);
      await mongodbStore({ url: `mongodb://127.0.0.1:9/${query}`, client, observe }).close();
      const { readPreference, writeConcern, retryReads, retryWrites, ignoreUndefined } = driver;
      expect([(readPreference as ReadPreference).mode, writeConcern?.w]).to.deep.equal(['primary', 'majority']);
      expect([retryReads, retryWrites, ignoreUndefined]).to.deep.equal([true, true, false]);
    }
  });

  it('reads records as they were written, whatever the options say about values', async () => {
    // Beyond 32 bits, a number is of a type that the driver may present in several ways.
    const kept = task(board(workspace().id), 2 ** 40, { metadata: { sprint: 12 } });
    const options: readonly MongoClientOptions[] = [
      { raw: true },
      { promoteValues: false },
      { promoteLongs: false },
      { useBigInt64: true },
      { fieldsAsRaw: { metadata: true } },
    ];
    const db = await rawDatabase('values');
    for (const client of options) {
      const store = await emptyMongodbStore('values', { client });
      await store.write((tx) => tx.tasks.insert(kept));
      await db.collection('tasks').updateMany({}, [{ $set: { num: { $toLong: '$num' } } }]);
      const peer = await mongodbPeer('values', { client });
      const found = await peer.read((tx) => tx.tasks.get(kept.workspaceId, kept.id));
      expect(found, JSON.stringify(client)).to.deep.equal(kept);
      await Promise.all([store.close(), peer.close()]);
    }
  });

  it('says what is wrong with its URL, also where MongoDB or the driver finds out only then', async () => {
    const there = await emptyMongodbStore('Case');
    await there.ready();
    await there.close();
    const url = await mongodbUrl({ timeout: () => undefined } as never);
    const { databaseName } = await rawDatabase('Case');
    const [hosts, query = ''] = url.split('/?');
    const wrong: Record<string, RegExp> = {
      [`${hosts}/${databaseName.toLowerCase()}?${query}`]: /upper and lower case/,
      [`${hosts}/a%20b?${query}`]: /name of the database/,
      [`${hosts}/${'x'.repeat(64)}?${query}`]: /name of the database/,
      [`${hosts}/?${query}&maxPoolSize=1&minPoolSize=2`]: /pool/,
      [`${hosts}/?${query}&tls=true&tlsCAFile=/absent/ca.pem`]: /tlsCAFile.*ENOENT/,
      [`${hosts}/?${query}&tls=true`]: /TLS/,
      [`${hosts}/?replicaSet=another`]: /replica set/,
    };
    for (const [one, what] of Object.entries(wrong)) {
      const store = mongodbStore({ url: one, client: { serverSelectionTimeoutMS: 500 } });
      await rejects(store.ready(), ({ code, detail }: EspalierError) => {
        expect(code).to.equal('store-unavailable');
        expect(detail).to.match(what).and.not.include('/absent');
      });
      await store.close();
    }
    for (const dbName of ['local', 'config']) throws(() => mongodbStore({ url, dbName }), { code: 'invalid-input' });
  });

  it('takes no read concern that would undo its snapshots', () => {
    throws(
      () => mongodbStore({ url: 'mongodb://127.0.0.1/?readConcernLevel=local' }),
      (error: { code?: unknown }) => error.code === 'invalid-input',
    );
  });
});
