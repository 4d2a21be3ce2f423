import { expect } from 'chai';
import { createHttpApp } from '../../../adapters/http/index.ts';
import { createEspalier, type Espalier } from '../../../adapters/service/index.ts';
import { memoryStore } from '../../../adapters/store-memory/index.ts';

const EXTERNAL = { kind: 'external', issuer: 'x', subject: 's', name: 'Ada', verifiedEmail: null, links: false };

/** What no identity may give: the fault of the host. */
const NO_CALLERS: readonly unknown[] = [
  'an id',
  5,
  {},
  { kind: 'admin', userId: 'x' },
  { kind: 'user' },
  { kind: 'user', userId: 5 },
  { kind: 'user', userId: { $ne: 1 } },
  { kind: 'external', issuer: 'x', subject: 's' },
  { ...EXTERNAL, subject: '' },
  { ...EXTERNAL, name: ' ' },
  { ...EXTERNAL, name: 'x'.repeat(201) },
  { ...EXTERNAL, name: '\0' },
  { ...EXTERNAL, verifiedEmail: 'nonsense' },
  { ...EXTERNAL, issuer: 'with space' },
];

describe('an identity of the host', () => {
  let given: unknown;
  let espalier: Espalier;
  const logged: unknown[] = [];
  let ask: () => Promise<number>;
  before(() => {
    const identity = { authenticate: () => Promise.resolve(given as never) };
    espalier = createEspalier({ store: memoryStore(), identity });
    const logger = { info: () => undefined, error: (fields: object) => void logged.push(fields) };
    const ready = () => Promise.resolve();
    const app = createHttpApp({ engine: espalier.engine, identity: espalier.identity, ready, logger });
    const headers = { authorization: 'Basic x' };
    ask = async () => (await app.fetch(new Request('http://localhost/api/me', { headers }))).status;
  });
  after(() => espalier.close());

  it('that gives no caller is at fault itself, and makes no user', async () => {
    for (given of NO_CALLERS) expect(await ask(), JSON.stringify(given)).to.equal(500);
    expect(logged).to.have.length(NO_CALLERS.length);
    expect((await espalier.users.list()).items).to.deep.equal([]);
  });

  it('that gives nothing knows nobody', async () => {
    for (given of [null, undefined]) expect(await ask()).to.equal(401);
  });

  it('that gives a caller signs in', async () => {
    const ada = await espalier.users.create({ name: 'Ada', email: 'ada@example.org' });
    for (given of [{ kind: 'user', userId: ada.id }, EXTERNAL]) expect(await ask()).to.equal(200);
    given = { kind: 'user', userId: 'nobody' };
    expect(await ask()).to.equal(401);
  });
});
