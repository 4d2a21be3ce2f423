import { assert, expect } from 'chai';
import { createEspalier } from '../../../adapters/service/index.ts';
import { mongodbStore } from '../../../adapters/store-mongodb/index.ts';
import { type Api, newApi } from '../../edges/http/support.ts';
import { needs } from '../../fixtures/available.ts';
import { eventually, type ReplicaSet, startReplicaSet } from '../../fixtures/mongod.ts';

describe('a service whose cluster has no primary', function () {
  this.timeout(120_000);
  let set: ReplicaSet | null = null;
  let api: Api;

  before(async function () {
    set = await startReplicaSet();
    needs(this, 'a mongod: set MONGOMS_SYSTEM_BINARY', set !== null);
    api = await newApi('in process', { espalier: createEspalier({ store: mongodbStore({ url: set!.url }) }) });
  });

  after(async () => {
    await api?.close();
    await set?.stop();
  });

  it('answers 503 with Retry-After, is not ready, and goes on by itself afterwards', async () => {
    const { members } = set as ReplicaSet;
    const { token } = await api.user('ada');
    const status = async (path: string) => (await api.ask({ method: 'GET', path, token })).status;
    expect(await status('/readyz')).to.equal(200);
    const others = members.filter((member) => member !== undefined).slice(0, 2);
    await Promise.all(others.map((member) => member.stop('SIGKILL')));
    await eventually(async () => expect(await status('/readyz')).to.equal(503), 60_000);
    for (const ask of [
      { method: 'GET', path: '/api/workspace', token },
      { method: 'POST', path: '/api/workspace', token, body: { name: 'Acme' } },
    ]) {
      const answer = await api.ask(ask);
      expect(answer.status).to.equal(503);
      expect(answer.json.code).to.equal('store-unavailable');
      assert(Number(answer.headers.get('retry-after')) > 0);
    }
    expect(await status('/healthz')).to.equal(200);
    await Promise.all(others.map((member) => member.start()));
    await eventually(async () => expect(await status('/readyz')).to.equal(200), 60_000);
    await eventually(async () => expect(await status('/api/workspace')).to.equal(200));
    const made = await api.ask({ method: 'POST', path: '/api/workspace', token, body: { name: 'Acme' } });
    expect(made.status).to.equal(201);
  });
});
