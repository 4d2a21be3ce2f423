import { assert } from 'chai';
import type { CommandStartedEvent, Db, Document, MongoClient } from 'mongodb';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import type { MongodbStoreOptions } from '../../../../adapters/store-mongodb/index.ts';
import { collectionContract } from '../../../contract/collections.ts';
import { isolationContract } from '../../../contract/isolation.ts';
import { reachContract } from '../../../contract/reach.ts';
import { structureContract } from '../../../contract/structures.ts';
import type { StoreTarget } from '../../../contract/target.ts';
import { taskFindContract } from '../../../contract/task-find.ts';
import { compareStores } from '../../../proofs/property/sequence/sequences.ts';
import { emptyMongodbStore, mongodbPeer, mongodbUrl } from '../../../fixtures/mongodb/mongodb.ts';

const pipelines: Document[] = [];

/**
 * The way taken on a sharded cluster, which is told by the first answer of its router. There is no router to
 * test with, so here the replica set says that it is one.
 */
const asRouter: Pick<MongodbStoreOptions, 'observe' | 'client'> = {
  client: { monitorCommands: true },
  observe(client: MongoClient) {
    const original = client.db.bind(client);
    client.db = (name, options): Db => {
      const db = original(name, options);
      if (name !== 'admin') return db;
      const command = db.command.bind(db);
      db.command = async (...args) => {
        const answer = await command(...args);
        return 'hello' in args[0] ? { ...answer, msg: 'isdbgrid' } : answer;
      };
      return db;
    };
    client.on('commandStarted', ({ command }: CommandStartedEvent) => void pipelines.push(command['pipeline'] ?? []));
  },
};

describe('through a router', function () {
  this.timeout(60_000);

  before(async function () {
    await mongodbUrl(this);
  });

  const target: StoreTarget = {
    name: 'mongodb as if sharded',
    runs: 1,
    open: () => emptyMongodbStore('router', asRouter),
    async reopen(store) {
      await store.close();
      return mongodbPeer('router', asRouter);
    },
    peer: () => mongodbPeer('router', asRouter),
  };

  // The parts of the contract with reads of several queries: a write asks one at a time with any server.
  for (const contract of [collectionContract, isolationContract, structureContract, reachContract, taskFindContract]) {
    contract(target);
  }

  it('sequences are answered as in memory, and no queries go together', async () => {
    await compareStores({
      reference: async () => memoryStore(),
      candidate: () => emptyMongodbStore('router', asRouter),
      sequences: 3,
      length: 50,
      perStore: 3,
    });
    assert(pipelines.length > 0);
    assert(!JSON.stringify(pipelines).includes('$unionWith'));
  });
});
