import { expect } from 'chai';
import { allowed, givenRequestId, type Route } from '../../../../adapters/http/request/request-context.ts';
import { createEspalier, EspalierError } from '../../../../adapters/service/index.ts';
import { createHttpApp } from '../../../../adapters/http/index.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { operations } from '../../../../adapters/schemas/index.ts';
import { ask } from '../valid-requests.ts';
import { newSampleWorkspace } from '../sample-workspace.ts';
import { countingStore } from '../../../fixtures/store/counting-store.ts';
import { newApi, pathOf, type Api } from '../support.ts';

describe('headers', () => {
  let api: Api;
  afterEach(() => api?.close());

  it('keep every answer out of caches, frames, referrers and guesses at its type', async () => {
    api = await newApi('in process');
    const { token } = await api.user('Ada');
    for (const path of ['/api/nothing', '/api/workspace/none', '/healthz', '/api/me', '/metrics']) {
      for (const given of ['', token]) {
        const { headers } = await api.ask({ method: 'GET', path, token: given });
        expect(headers.get('x-content-type-options'), path).to.equal('nosniff');
        expect(headers.get('x-frame-options'), path).to.equal('DENY');
        expect(headers.get('referrer-policy'), path).to.equal('no-referrer');
        expect(headers.get('cross-origin-resource-policy'), path).to.equal('same-origin');
        expect(headers.get('content-security-policy'), path).to.equal("default-src 'none'; frame-ancestors 'none'");
        expect(headers.get('cache-control'), path).to.match(
          given !== '' && path === '/api/me' ? /^private, no-cache$/ : /^no-store$/,
        );
      }
    }
  });

  it('tell how long a body is, except where there is none', async () => {
    api = await newApi('in process');
    const { ada, ids } = await newSampleWorkspace(api);
    const at = `/api/workspace/${ids.workspaceId}`;
    const get = await api.ask({ method: 'GET', path: '/api/me', token: ada.token });
    const kept = { 'if-none-match': get.headers.get('etag')! };
    const known = await api.ask({ method: 'HEAD', path: '/api/me', token: ada.token, headers: kept });
    expect([known.status, known.headers.get('content-length'), known.headers.get('etag')]).to.deep.equal([
      304,
      null,
      get.headers.get('etag'),
    ]);
    const gone = await api.ask({ method: 'DELETE', path: `${at}/task/${ids.taskId}`, token: ada.token });
    expect([gone.status, gone.text, gone.headers.get('content-length'), gone.headers.get('etag')]).to.deep.equal([
      204,
      '',
      null,
      null,
    ]);
    const options = await api.ask({ method: 'OPTIONS', path: '/api/me' });
    expect([options.status, options.headers.get('content-length')]).to.deep.equal([204, null]);
    expect(options.headers.get('connection')).to.equal(null);
  });

  for (const row of operations.filter(({ status }) => status === 201)) {
    it(`tell where what ${row.useCase} made is found`, async () => {
      api = await newApi('in process');
      const sample = await newSampleWorkspace(api);
      const asked = ask(row, pathOf(row, sample.ids), sample);
      const made = await api.ask(asked);
      expect(made.status).to.equal(201);
      const path = made.headers.get('location')!;
      // A token for somebody else stands in their list.
      const token = row.useCase === 'tokens.createFor' ? sample.bob.token : asked.token;
      const there = await api.ask({ method: 'GET', path, token });
      expect(there.status, path).to.equal(200);
      const { id } = made.json as { readonly id?: string };
      if (id !== undefined) expect(there.text).to.contain(id);
    });
  }

  it('tell where what was made is', async () => {
    api = await newApi('in process');
    const { ada, ids } = await newSampleWorkspace(api);
    const at = `/api/workspace/${ids.workspaceId}`;
    const board = await api.ask({ method: 'POST', path: `${at}/board`, body: { name: 'B' }, token: ada.token });
    expect(board.headers.get('location')).to.equal(`${at}/board/${board.json.id}`);
    expect(board.headers.get('cache-control')).to.equal('no-store');
    // A comment is found in its task.
    const comments = `${at}/task/${ids.taskId}/comment`;
    const comment = await api.ask({ method: 'POST', path: comments, body: { content: 'c' }, token: ada.token });
    expect(comment.headers.get('location')).to.equal(`${at}/task/${ids.taskId}`);
    const grants = `${at}/page/${ids.pageId}/access/member`;
    const grant = { memberId: ids.memberId, access: 200 };
    const granted = await api.ask({ method: 'POST', path: grants, body: grant, token: ada.token });
    expect([granted.status, granted.headers.get('location')]).to.deep.equal([200, null]);
  });

  it('take If-None-Match with what reads, and with nothing else', async () => {
    api = await newApi('in process');
    const { ada, ids } = await newSampleWorkspace(api);
    const headers = { 'if-none-match': '*' };
    const path = `/api/workspace/${ids.workspaceId}`;
    const status = async (method: string, at: string, body?: object) =>
      (await api.ask({ method, path: at, headers, token: ada.token, ...(body && { body }) })).status;
    expect(await status('GET', path)).to.equal(304);
    expect(await status('PUT', path, { name: 'Acme' })).to.equal(200);
    expect(await status('POST', `${path}/page`, { name: 'P', type: 'folder' })).to.equal(201);
  });

  it('name the methods of an address in order, HEAD with GET', () => {
    const route = (...methods: string[]): Route => ({
      path: '/',
      methods: new Map(methods.map((method) => [method, { operationId: method, handle: () => Promise.reject() }])),
      isPublic: false,
    });
    expect(allowed(route('PUT', 'GET', 'DELETE'))).to.equal('DELETE, GET, HEAD, OPTIONS, PUT');
    expect(allowed(route('POST'))).to.equal('OPTIONS, POST');
  });

  it('carry a request id of 1 to 128 plain characters', () => {
    const given = (id?: string) =>
      givenRequestId(new Request('http://x', id === undefined ? {} : { headers: { 'x-request-id': id } }));
    for (const id of ['a', 'x'.repeat(128), 'aZ09_.:/+=@-']) expect(given(id)).to.equal(id);
    for (const id of [undefined, '', 'x'.repeat(129), 'a b', 'a,b', '<a', 'a>', '"', '%0a']) {
      expect(given(id), id).to.equal(undefined);
    }
  });
});

