import { assert, expect } from 'chai';
import type { EspalierError } from '../../../../core/kernel/errors.ts';
import { type Api, newApi } from '../../../edges/http/support.ts';
import { eventually } from '../../../fixtures/mongodb/mongod.ts';
import { ownReplicaSet } from '../../../fixtures/mongodb/own-replica-set.ts';

/** More than two groups of writers. */
const WRITERS = 80;

describe('a service whose cluster has no primary', function () {
  this.timeout(120_000);
  const cluster = ownReplicaSet();
  let api: Api;

  beforeEach(async () => {
    api = await newApi('in process', { espalier: cluster.open() });
  });

  afterEach(() => api.close());

  it('answers 503 with Retry-After, is not ready, and goes on by itself afterwards', async () => {
    const { token } = await api.user('ada');
    const status = async (path: string) => (await api.ask({ method: 'GET', path, token })).status;
    expect(await status('/readyz')).to.equal(200);
    const workspace = await api.ask({ method: 'POST', path: '/api/workspace', token, body: { name: 'Home' } });
    const others = cluster.set.members.slice(0, 2);
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
    // Those who wait in a queue are refused together, and not one group after another.
    const refused: string[] = [];
    const writes = Array.from({ length: WRITERS }, async () => {
      const write = api.espalier.store.write((tx) => tx.structures.get(workspace.json.id));
      await write.catch(({ code }: EspalierError) => refused.push(code));
    });
    await writes[0];
    await new Promise(setImmediate);
    expect(refused).to.deep.equal(writes.map(() => 'store-unavailable'));
    expect(await status('/healthz')).to.equal(200);
    await Promise.all(others.map((member) => member.start()));
    await eventually(async () => expect(await status('/readyz')).to.equal(200), 60_000);
    await eventually(async () => expect(await status('/api/workspace')).to.equal(200));
    const made = await api.ask({ method: 'POST', path: '/api/workspace', token, body: { name: 'Acme' } });
    expect(made.status).to.equal(201);
  });
});
