import { connect } from 'node:net';
import { once } from 'node:events';
import { expect } from 'chai';
import { createEspalier } from '../../../../adapters/service/index.ts';
import { createHttpApp, startService } from '../../../../adapters/http/index.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { operations } from '../../../../adapters/schemas/index.ts';
import { EspalierError } from '../../../../core/kernel/errors.ts';
import { ask } from '../valid-requests.ts';
import { newSampleWorkspace } from '../sample-workspace.ts';
import { newRewoundSample } from '../rewound-sample.ts';
import { newApi, overBoth, pathOf, type Answer, type Ask } from '../support.ts';

/** As docs/http.md has them. */
const ALWAYS: Readonly<Record<string, RegExp>> = {
  'cache-control': /^(no-store|(private|public), no-cache)$/,
  'content-security-policy': /^default-src 'none';.*frame-ancestors 'none'$/,
  'cross-origin-resource-policy': /^same-origin$/,
  'referrer-policy': /^no-referrer$/,
  'x-content-type-options': /^nosniff$/,
  'x-frame-options': /^DENY$/,
};

const NEVER = ['server', 'x-powered-by', 'set-cookie', 'x-aspnet-version', 'via'];

function check(what: string, { headers, status }: Pick<Answer, 'headers' | 'status'>): void {
  for (const [name, value] of Object.entries(ALWAYS)) expect(headers.get(name), `${what} ${name}`).to.match(value);
  for (const name of NEVER) expect(headers.has(name), `${what} ${name}`).to.equal(false);
  expect(status < 300 || status === 304 || status >= 400, `${what} redirects`).to.equal(true);
  for (const name of headers.keys()) expect(name.startsWith('access-control-'), `${what} ${name}`).to.equal(false);
}

overBoth('security headers', (open, transport) => {
  it('are on what every operation answers, to who may and to who may not', async () => {
    const rewound = await newRewoundSample(transport);
    const { api, sample } = rewound;
    for (const row of operations) {
      const asked = ask(row, pathOf(row, sample.ids), sample);
      for (const token of ['', 'esp_wrong', sample.gus.token, asked.token]) {
        check(`${row.useCase} ${token}`, await api.ask({ ...asked, token }));
      }
      await rewound.rewind();
    }
    await api.close();
  });

  it('are on errors of every kind, pages, streams and answers without a body', async () => {
    const api = await open();
    const { ada, ids } = await newSampleWorkspace(api);
    const me = await api.ask({ method: 'GET', path: '/api/me', token: ada.token });
    const at = `/api/workspace/${ids.workspaceId}`;
    const lines = { accept: 'application/x-ndjson' };
    const asks: readonly (readonly [number, Partial<Ask>])[] = [
      [204, { method: 'OPTIONS', path: '/api/me' }],
      [200, { method: 'HEAD', path: '/api/me' }],
      [304, { headers: { 'if-none-match': me.headers.get('etag')! } }],
      [400, { path: '/api/me?x=1' }],
      [400, { path: '/', headers: { 'if-none-match': 'x' } }],
      [400, { path: '/api/docs', headers: { 'if-none-match': 'x' } }],
      [400, { path: '/api/openapi.json', headers: { 'if-none-match': 'x' } }],
      [401, { token: '' }],
      [404, { path: '/api/nothing' }],
      [200, { path: '/' }],
      [200, { path: '/favicon.ico' }],
      [200, { path: '/api/docs/' }],
      [404, { path: '/api//me' }],
      [405, { method: 'PATCH' }],
      [406, { headers: { accept: 'text/html' } }],
      [412, { method: 'PUT', path: at, body: { name: 'x' }, headers: { 'if-match': '"9-x"' } }],
      [413, { method: 'PUT', raw: 'x'.repeat(1024 * 1024 + 1) }],
      [415, { method: 'PUT', raw: 'x', headers: { 'content-type': 'text/plain' } }],
      [200, { path: '/healthz' }],
      [200, { path: '/readyz' }],
      [200, { path: '/metrics' }],
      [200, { path: '/api/openapi.json' }],
      [200, { path: '/api/docs' }],
      [200, { path: '/api/docs/start.js' }],
      [200, { path: '/api/docs/scalar.js' }],
      [200, { path: `${at}/export`, headers: lines }],
      [200, { path: `${at}/snapshot`, headers: lines }],
      [200, { path: `${at}/audit`, headers: lines }],
      [200, { method: 'HEAD', path: `${at}/export`, headers: lines }],
    ];
    for (const [status, given] of asks) {
      const asked = { method: 'GET', path: '/api/me', token: ada.token, ...given };
      const answer = await api.ask(asked);
      const what = `${asked.method} ${asked.path}`;
      expect(answer.status, what).to.equal(status);
      check(what, answer);
    }
  });
});