describe('what is open', () => {
  it('needs no token whatever the method, and all else does', async () => {
    const api = await newApi('in process');
    const { token } = await api.user('Ada');
    const status = async (method: string, path: string, given = '') =>
      (await api.ask({ method, path, token: given })).status;
    for (const path of ['/healthz', '/readyz', '/api/openapi.json']) {
      expect(
        [await status('GET', path), await status('POST', path), await status('OPTIONS', path)],
        path,
      ).to.deep.equal([200, 405, 204]);
    }
    for (const path of ['/api/me', '/metrics', '/api/nothing']) {
      expect([await status('GET', path), await status('PATCH', path)], path).to.deep.equal([401, 401]);
    }
    expect([await status('PATCH', '/api/me', token), await status('PATCH', '/api/nothing', token)]).to.deep.equal([
      405, 404,
    ]);
    expect([await status('OPTIONS', '/api/nothing'), await status('OPTIONS', '/api/nothing', token)]).to.deep.equal([
      401, 404,
    ]);
    await api.close();
  });

  it('lets the operator in, who is no user', async () => {
    const api = await newApi('in process', { identity: { authenticate: () => Promise.resolve({ kind: 'operator' }) } });
    const ask = async (method: string, path: string) => (await api.ask({ method, path })).status;
    expect(await ask('GET', '/metrics')).to.equal(200);
    expect(await ask('GET', '/api/nothing')).to.equal(404);
    expect(await ask('GET', '/api/user?x=1')).to.equal(400);
    expect(await ask('GET', '/api/me')).to.equal(401);
    await api.close();
  });
});

describe('a request that a use case refuses', () => {
  it('costs no second look at the store, and one that does not get there costs one', async () => {
    const { store, asked } = countingStore(memoryStore());
    const api = await newApi('in process', { espalier: createEspalier({ store }) });
    const { token } = await api.user('Ada');
    for (const [path, status] of [
      ['/api/workspace/00000000-0000-7000-8000-000000000000', 404],
      ['/api/user', 403],
      ['/api/me?x=1', 400],
      ['/api/nothing', 404],
    ] as const) {
      // When a token was last used is written once a minute.
      await api.ask({ method: 'GET', path: '/api/me', token });
      await api.espalier.idle();
      asked.reads = 0;
      expect((await api.ask({ method: 'GET', path, token })).status).to.equal(status);
      expect(asked.reads, path).to.equal(1);
    }
    await api.close();
  });
});

describe('the log', () => {
  it('has a line for each request, and an error where one was not meant to happen', async () => {
    const api = await newApi('in process');
    const { token } = await api.user('Ada');
    const asked = [
      { method: 'GET', path: '/api/me', token },
      { method: 'GET', path: '/api/me' },
      { method: 'POST', path: '/elsewhere', token },
    ];
    for (const ask of asked) await api.ask({ ...ask, headers: { 'x-request-id': `id${asked.indexOf(ask)}` } });
    const lines = api.log.map((line) => {
      const { ms, ...rest } = line as { ms: number };
      expect(ms).to.be.within(0.000_1, 60_000);
      return rest;
    });
    expect(lines).to.deep.equal([
      { requestId: 'id0', method: 'GET', route: '/api/me', status: 200 },
      { requestId: 'id1', method: 'GET', route: '/api/me', status: 401, code: 'unauthenticated' },
      { requestId: 'id2', method: 'POST', route: 'unknown', status: 404, code: 'not-found' },
    ]);
    await api.close();
  });

  it('is kept by nobody where there is no logger, whatever happens', async () => {
    const espalier = createEspalier({ store: memoryStore() });
    const { engine, identity } = espalier;
    for (const [reason, status] of [
      [new EspalierError('store-unavailable', 'It is away.'), 503],
      [new TypeError('unforeseen'), 500],
    ] as const) {
      const app = createHttpApp({ engine, identity, ready: () => Promise.reject(reason) });
      expect((await app.fetch(new Request('http://x/readyz'))).status).to.equal(status);
    }
    await espalier.close();
  });
});
