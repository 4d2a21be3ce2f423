import { expect } from 'chai';
import type { Store } from '../../../core/ports/store.ts';
import { newWorld, outcome } from '../../fixtures/world/world.ts';
import { externalUsers } from '../../edges/identity/external-users.ts';
import { emptyMongodbStore, mongodbPeer, mongodbUrl } from '../../fixtures/mongodb/mongodb.ts';

describe('external users, on MongoDB', function () {
  this.timeout(60_000);
  before(async function () {
    await mongodbUrl(this);
  });

  const open: Store[] = [];
  after(() => Promise.all(open.map((store) => store.close())));

  externalUsers(() => emptyMongodbStore('external-users'));

  it('are one user for several processes', async () => {
    const stores = [await emptyMongodbStore('external-peers'), await mongodbPeer('external-peers')];
    open.push(...stores);
    const worlds = stores.map((store, i) => newWorld(store, i * 1_000));
    const calls = Array.from({ length: 16 }, (_, i) => {
      const subject = `bob${i >> 2}`;
      const told = { issuer: 'i', subject, name: 'Bob', verifiedEmail: `${subject}@example.org`, links: false };
      return worlds[i % 2]!.as({ caller: { kind: 'external', ...told } }).me.get();
    });
    const ids = (await Promise.all(calls)).map(({ id }) => id);
    expect(new Set(ids).size).to.equal(4);
    await worlds[0]!.user('Ada');
    const both = worlds.map((world, i) => {
      const told = { issuer: 'i', subject: `ada${i}`, name: 'Ada', verifiedEmail: 'ada@example.org', links: true };
      return outcome(world.as({ caller: { kind: 'external', ...told } }).me.get());
    });
    expect((await Promise.all(both)).toSorted()).to.deep.equal(['ok', 'unauthenticated']);
  });
});
