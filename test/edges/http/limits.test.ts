import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { addressReader, networkOf } from '../../../adapters/http/request/address.ts';
import type { RequestContext } from '../../../adapters/http/request/request-context.ts';
import { inMemory, type Limit, type OpenLimiter } from '../../../adapters/limiter/index.ts';
import type { Caller } from '../../../core/ports/context.ts';
import { newApi, type Api, type ApiParts, type Transport } from './support.ts';

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

describe('limits on 401s', () => {
  let api: Api;
  afterEach(() => api.close());

  const start = async (parts: ApiParts = {}) => {
    api = await newApi('through a socket', { limits: { failuresPerMinute: 3 }, ...parts });
    return api.user('Ada');
  };

  const status = async (token: string, from?: string) => {
    const headers = from === undefined ? {} : { 'x-forwarded-for': from };
    return (await api.ask({ method: 'GET', path: '/api/me', token, headers })).status;
  };

  it('turn an address away, a valid token too, so that guessing does not pay', async () => {
    const { token } = await start();
    const seen = [];
    for (const one of ['esp_1', 'esp_2', token, 'esp_3', 'esp_4', token]) seen.push(await status(one));
    expect(seen).to.deep.equal([401, 401, 200, 401, 429, 429]);
    const over = await api.ask({ method: 'GET', path: '/api/me', token });
    expect(over.json.code).to.equal('too-many-requests');
    expect(Number(over.headers.get('retry-after'))).to.be.within(1, 60);
  });

  it('tell no more guesses that they are wrong when they come all at once', async () => {
    await start();
    const all = await Promise.all(Array.from({ length: 20 }, (_, i) => status(`esp_${i}`)));
    expect(all.filter((one) => one === 401)).to.have.length(3);
    expect(all.filter((one) => one === 429)).to.have.length(17);
  });

  it('count nothing else', async () => {
    const { token } = await start();
    for (const path of ['/api/me?x=1', '/api/nothing', '/metrics', '/api/workspace/none']) {
      for (let i = 0; i < 2; i += 1) await api.ask({ method: 'GET', path, token });
    }
    expect(await status(token)).to.equal(200);
  });

  it('believe no header of a client', async () => {
    await start();
    for (const from of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) expect(await status('x', from)).to.equal(401);
    expect(await status('x', '192.0.2.4')).to.equal(429);
  });

  it('believe no other header that names an address, trusted proxy or not', async () => {
    const { token } = await start({ trustedProxies: ['127.0.0.0/8'] });
    const names = ['forwarded', 'x-real-ip', 'true-client-ip', 'cf-connecting-ip', 'x-client-ip', 'x-forwarded'];
    const ask = (i: number, bearer: string) => {
      const headers = Object.fromEntries(names.map((name) => [name, `for=192.0.2.${i};by=192.0.2.${i}`]));
      return api.ask({ method: 'GET', path: '/api/me', token: bearer, headers });
    };
    for (let i = 1; i <= 3; i += 1) expect((await ask(i, 'x')).status).to.equal(401);
    expect((await ask(4, token)).status).to.equal(429);
  });

  it('count for the address that a trusted proxy names last', async () => {
    const { token } = await start({ trustedProxies: ['127.0.0.0/8'] });
    for (const from of ['10.0.0.1, 192.0.2.1', '10.0.0.2, 192.0.2.1', '192.0.2.1']) {
      expect(await status('x', from)).to.equal(401);
    }
    expect(await status(token, '10.0.0.3, 192.0.2.1')).to.equal(429);
    expect(await status(token, '192.0.2.1, 192.0.2.9')).to.equal(200);
  });
});

