import { assert, expect } from 'chai';
import type { EspalierError } from '../../../../core/kernel/errors.ts';
import { mongodbStore } from '../../../../adapters/store-mongodb/index.ts';
import { rejects } from '../../../fixtures/errors.ts';
import { eventually, type Mongod } from '../../../fixtures/mongodb/mongod.ts';
import { ownReplicaSet } from '../../../fixtures/mongodb/own-replica-set.ts';
import { realPorts } from '../service.ts';
import { createEngine } from '../../../../core/engine.ts';

/** Stops a member from taking over entries of others, or lets it go on. */
const follow = (member: Mongod, follows: boolean) =>
  member.command({ configureFailPoint: 'stopReplProducer', mode: follows ? 'off' : 'alwaysOn' });

/** Whether a read waits on a member for a majority. */
async function isAsked(member: Mongod): Promise<boolean> {
  const waiting = { currentOp: true, 'command.readConcern.level': 'linearizable' };
  const { inprog } = await member.command(waiting);
  return (inprog as readonly unknown[]).length > 0;
}

describe('a new primary', function () {
  this.timeout(120_000);
  const cluster = ownReplicaSet();

  it('is not read from before it knows what was acknowledged by the one before it', async () => {
    const { set } = cluster;
    const { url, members } = set;
    const store = mongodbStore({ url });
    try {
      const engine = createEngine(realPorts(store));
      const operator = { caller: { kind: 'operator' } } as const;
      const { id } = await engine.users.create(operator, { name: 'Ada', email: 'ada@example.org' });
      const before = await set.primary();
      const [next, third] = members.filter((member) => member !== before) as [Mongod, Mongod];
      await follow(third, false);
      await engine.users.update(operator, { userId: id, name: 'Ada Byron' });
      await follow(before, false);
      await next.command({ replSetStepUp: 1 });
      // Until it knows that it was replaced, it answers reads itself.
      await eventually(async () =>
        expect(await before.command({ hello: 1 })).to.have.property('isWritablePrimary', false),
      );
      let knows = false;
      const reading = eventually(() => store.read((tx) => tx.users.get(id))).then((user) => ({ user, knows }));
      await Promise.race([
        eventually(async () => assert(await isAsked(next))),
        reading.then(() => assert.fail('It was read from.')),
      ]);
      knows = true;
      await Promise.all([follow(before, true), follow(third, true)]);
      expect(await reading).to.have.nested.property('user.name', 'Ada Byron');
      expect(await reading).to.have.property('knows', true);
    } finally {
      await store.close();
    }
  });

  it('ends the reads from the one before it, also of a store that is connected directly to that', async () => {
    const { set } = cluster;
    const dbName = 'direct';
    const before = await set.primary();
    const direct = mongodbStore({ url: `mongodb://${before.address}/?directConnection=true`, dbName });
    const store = mongodbStore({ url: set.url, dbName });
    try {
      const engine = createEngine(realPorts(store));
      const operator = { caller: { kind: 'operator' } } as const;
      const { id } = await engine.users.create(operator, { name: 'Ada', email: 'ada@example.org' });
      const name = async () => (await direct.read((tx) => tx.users.get(id)))?.name;
      expect(await name()).to.equal('Ada');
      const [next] = set.members.filter((member) => member !== before) as [Mongod];
      await next.command({ replSetStepUp: 1 });
      await eventually(async () =>
        expect(await before.command({ hello: 1 })).to.have.property('isWritablePrimary', false),
      );
      await follow(before, false);
      await eventually(() => engine.users.update(operator, { userId: id, name: 'Ada Byron' }));
      await rejects(name(), { code: 'store-unavailable' });
      const opened = mongodbStore({ url: `mongodb://${before.address}/?directConnection=true`, dbName });
      await rejects(opened.ready(), ({ detail }: EspalierError) => expect(detail).to.include('directConnection'));
      await opened.close();
      await follow(before, true);
      await eventually(() => before.command({ replSetStepUp: 1 }));
      await eventually(async () => expect(await name()).to.equal('Ada Byron'));
    } finally {
      await Promise.all([store.close(), direct.close()]);
    }
  });
});
