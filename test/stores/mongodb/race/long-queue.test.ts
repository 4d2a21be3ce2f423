import { expect } from 'chai';
import { v7 } from 'uuid';
import type { EspalierError } from '../../../../core/kernel/errors.ts';
import { emptyMongodbStore, mongodbUrl, rawDatabase } from '../../../fixtures/mongodb/mongodb.ts';

/** More than two groups of writers. */
const WRITERS = 80;

describe('writers who wait in a queue for a workspace that stays locked', function () {
  this.timeout(60_000);

  before(async function () {
    await mongodbUrl(this);
  });

  /** A workspace that another transaction has locked, and writes that want it. */
  async function locked(name: string) {
    let onTry = (): void => undefined;
    const tried = new Promise<void>((resolve) => (onTry = resolve));
    const store = await emptyMongodbStore(name, {
      retryFor: 500,
      client: { monitorCommands: true },
      observe: (client) => client.on('commandStarted', ({ commandName }) => commandName === 'findAndModify' && onTry()),
    });
    const db = await rawDatabase(name);
    const workspaceId = v7();
    await store.ready();
    const locks = db.collection<{ _id: string }>('locks');
    await locks.insertOne({ _id: workspaceId });
    const holder = db.client.startSession();
    holder.startTransaction();
    await locks.updateOne({ _id: workspaceId }, { $inc: { seq: 1 } }, { session: holder });
    const refused: string[] = [];
    const write = async (): Promise<void> => {
      await store.write((tx) => tx.structures.get(workspaceId)).catch(({ code }: EspalierError) => refused.push(code));
    };
    const end = async () => {
      await holder.abortTransaction();
      await holder.endSession();
      await store.close();
    };
    return { tried, refused, write, end };
  }

  it('are refused with the group before them, and not one group after another', async () => {
    const { tried, refused, write, end } = await locked('long-queue');
    try {
      const first = write();
      await tried;
      const [next, ...others] = Array.from({ length: WRITERS }, write);
      await first;
      expect(refused).to.have.length(1);
      await next;
      await new Promise(setImmediate);
      expect(refused).to.deep.equal([first, next, ...others].map(() => 'store-busy'));
    } finally {
      await end();
    }
  });

  it('are refused in time while the clock of the machine is set back', async () => {
    const { tried, refused, write, end } = await locked('set-back');
    const { now } = Date;
    try {
      const first = write();
      await tried;
      Date.now = () => now() - 3_600_000;
      await first;
      expect(refused).to.deep.equal(['store-busy']);
    } finally {
      Date.now = now;
      await end();
    }
  });
});