describe('limits on invitations that are guessed', () => {
  let api: Api;
  afterEach(() => api.close());

  const look = async (token: string, id: string = randomUUID(), headers = {}) =>
    (await api.ask({ method: 'GET', path: `/api/workspace/invitation/${id}`, token, headers })).status;
  const join = async (token: string, id: string = randomUUID()) =>
    (await api.ask({ method: 'POST', path: `/api/workspace/invitation/${id}/join`, token })).status;

  const start = async (transport: Transport) => {
    api = await newApi(transport, {
      limits: { unknownInvitationsPerMinute: 3 },
      trustedProxies: ['127.0.0.0/8'],
    });
    const [ada, bob] = [await api.user('Ada'), await api.user('Bob')];
    const { id: workspaceId } = await api.espalier.as(ada.id).workspaces.create({ name: 'Acme' });
    const invite = async (email?: string) =>
      (await api.espalier.as(ada.id).invitations.create({ workspaceId, ...(email && { email }) })).id;
    return { ada, bob, invite, workspaceId };
  };

  it('turn a caller away who looks up what is not there or not theirs, by either way, a good id too', async () => {
    const { bob, ada, invite } = await start('in process');
    const open = await invite();
    const others = await invite('eve@example.org');
    expect(await look(bob.token, open)).to.equal(200);
    expect([await look(bob.token), await join(bob.token), await look(bob.token, others)]).to.deep.equal([
      404, 404, 404,
    ]);
    expect([await look(bob.token), await look(bob.token, open), await join(bob.token, open)]).to.deep.equal([
      429, 429, 429,
    ]);
    expect(await look(ada.token, open)).to.equal(200);
    const me = await api.ask({ method: 'GET', path: '/api/me', token: bob.token });
    expect(me.status).to.equal(200);
  });

  it('tell no more guesses that they are wrong when they come all at once', async () => {
    const { bob, invite } = await start('in process');
    const all = await Promise.all(Array.from({ length: 20 }, () => look(bob.token)));
    expect(all.filter((one) => one === 404)).to.have.length(3);
    expect(all.filter((one) => one === 429)).to.have.length(17);
    expect(await look(bob.token, await invite())).to.equal(429);
  });

  it('turn an address away, whichever users are behind it', async () => {
    const { ada, bob, invite } = await start('through a socket');
    const there = { 'x-forwarded-for': '192.0.2.1' };
    for (const { token } of [ada, bob, ada]) expect(await look(token, randomUUID(), there)).to.equal(404);
    const open = await invite();
    expect(await look(bob.token, open, there)).to.equal(429);
    expect(await look(bob.token, open, { 'x-forwarded-for': '192.0.2.2' })).to.equal(200);
  });

  it('count no other look-up that finds nothing, and no invitation that is there', async () => {
    const { ada, bob, invite, workspaceId } = await start('in process');
    for (let i = 0; i < 5; i += 1) {
      const path = `/api/workspace/${workspaceId}/invitation/${randomUUID()}`;
      expect((await api.ask({ method: 'GET', path, token: ada.token })).status).to.equal(404);
      expect(await look(ada.token, await invite())).to.equal(200);
      expect(await join(ada.token, await invite())).to.equal(409);
    }
    expect(await look(bob.token)).to.equal(404);
  });

  it('are off unless configured', async () => {
    api = await newApi('in process', { limits: { failuresPerMinute: 1, requestsPerMinute: 100 } });
    const { token } = await api.user('Ada');
    for (let i = 0; i < 30; i += 1) expect(await look(token)).to.equal(404);
  });
});

