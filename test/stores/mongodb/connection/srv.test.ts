import { assert, expect } from 'chai';
import dns from 'node:dns';
import type { LookupFunction } from 'node:net';
import { mongodbStore } from '../../../../adapters/store-mongodb/index.ts';
import { user } from '../../../contract/records.ts';
import { rejected } from '../../../contract/rejected.ts';
import { needs } from '../../../fixtures/available.ts';
import { mongodbUrl, rawDatabase } from '../../../fixtures/mongodb/mongodb.ts';
import { nameServer, type NameServer } from './name-server.ts';

/** Names of the members, which no name server of the machine knows. */
const lookup: LookupFunction = (_name, { all }, done) =>
  all === true ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4);

describe('a mongodb+srv URL', function () {
  this.timeout(60_000);
  const before_ = dns.getServers();
  let names: NameServer;

  before(async function () {
    const url = await mongodbUrl(this);
    const { hosts, set } = /^mongodb:\/\/(?<hosts>[^/@]+)\/\?replicaSet=(?<set>\w+)$/.exec(url)?.groups ?? {};
    // Of a cluster that is given it is not known whether it can be reached without TLS and names.
    needs(this, 'a replica set of its own: MONGODB_URL names another', hosts !== undefined);
    const ports = hosts!.split(',').map((host) => Number(host.split(':')[1]));
    const targets = ports.map((port, n) => ({ name: `member${n}.cluster.espalier.test`, port }));
    names = await nameServer(targets, `replicaSet=${set}`);
    dns.setServers([names.address]);
  });

  after(() => {
    dns.setServers(before_);
    names?.close();
  });

  it('finds the members and the name of the set by DNS', async () => {
    const { databaseName } = await rawDatabase('srv');
    const url = `mongodb+srv://db.cluster.espalier.test/${databaseName}?tls=false`;
    let set: string | undefined;
    const store = mongodbStore({
      url,
      client: { lookup },
      observe: (client) =>
        client.on('topologyDescriptionChanged', ({ newDescription }) => (set = newDescription.setName ?? set)),
    });
    try {
      await store.ready();
      const ada = user();
      await store.write((tx) => tx.users.insert(ada));
      expect(await store.read((tx) => tx.users.get(ada.id))).to.deep.equal(ada);
      assert(set !== undefined);
      const there = await (await rawDatabase('srv')).collection('users').countDocuments();
      expect(there).to.equal(1);
    } finally {
      await store.close();
    }
  });

  it('whose name has no such records is told as a store that cannot be reached', async () => {
    dns.setServers(['127.0.0.1:9']);
    const store = mongodbStore({ url: 'mongodb+srv://nowhere.espalier.test/?tls=false' });
    await rejected('store-unavailable', store.ready());
    await store.close();
  });
});
