import { expect } from 'chai';
import { addressReader, networkOf } from '../../adapters/http/address.ts';
import type { Exchange } from '../../adapters/http/exchange.ts';
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

    it('do no work for a request that is over them', async () => {
      api = await newApi(transport, { limits: { requestsPerMinute: 1 } });
      const { id, token } = await api.user('Ada');
      await left(token);
      await api.ask({ method: 'POST', path: '/api/workspace', body: { name: 'Acme' }, token });
      expect(await api.espalier.as(id).workspaces.list()).to.deep.equal([]);
    });
  });
}

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

  it('count for the address that a trusted proxy names last', async () => {
    const { token } = await start({ trustedProxies: ['127.0.0.0/8'] });
    for (const from of ['10.0.0.1, 192.0.2.1', '10.0.0.2, 192.0.2.1', '192.0.2.1']) {
      expect(await status('x', from)).to.equal(401);
    }
    expect(await status(token, '10.0.0.3, 192.0.2.1')).to.equal(429);
    expect(await status(token, '192.0.2.1, 192.0.2.9')).to.equal(200);
  });
});

describe('where a request comes from', () => {
  const from = (proxies: readonly string[], peer: string | undefined, header?: string) => {
    const request = new Request('http://x', header === undefined ? {} : { headers: { 'x-forwarded-for': header } });
    const incoming = peer === undefined ? undefined : { socket: { remoteAddress: peer } };
    return addressReader(proxies)({ request, incoming } as unknown as Exchange);
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

  it('is a network for IPv6', () => {
    for (const same of ['2001:db8:1:2::1', '2001:0db8:1:2:ffff::', '2001:db8:1:2:3:4:5:6']) {
      expect(networkOf(same)).to.equal('2001:db8:1:2');
    }
    expect(networkOf('2001:db8::1')).to.equal('2001:db8:0:0');
    expect(networkOf('::1')).to.equal('0:0:0:0');
    expect(networkOf('192.0.2.1')).to.equal('192.0.2.1');
  });

  it('is not configured with nonsense', () => {
    for (const proxy of ['', 'proxy', '10.0.0.0/33', '10.0.0.0/', '::1/129', '10.0.0.1/8/8', '10.0.0.1/x']) {
      expect(() => addressReader([proxy]), proxy).to.throw(TypeError);
    }
  });
});