describe('security headers of answers that are rare', () => {
  it('are on 428, 429, 500 and 503', async () => {
    const espalier = createEspalier({ store: memoryStore() });
    const { engine, identity } = espalier;
    const { id } = await espalier.users.create({ name: 'Ada', email: 'ada@example.org' });
    const { token } = await espalier.tokens.createFor({ userId: id, name: 'test' });
    let error: Error = new Error('unforeseen');
    const broken = { ...engine, me: { ...engine.me, get: () => Promise.reject(error) } };
    const ready = () => Promise.reject(new EspalierError('store-unavailable', 'gone'));
    const app = createHttpApp({
      engine: broken,
      identity,
      ready,
      requireIfMatch: true,
      // The first to be counted is refused as unauthenticated: until then it cannot be told who asks.
      limits: { requestsPerMinute: 1 },
    });
    const get = async (path: string, method = 'GET') => {
      const headers = { authorization: `Bearer ${token}` };
      const answer = await app.fetch(new Request(`http://x${path}`, { method, headers }));
      check(`${method} ${path}`, answer);
      return answer.status;
    };
    expect(await get('/readyz')).to.equal(503);
    expect(await get('/api/me')).to.equal(500);
    error = new EspalierError('store-busy', 'busy');
    expect(await get('/api/me')).to.equal(503);
    error = new EspalierError('unauthenticated', 'no');
    expect(await get('/api/me')).to.equal(401);
    expect(await get('/api/me')).to.equal(429);
    const strict = createHttpApp({ engine, identity, ready, requireIfMatch: true });
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const put = await strict.fetch(new Request('http://x/api/me', { method: 'PUT', headers, body: '{"name":"x"}' }));
    expect(put.status).to.equal(428);
    check('428', put);
    await espalier.close();
  });

  it('are on odd targets that come through a socket', async () => {
    const espalier = createEspalier({ store: memoryStore() });
    const { engine, identity } = espalier;
    const service = await startService({ engine, identity, ready: () => Promise.resolve(), port: 0 });
    const absolute = ['http://elsewhere/api/me', 'http://x:99999/api/me', 'http://[x/', 'http://', 'ftp://x/api/me'];
    for (const target of ['*', '//', '/%', '/%zz', ...absolute, '/a/../../api/me', '/api/me?%']) {
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
      socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      let text = '';
      socket.on('data', (part: Buffer) => (text += part.toString('latin1')));
      await once(socket, 'close');
      const [first = '', ...lines] = text.split('\r\n\r\n')[0]!.split('\r\n');
      const headers = new Headers(
        lines.map((line): [string, string] => [line.split(':')[0]!, line.replace(/^[^:]*: */, '')]),
      );
      check(target, { status: Number(first.split(' ')[1]), headers });
    }
    await service.close();
    await espalier.close();
  });

  it('are on preflights and answers to other origins, with what lets those in', async () => {
    const api = await newApi('in process', { corsOrigins: ['https://a.example'] });
    const origin = { origin: 'https://a.example', 'access-control-request-method': 'GET' };
    for (const method of ['OPTIONS', 'GET']) {
      const { headers } = await api.ask({ method, path: '/api/me', headers: origin });
      for (const [name, value] of Object.entries(ALWAYS)) expect(headers.get(name), name).to.match(value);
      expect(headers.get('access-control-allow-origin')).to.equal('https://a.example');
    }
    check(
      'another origin',
      await api.ask({ method: 'GET', path: '/api/me', headers: { origin: 'https://b.example' } }),
    );
    await api.close();
  });
});
