import { expect } from 'chai';
import { inMemory, type Limit, type OpenLimiter } from '../../../../adapters/limiter/index.ts';
import type { Caller } from '../../../../core/ports/context.ts';
import { newApi, type Api, type Transport } from '../support.ts';

for (const transport of ['in process', 'through a socket'] satisfies Transport[]) {
  describe(`limits, ${transport}`, () => {
    let api: Api;
    afterEach(() => api.close());

    const left = async (token: string, headers = {}) => {
      const answer = await api.ask({ method: 'GET', path: '/api/me', token, headers });
      return [answer.status, answer.headers.get('ratelimit-remaining')];
    };

    it('are off unless configured', async () => {
      api = await newApi(transport);
      const { token } = await api.user('Ada');
      expect(await left(token)).to.deep.equal([200, null]);
    });

    it('let a token make so many requests in a minute, and others theirs', async () => {
      api = await newApi(transport, { limits: { requestsPerMinute: 3 } });
      const [ada, bob] = [await api.user('Ada'), await api.user('Bob')];
      expect(await left(ada.token)).to.deep.equal([200, '2']);
      const other = await api.ask({ method: 'POST', path: '/api/workspace', body: {}, token: ada.token });
      expect([other.status, other.headers.get('ratelimit-remaining')]).to.deep.equal([400, '1']);
      expect(await left('', { authorization: `bEARER    ${ada.token}` })).to.deep.equal([200, '0']);
      for (const path of ['/api/me', '/api/nothing', '/metrics']) {
        const over = await api.ask({ method: 'GET', path, token: ada.token });
        expect([over.status, over.json.code]).to.deep.equal([429, 'too-many-requests']);
        expect(over.headers.get('ratelimit-limit')).to.equal('3');
        for (const name of ['retry-after', 'ratelimit-reset']) {
          expect(Number(over.headers.get(name))).to.be.within(1, 60);
        }
      }
      expect(await left(bob.token)).to.deep.equal([200, '2']);
      expect((await api.ask({ method: 'GET', path: '/healthz' })).status).to.equal(200);
    });

    it('count all tokens of a user together', async () => {
      api = await newApi(transport, { limits: { requestsPerMinute: 4 } });
      const { id, token } = await api.user('Ada');
      const [second, third] = [
        await api.espalier.as(id).tokens.create({ name: 'second' }),
        await api.espalier.tokens.createFor({ userId: id, name: 'third' }),
      ];
      expect(await left(token)).to.deep.equal([200, '3']);
      expect(await left(second.token)).to.deep.equal([200, '2']);
      expect(await left(third.token)).to.deep.equal([200, '1']);
      expect(await left(second.token)).to.deep.equal([200, '0']);
      for (const each of [token, second.token, third.token]) expect((await left(each))[0]).to.equal(429);
    });

    it('count a token that was revoked for its user no longer', async () => {
      api = await newApi(transport, { limits: { requestsPerMinute: 4 } });
      const { id, token } = await api.user('Ada');
      const lost = await api.espalier.as(id).tokens.create({ name: 'lost' });
      expect(await left(lost.token)).to.deep.equal([200, '3']);
      await api.espalier.as(id).tokens.revoke({ tokenId: lost.id });
      for (const remaining of ['2', '3', '2', '1', '0']) expect(await left(lost.token)).to.deep.equal([401, remaining]);
      expect(await left(lost.token)).to.deep.equal([429, '0']);
      expect(await left(token)).to.deep.equal([200, '1']);
    });

    it('do no work for a request that is over them', async () => {
      api = await newApi(transport, { limits: { requestsPerMinute: 1 } });
      const { id, token } = await api.user('Ada');
      await left(token);
      await api.ask({ method: 'POST', path: '/api/workspace', body: { name: 'Acme' }, token });
      expect(await api.espalier.as(id).workspaces.list()).to.deep.equal([]);
    });
  });
}

describe('what is counted', () => {
  let api: Api;
  afterEach(() => api.close());

  const external = (issuer: string, subject: string): Caller => ({
    kind: 'external',
    issuer,
    subject,
    name: subject,
    verifiedEmail: null,
    links: false,
  });

  it('is counted for each caller by themselves, however they sign in', async () => {
    const callers: readonly Caller[] = [
      { kind: 'operator' },
      { kind: 'token', hash: 'a' },
      { kind: 'token', hash: 'b' },
      { kind: 'user', userId: 'a' },
      { kind: 'user', userId: 'b' },
      external('https://one.example', 'a'),
      external('https://one.example', 'b'),
      external('https://two.example', 'a'),
    ];
    const authenticate = (header?: string) => Promise.resolve(callers[Number(header?.split(' ')[1])] ?? null);
    api = await newApi('in process', { identity: { authenticate }, limits: { requestsPerMinute: 1 } });
    for (const expected of ['0 first', '0 over']) {
      for (const [i, { kind }] of callers.entries()) {
        const { status, headers } = await api.ask({ method: 'GET', path: '/api/me', token: String(i) });
        const told = `${headers.get('ratelimit-remaining')} ${status === 429 ? 'over' : 'first'}`;
        expect(told, `${i} ${kind}`).to.equal(expected);
      }
    }
  });

  it('tells nobody to wait for longer than a window after the clock was set back', async () => {
    const limiter = inMemory({ name: 'a', points: 1, seconds: 60 });
    const { now } = Date;
    await limiter.use('x');
    Date.now = () => now() - 3_600_000;
    try {
      expect(await limiter.peek('x')).to.deep.equal({ left: 0, seconds: 60, isOver: true });
      expect(await limiter.use('x')).to.deep.equal({ left: 0, seconds: 60, isOver: true });
    } finally {
      Date.now = now;
    }
  });

  it('is counted by the minute, under names by which processes of other versions count too', async () => {
    const opened: Limit[] = [];
    const limiter: OpenLimiter = (limit) => {
      opened.push(limit);
      return inMemory(limit);
    };
    const limits = { requestsPerMinute: 3, failuresPerMinute: 4, unknownInvitationsPerMinute: 5 };
    api = await newApi('in process', { limiter, limits });
    expect(opened).to.deep.equal([
      { name: 'requests', points: 3, seconds: 60 },
      { name: 'failures', points: 4, seconds: 60 },
      { name: 'invitations', points: 5, seconds: 60 },
    ]);
  });
});
