import { expect } from 'chai';
import { createClient } from '../../../adapters/client/index.ts';
import { createHttpApp, jwtIdentity, serve } from '../../../adapters/http/index.ts';
import { createEspalier, type Espalier, openStore } from '../../../adapters/service/index.ts';
import { embeddedStore } from '../../../adapters/store-embedded/index.ts';
import { memoryStore } from '../../../adapters/store-memory/index.ts';
import { mongodbStore } from '../../../adapters/store-mongodb/index.ts';
import { EspalierError } from '../../../core/kernel/errors.ts';
import { rejects } from '../../fixtures/errors.ts';

/** The pointers of what is refused. */
async function refusal(work: () => unknown): Promise<string[]> {
  let error: unknown = 'it was taken';
  try {
    await work();
  } catch (reason) {
    error = reason;
  }
  expect(error).to.be.instanceOf(EspalierError).with.property('code', 'invalid-input');
  return (error as EspalierError).errors.map(({ pointer }) => pointer);
}

const url = 'http://localhost';

describe('what the library is made of', () => {
  let espalier: Espalier;
  before(() => void (espalier = createEspalier({ store: memoryStore() })));
  after(() => espalier.close());

  it('is checked by createEspalier', async () => {
    const store = memoryStore();
    const made = (parts: unknown) => refusal(() => createEspalier(parts as never));
    for (const none of [undefined, null, 5]) expect(await made(none)).to.deep.equal(['']);
    for (const none of [undefined, null, {}, openStore('memory:'), store.read.bind(store)]) {
      expect(await made({ store: none })).to.deep.equal(['/store']);
    }
    expect(await made({ store, gaurds: [] })).to.deep.equal(['/gaurds']);
    expect(await made({ store, guards: [{}] })).to.deep.equal(['/guards']);
    expect(await made({ store, clock: Date.now })).to.deep.equal(['/clock']);
    expect(await made({ store, quotas: null })).to.deep.equal(['/quotas']);
    expect(await made({ store, keepChanges: '30d' })).to.deep.equal(['/keepChanges']);
    expect(await made({ store, keepChanges: { days: 30 } })).to.deep.equal(['/keepChanges/days']);
    expect(await made({ store, identity: {} })).to.deep.equal(['/identity']);
    expect(await made({ store, impersonation: 'no' })).to.deep.equal(['/impersonation']);
  });

  it('is at fault where its clock or its ids give what no record can have', async () => {
    const clocks = [NaN, -1, 1e18, '5', new Date()].map((now) => ({ clock: { now: () => now } }));
    const ids = ['a', undefined, Promise.resolve('a'), '018F6A3E-0000-7000-8000-000000000001'].map((id) => ({
      ids: { next: () => id, secret: () => id },
    }));
    for (const parts of [...clocks, ...ids]) {
      const made = createEspalier({ store: memoryStore(), ...(parts as object) });
      await rejects(made.users.create({ name: 'Ada', email: 'ada@example.org' }), TypeError);
      await made.close();
    }
  });

  it('is checked where a user is named', async () => {
    const user = espalier.users.create({ name: 'Ada', email: 'ada@example.org' });
    for (const none of [user, undefined, null, {}, 5, { id: 5 }, 'ada@example.org']) {
      expect(await refusal(() => espalier.as(none as never))).to.deep.equal(['/user']);
    }
    expect((await espalier.as(await user).me.get()).name).to.equal('Ada');
  });

  it('is checked by serve and createHttpApp, where a limit that is no number would limit nothing', async () => {
    const served = (options: unknown) => refusal(() => serve(espalier, { port: 0, ...(options as object) }));
    for (const none of [undefined, null, {}]) expect(await refusal(() => serve(none as never))).to.deep.equal(['']);
    for (const none of [null, 4800, '4800'])
      expect(await refusal(() => serve(espalier, none as never))).to.deep.equal(['']);
    expect(await served({ port: 'x' })).to.deep.equal(['/port']);
    expect(await served({ bodyLimit: NaN })).to.deep.equal(['/bodyLimit']);
    // Of the parts of a service some would take 0 for no time, and some for no limit.
    for (const name of ['stallTimeout', 'requestTimeout'])
      expect(await served({ [name]: 0 })).to.deep.equal([`/${name}`]);
    expect(await served({ limits: { requestsPerMinute: '100' } })).to.deep.equal(['/limits/requestsPerMinute']);
    expect(await served({ limits: { perMinute: 100 } })).to.deep.equal(['/limits/perMinute']);
    expect(await served({ streams: 5 })).to.deep.equal(['/streams']);
    expect(await served({ waits: { perUser: null } })).to.deep.equal(['/waits/perUser']);
    expect(await served({ trustedProxies: '10.0.0.0/8' })).to.deep.equal(['/trustedProxies']);
    expect(await served({ trustedProxies: ['10.0.0.0/33'] })).to.deep.equal(['/trustedProxies']);
    expect(await served({ corsOrigins: ['https://a.example.org/'] })).to.deep.equal(['/corsOrigins']);
    expect(await served({ trustedProxy: [] })).to.deep.equal(['/trustedProxy']);
    expect(await refusal(() => createHttpApp({ engine: espalier.engine } as never))).to.deep.equal(['/identity']);
  });

  it('is checked by createHttpApp, which has no server whose connections it could limit', async () => {
    const { engine, identity } = espalier;
    const app = { engine, identity, ready: () => espalier.store.ready() };
    for (const option of ['port', 'maxConnections', 'requestTimeout'])
      expect(await refusal(() => createHttpApp({ ...app, [option]: 4800 }))).to.deep.equal([`/${option}`]);
  });

  it('is checked by jwtIdentity, where a misspelt bound would let more tokens pass', async () => {
    const made = (issuer: unknown) => refusal(() => jwtIdentity(issuer as never));
    const given = { issuer: 'https://login.example.org', audience: 'tasks' };
    for (const none of [undefined, null, 'https://login.example.org']) expect(await made(none)).to.deep.equal(['']);
    expect(await made({ audience: 'tasks' })).to.deep.equal(['/issuer']);
    expect(await made({ issuer: given.issuer })).to.deep.equal(['/audience']);
    expect(await made({ ...given, algorithm: ['RS256'] })).to.deep.equal(['/algorithm']);
    expect(await made({ ...given, algorithms: 'RS256' })).to.deep.equal(['/algorithms']);
  });

  it('is checked by createClient, where retries that are no number would never end', async () => {
    const made = (options: unknown) => refusal(() => createClient(options as never));
    for (const none of [undefined, null]) expect(await made(none)).to.deep.equal(['']);
    expect(await made({})).to.deep.equal(['/url']);
    expect(await made({ url: 5 })).to.deep.equal(['/url']);
    for (const token of [null, 5, Promise.resolve('x')]) expect(await made({ url, token })).to.deep.equal(['/token']);
    expect(await made({ url, retries: NaN })).to.deep.equal(['/retries']);
    expect(await made({ url, timeout: '5s' })).to.deep.equal(['/timeout']);
    expect(await made({ url, fetch: 5 })).to.deep.equal(['/fetch']);
    expect(await made({ url, headers: {} })).to.deep.equal(['/headers']);
  });

  it('is checked by the stores', async () => {
    for (const none of [undefined, null]) {
      expect(await refusal(() => embeddedStore(none as never))).to.deep.equal(['']);
      expect(await refusal(() => mongodbStore(none as never))).to.deep.equal(['']);
    }
    for (const path of [undefined, null, 5, '']) {
      expect(await refusal(() => embeddedStore({ path } as never))).to.deep.equal(['/path']);
    }
    for (const path of ['file:a', 'memory:', 'mongodb://localhost/a']) {
      expect(await refusal(() => embeddedStore({ path }))).to.deep.equal(['/path']);
    }
    expect(await refusal(() => embeddedStore({ path: 'a', durable: 'yes' } as never))).to.deep.equal(['/durable']);
    for (const of of [undefined, null, 5, 'localhost:27017']) {
      expect(await refusal(() => mongodbStore({ url: of } as never))).to.deep.equal(['/url']);
    }
    for (const of of [undefined, null, 5]) expect(await refusal(() => openStore(of as never))).to.deep.equal(['/url']);
    // A misspelt one would make a store where one must be.
    for (const [name, value] of [
      ['mustExists', true],
      ['mustExist', 'yes'],
      ['fileMode', '0600'],
    ] as const) {
      expect(await refusal(() => openStore('memory:', { [name]: value }))).to.deep.equal([`/${name}`]);
    }
  });
});
