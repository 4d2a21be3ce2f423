import { MongoClient } from 'mongodb';
import { rejected } from '../../../contract/rejected.ts';
import { needs } from '../../../fixtures/available.ts';
import { failCommands } from '../../../fixtures/mongodb/fail-commands.ts';
import { mongodbPeer, mongodbUrl } from '../../../fixtures/mongodb/mongodb.ts';

const APP = 'espalier-ready';
/** What the server answers to a user who has lost the role that allows a command. */
const UNAUTHORIZED = 13;
const WRITES = ['insert', 'update', 'delete', 'findAndModify'];
const READS = ['find', 'aggregate'];

describe('a MongoDB store that was opened', function () {
  this.timeout(60_000);
  let admin: MongoClient;

  before(async function () {
    admin = new MongoClient(await mongodbUrl(this));
    needs(this, 'a MongoDB with enableTestCommands', await refusing([]));
  });

  after(() => admin?.close());

  function refusing(commands: readonly string[]): Promise<boolean> {
    const data = { failCommands: ['none', ...commands], errorCode: UNAUTHORIZED, appName: APP };
    return failCommands(admin, data, 'alwaysOn');
  }

  for (const [lost, commands] of [
    ['has lost their role', [...READS, ...WRITES]],
    ['may only read', WRITES],
  ] as const) {
    it(`is not ready while its user ${lost}, and is again afterwards`, async () => {
      const store = await mongodbPeer('ready', { client: { appName: APP } });
      try {
        await store.ready();
        await refusing(commands);
        await rejected('store-unavailable', store.ready());
        await refusing([]);
        await store.ready();
      } finally {
        await refusing([]);
        await store.close();
      }
    });
  }
});
