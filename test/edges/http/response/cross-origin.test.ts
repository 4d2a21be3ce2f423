import { expect } from 'chai';
import { createHttpApp } from '../../../../adapters/http/index.ts';
import { createEspalier, EspalierError } from '../../../../adapters/service/index.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { newApi, type Api, type ApiParts, type Transport } from '../support.ts';

const ORIGIN = 'https://app.example.org';

for (const transport of ['in process', 'through a socket'] satisfies Transport[]) {
  describe(`pages of other origins, ${transport}`, () => {
    let api: Api;
    afterEach(() => api.close());

    const told = async (parts: ApiParts, origin: string, method = 'GET') => {
      api = await newApi(transport, parts);
      const preflight = { 'access-control-request-method': 'PUT', 'access-control-request-headers': 'authorization' };
      const headers = { origin, ...(method === 'OPTIONS' ? preflight : {}) };
      return api.ask({ method, path: '/api/me', headers });
    };
    const own = (headers: Headers) => [...headers.keys()].filter((name) => name.startsWith('access-control-'));

    it('may nothing unless configured', async () => {
      for (const method of ['GET', 'OPTIONS']) {
        const { headers } = await told({}, ORIGIN, method);
        expect([own(headers), headers.get('vary')]).to.deep.equal([[], null]);
        await api.close();
      }
    });

    it('may read answers when their origin is named, refusals too', async () => {
      const { status, headers } = await told({ corsOrigins: [ORIGIN] }, ORIGIN);
      expect([status, headers.get('access-control-allow-origin'), headers.get('vary')]).to.deep.equal([
        401,
        ORIGIN,
        'Origin',
      ]);
      expect(headers.get('access-control-expose-headers')).to.equal(
        'ETag, Espalier-Cursor, Idempotency-Replayed, Link, Location, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Request-Id, X-Total-Count',
      );
      expect(headers.has('access-control-allow-methods')).to.equal(false);
      expect(headers.has('access-control-allow-credentials')).to.equal(false);
    });

    it('may send what the service takes', async () => {
      const { status, headers } = await told({ corsOrigins: ['https://x.example', ORIGIN] }, ORIGIN, 'OPTIONS');
      expect([status, headers.get('access-control-allow-origin')]).to.deep.equal([204, ORIGIN]);
      expect(headers.get('access-control-allow-methods')).to.equal('GET, HEAD, POST, PUT, DELETE');
      for (const name of ['Authorization', 'Content-Type', 'If-Match', 'If-None-Match', 'Idempotency-Key', 'Accept']) {
        expect(headers.get('access-control-allow-headers')).to.contain(name);
      }
      expect(headers.get('access-control-max-age')).to.equal('600');
    });

    it('are told what they may send when a browser asks for that, and then alone', async () => {
      api = await newApi(transport, { corsOrigins: [ORIGIN] });
      const wanted = { 'access-control-request-method': 'PUT' };
      for (const [method, headers] of [
        ['GET', wanted],
        ['OPTIONS', {}],
      ] as const) {
        const answer = await api.ask({ method, path: '/api/me', headers: { origin: ORIGIN, ...headers } });
        expect(own(answer.headers).sort(), method).to.deep.equal([
          'access-control-allow-origin',
          'access-control-expose-headers',
        ]);
      }
    });

    it('may nothing when their origin is another', async () => {
      for (const origin of ['https://evil.example', 'null', `${ORIGIN}.evil.example`, ORIGIN.toUpperCase(), '*']) {
        const { headers } = await told({ corsOrigins: [ORIGIN] }, origin);
        expect([own(headers), headers.get('vary')], origin).to.deep.equal([[], 'Origin']);
        await api.close();
      }
    });

    it('may read answers wherever they are from, when all may', async () => {
      const { headers } = await told({ corsOrigins: ['*'] }, ORIGIN);
      expect([headers.get('access-control-allow-origin'), headers.get('vary')]).to.deep.equal(['*', null]);
      expect(own((await api.ask({ method: 'GET', path: '/api/me' })).headers)).to.deep.equal([]);
    });
  });
}

describe('the origins that may call', () => {
  const open = (...corsOrigins: string[]) => {
    const { engine, identity } = createEspalier({ store: memoryStore() });
    return () => createHttpApp({ engine, identity, ready: () => Promise.resolve(), corsOrigins });
  };

  it('are given as browsers send them', () => {
    for (const origin of ['*', ORIGIN, 'http://localhost:3000', 'http://[::1]:8080', 'capacitor://localhost', 'null']) {
      expect(open(origin), origin).not.to.throw();
    }
    for (const origin of [
      '',
      `${ORIGIN}/`,
      `${ORIGIN}:443`,
      `${ORIGIN}/page`,
      ORIGIN.toUpperCase(),
      'app.example.org',
      'localhost:3000',
      'https://*.example.org',
      'https://ada@app.example.org',
      'file:///',
    ]) {
      expect(open(ORIGIN, origin), origin).to.throw(EspalierError).with.property('code', 'invalid-input');
    }
  });
});