describe('where a request comes from', () => {
  const from = (proxies: readonly string[], peer: string | undefined, header?: string) => {
    const request = new Request('http://x', header === undefined ? {} : { headers: { 'x-forwarded-for': header } });
    const incoming = peer === undefined ? undefined : { socket: { remoteAddress: peer } };
    return addressReader(proxies)({ request, incoming } as unknown as RequestContext);
  };

  it('is its connection, or what trusted proxies say', () => {
    expect(from([], '192.0.2.1', '192.0.2.2')).to.equal('192.0.2.1');
    expect(from([], undefined, '192.0.2.2')).to.equal(undefined);
    const proxies = ['10.0.0.0/8', '::1', '2001:db8::/32'];
    expect(from(proxies, '10.1.1.1', '192.0.2.1, 192.0.2.2, 10.2.2.2')).to.equal('192.0.2.2');
    expect(from(proxies, '::ffff:10.1.1.1', '192.0.2.1')).to.equal('192.0.2.1');
    expect(from(proxies, '::1', '192.0.2.1,2001:db8::7')).to.equal('192.0.2.1');
    expect(from(proxies, '11.1.1.1', '192.0.2.1')).to.equal('11.1.1.1');
    for (const header of [undefined, '', 'nonsense', '192.0.2.1, ']) {
      expect(from(proxies, '10.1.1.1', header), header).to.equal('10.1.1.1');
    }
  });

  it('is told by nothing that a client writes', () => {
    const proxies = ['10.0.0.0/8', '::1', '2001:db8:5::/48'];
    const attacks: readonly (readonly [peer: string, header: string, seen: string])[] = [
      // Its own claims stand before what the proxy has written, however many and however alike.
      ['10.1.1.1', '203.0.113.9, 192.0.2.1', '192.0.2.1'],
      ['10.1.1.1', '10.9.9.9, 10.8.8.8, 192.0.2.1', '192.0.2.1'],
      ['10.1.1.1', '127.0.0.1, ::1, 192.0.2.1, 10.2.2.2, 10.3.3.3', '192.0.2.1'],
      ['10.1.1.1', ',,, , 192.0.2.1', '192.0.2.1'],
      ['10.1.1.1', '192.0.2.1, unknown', '10.1.1.1'],
      ['10.1.1.1', '192.0.2.1, 10.2.2.2, unknown', '10.1.1.1'],
      ['10.1.1.1', '192.0.2.1, unknown, 10.2.2.2', '10.2.2.2'],
      ['10.1.1.1', '192.0.2.1, 0x0a010101', '10.1.1.1'],
      ['10.1.1.1', '192.0.2.1, 010.1.1.1', '10.1.1.1'],
      ['10.1.1.1', '192.0.2.1, 10.1.1', '10.1.1.1'],
      ['10.1.1.1', '192.0.2.1, ::ffff:zz', '10.1.1.1'],
      // Who comes past the proxies is not believed, nor who merely looks like one.
      ['192.0.2.1', '203.0.113.9', '192.0.2.1'],
      ['::ffff:192.0.2.1', '203.0.113.9', '192.0.2.1'],
      ['2001:db8:6::1', '203.0.113.9', '2001:db8:6::1'],
      ['fe80::1%eth0', '203.0.113.9', 'fe80::1'],
      // One address in every spelling of it.
      ['::ffff:10.1.1.1', '192.0.2.1', '192.0.2.1'],
      ['::FFFF:0a01:0101', '192.0.2.1', '192.0.2.1'],
      ['0:0:0:0:0:ffff:a01:101', '192.0.2.1', '192.0.2.1'],
      ['10.1.1.1', '203.0.113.9, ::ffff:c000:201', '192.0.2.1'],
      ['10.1.1.1', '203.0.113.9, ::ffff:192.0.2.1', '192.0.2.1'],
      ['10.1.1.1', '203.0.113.9, 192.0.2.1:4711', '192.0.2.1'],
      ['10.1.1.1', '203.0.113.9, [2001:db8::7]:443', '2001:db8::7'],
      ['10.1.1.1', '203.0.113.9, [2001:db8::7]', '2001:db8::7'],
      ['2001:db8:5::9', '203.0.113.9, 2001:db8::7, 2001:DB8:5:0::2', '2001:db8::7'],
    ];
    for (const [peer, header, seen] of attacks) expect(from(proxies, peer, header), header).to.equal(seen);
  });

  it('is a network for IPv6', () => {
    for (const same of ['2001:db8:1:2::1', '2001:0db8:1:2:ffff::', '2001:db8:1:2:3:4:5:6']) {
      expect(networkOf(same)).to.equal('2001:db8:1:2');
    }
    expect(networkOf('2001:db8::1')).to.equal('2001:db8:0:0');
    expect(networkOf('2001::3:4:5:6:7:8')).to.equal('2001:0:3:4');
    expect(networkOf('::1')).to.equal('0:0:0:0');
    expect(networkOf('192.0.2.1')).to.equal('192.0.2.1');
  });

  it('is not configured with nonsense', () => {
    for (const proxy of ['', 'proxy', '10.0.0.0/33', '10.0.0.0/', '::1/129', '10.0.0.1/8/8', '10.0.0.1/x']) {
      expect(() => addressReader([proxy]), proxy).to.throw(TypeError);
    }
  });
});
