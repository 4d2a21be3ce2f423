import { assert, expect } from 'chai';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { MongoClient } from 'mongodb';
import {
  emptyMongodbStore,
  mongodbPeer,
  mongodbUrl,
  mongodbUrlOf,
  rawDatabase,
} from '../../../fixtures/mongodb/mongodb.ts';
import { type Service, serviceOn } from '../service.ts';
import type { Holder } from './holder.ts';
import { bundled } from '../../../fixtures/process/bundled.ts';

const script = bundled(new URL('./holder.js', import.meta.url));

describe('a process that is gone in the middle of a transaction', function () {
  this.timeout(60_000);
  let service: Service;

  before(async function () {
    await mongodbUrl(this);
    service = await serviceOn((options) => emptyMongodbStore('abandoned', options));
  });

  after(() => service?.store.close());

  /** A process that holds a workspace in a transaction that nothing ends. */
  async function holder(workspaceId: string) {
    const child = fork(script());
    const url = await mongodbUrl({ timeout: () => undefined } as never);
    const { databaseName: dbName } = await rawDatabase('abandoned');
    child.send({ url, dbName, workspaceId } satisfies Holder);
    await once(child, 'message');
    return child;
  }

  async function workspace() {
    const operator = { caller: { kind: 'operator' } } as const;
    const email = `ada-${process.hrtime.bigint()}@x.org`;
    const { id: userId } = await service.engine.users.create(operator, { name: 'Ada', email });
    const ada = service.as(userId);
    const { id: workspaceId } = await ada.workspaces.create({ name: 'Acme' });
    return { ada, workspaceId };
  }

  for (const signal of ['SIGKILL', 'SIGSTOP'] as const) {
    it(`by ${signal} holds others up no longer than they try`, async () => {
      const { ada, workspaceId } = await workspace();
      const child = await holder(workspaceId);
      try {
        child.kill(signal);
        const before = service.conflicts();
        const page = await ada.pages.create({ workspaceId, name: 'Page', type: 'folder' });
        assert(service.conflicts() > before, 'nothing was in the way');
        expect((await ada.pages.list({ workspaceId })).map(({ id }) => id)).to.deep.equal([page.id]);
      } finally {
        child.kill('SIGKILL');
      }
    });
  }

  it('is ended alone: transactions of other databases and programs go on, however long they are silent', async () => {
    const { ada, workspaceId } = await workspace();
    const elsewhere = await serviceOn((options) => emptyMongodbStore('abandoned-elsewhere', options));
    const { databaseName } = await rawDatabase('abandoned');
    const program = new MongoClient(await mongodbUrlOf('abandoned'), {
      driverInfo: { name: 'other', platform: databaseName },
    });
    const session = program.startSession();
    const hold = elsewhere.holdNext();
    let runs = 0;
    const silent = elsewhere.store.write(async (tx) => {
      runs += 1;
      await tx.structures.get(workspaceId);
    });
    await hold.reached;
    session.startTransaction();
    await program.db().collection('others').insertOne({}, { session });
    const child = await holder(workspaceId);
    try {
      child.kill('SIGSTOP');
      await ada.pages.create({ workspaceId, name: 'Page', type: 'folder' });
      await session.commitTransaction();
      hold.goOn();
      await silent;
      expect(runs).to.equal(1);
    } finally {
      child.kill('SIGKILL');
      hold.goOn();
      await silent;
      await program.close();
      await elsewhere.store.close();
    }
  });

  it('does not matter to a transaction that is only slow', async () => {
    const { workspaceId } = await workspace();
    const looks: unknown[] = [];
    const slow = await mongodbPeer('abandoned');
    const other = await mongodbPeer('abandoned', {
      client: { monitorCommands: true },
      observe: (client) =>
        client.on('commandStarted', ({ command }) => {
          if (JSON.stringify(command['pipeline'] ?? '').includes('$currentOp')) looks.push(command);
        }),
    });
    try {
      let runs = 0;
      let waiting: Promise<unknown> = Promise.resolve();
      await slow.write(async (tx) => {
        runs += 1;
        await tx.structures.get(workspaceId);
        waiting = other.write((inner) => inner.structures.get(workspaceId));
        while (looks.length < 6) await tx.boards.many(workspaceId, ['a', 'b']);
      });
      expect(runs).to.equal(1);
      await waiting;
    } finally {
      await slow.close();
      await other.close();
    }
  });
});
