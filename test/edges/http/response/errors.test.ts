import { expect } from 'chai';
import { createEspalier } from '../../../../adapters/service/index.ts';
import { apiTokens } from '../../../../adapters/identity/index.ts';
import { EspalierError } from '../../../../core/kernel/errors.ts';
import type { Store } from '../../../../core/ports/store.ts';
import { newSampleWorkspace, type SampleWorkspace } from '../sample-workspace.ts';
import { newApi, overBoth, type Ask } from '../support.ts';

interface Row {
  readonly status: number;
  readonly code: string;
  readonly why: string;
  readonly ask: (
    sample: SampleWorkspace,
  ) => Omit<Ask, 'token'> & { readonly by?: 'ada' | 'bob' | 'gus' | 'eve' | 'nobody' };
}

const json = { 'content-type': 'application/json' };
const at = ({ ids }: SampleWorkspace) => `/api/workspace/${ids.workspaceId}`;
const task = (sample: SampleWorkspace) => `${at(sample)}/task/${sample.ids.taskId}`;

/** Every status at least once, and for 409 every code that takes few words. */
const rows: readonly Row[] = [
  {
    status: 400,
    code: 'invalid-input',
    why: 'a missing field',
    ask: () => ({ method: 'POST', path: '/api/workspace', body: {} }),
  },
  {
    status: 400,
    code: 'invalid-input',
    why: 'dates the wrong way round',
    ask: (sample) => ({ method: 'PUT', path: task(sample), body: { plannedEndDate: '2026-02-28' } }),
  },
  {
    status: 401,
    code: 'unauthenticated',
    why: 'no token',
    ask: () => ({ method: 'GET', path: '/api/me', by: 'nobody' }),
  },
  {
    status: 403,
    code: 'forbidden',
    why: 'too low a role',
    ask: (sample) => ({ method: 'PUT', path: at(sample), body: { name: 'Mine' }, by: 'bob' }),
  },
  {
    status: 403,
    code: 'forbidden',
    why: 'no administrator',
    ask: () => ({ method: 'GET', path: '/api/user', by: 'bob' }),
  },
  {
    status: 403,
    code: 'forbidden',
    why: 'metrics for everyone',
    ask: () => ({ method: 'GET', path: '/metrics', by: 'bob' }),
  },
  { status: 404, code: 'not-found', why: 'an unknown path', ask: () => ({ method: 'GET', path: '/api/nothing' }) },
  {
    status: 404,
    code: 'not-found',
    why: 'a stranger',
    ask: (sample) => ({ method: 'GET', path: at(sample), by: 'eve' }),
  },
  {
    status: 405,
    code: 'method-not-allowed',
    why: 'a method the path does not take',
    ask: (sample) => ({ method: 'DELETE', path: `${at(sample)}/members` }),
  },
  {
    status: 406,
    code: 'not-acceptable',
    why: 'only XML wanted',
    ask: () => ({ method: 'GET', path: '/api/me', headers: { accept: 'application/xml, application/json;q=0' } }),
  },
  {
    status: 409,
    code: 'alias-taken',
    why: 'an alias twice',
    ask: () => ({ method: 'POST', path: '/api/workspace', body: { name: 'Other', alias: 'acme' } }),
  },
  {
    status: 409,
    code: 'last-owner',
    why: 'the last owner leaves',
    ask: (sample) => ({ method: 'DELETE', path: `${at(sample)}/members/${sample.ada.memberId}` }),
  },
  {
    status: 409,
    code: 'status-not-empty',
    why: 'a status with tasks',
    ask: (o) => ({ method: 'DELETE', path: `${at(o)}/board/${o.ids.boardId}/status/${o.ids.statusId}` }),
  },
  {
    status: 409,
    code: 'tag-name-taken',
    why: 'a tag twice',
    ask: (o) => ({ method: 'POST', path: `${at(o)}/board/${o.ids.boardId}/tag`, body: { name: 'BUG' } }),
  },
  {
    status: 409,
    code: 'page-cycle',
    why: 'a page into itself',
    ask: (o) => ({ method: 'PUT', path: `${at(o)}/page/${o.folderId}`, body: { parentId: o.folderId } }),
  },
  {
    status: 409,
    code: 'already-member',
    why: 'joining twice',
    ask: (o) => ({ method: 'POST', path: `/api/workspace/invitation/${o.ids.invitationId}/join`, by: 'bob' }),
  },
  {
    status: 412,
    code: 'version-mismatch',
    why: 'a stale write',
    ask: (o) => ({ method: 'PUT', path: task(o), body: { title: 'Mine' }, headers: { 'if-match': '"7-x"' } }),
  },
  {
    status: 413,
    code: 'content-too-large',
    why: 'a body above 1 MiB',
    ask: () => ({ method: 'PUT', path: '/api/me', raw: `{"name":"${'x'.repeat(1024 * 1024)}"}` }),
  },
  {
    status: 415,
    code: 'unsupported-media-type',
    why: 'a form',
    ask: () => ({ method: 'PUT', path: '/api/me', raw: 'name=Ada', headers: { 'content-type': 'text/plain' } }),
  },
  {
    status: 415,
    code: 'unsupported-media-type',
    why: 'another encoding of text',
    ask: () => ({
      method: 'PUT',
      path: '/api/me',
      raw: '{}',
      headers: { 'content-type': 'application/json; charset=latin1' },
    }),
  },
  {
    status: 415,
    code: 'unsupported-media-type',
    why: 'a compressed body',
    ask: () => ({ method: 'PUT', path: '/api/me', raw: '{}', headers: { ...json, 'content-encoding': 'gzip' } }),
  },
  {
    status: 422,
    code: 'unusable-reference',
    why: 'a status of nowhere',
    ask: (sample) => ({ method: 'PUT', path: task(sample), body: { statusId: sample.ids.taskId } }),
  },
];

overBoth('errors', (open) => {
  for (const { status, code, why, ask } of rows) {
    it(`answers ${status} ${code} to ${why}`, async () => {
      const api = await open();
      const sample = await newSampleWorkspace(api);
      const { by = 'ada', ...asked } = ask(sample);
      const answer = await api.ask({ ...asked, ...(by === 'nobody' ? {} : { token: sample[by].token }) });
      expect([answer.status, answer.json.code, answer.json.status]).to.deep.equal([status, code, status]);
      expect(answer.headers.get('content-type')).to.equal('application/problem+json');
      expect(answer.headers.get('cache-control')).to.equal('no-store');
    });
  }

  it('answers 410 to an invitation that is used up', async () => {
    const api = await open();
    const { ids, ada, eve } = await newSampleWorkspace(api);
    const path = `/api/workspace/invitation/${ids.invitationId}/join`;
    await api.ask({
      method: 'DELETE',
      path: `/api/workspace/${ids.workspaceId}/invitation/${ids.invitationId}`,
      token: ada.token,
    });
    const answer = await api.ask({ method: 'POST', path, token: eve.token });
    expect([answer.status, answer.json.code]).to.deep.equal([410, 'invitation-unusable']);
  });

  it('answers 409 and when to try again where a column is crowded, and then there is room', async () => {
    const api = await open();
    const { ada, ids } = await newSampleWorkspace(api);
    const { token } = ada;
    const path = `/api/workspace/${ids.workspaceId}/task`;
    const { boardId, statusId } = ids;
    // Runs of adjacent keys as long as they may be, one free key between them.
    const keys = Array.from({ length: 768 }, (_, n) => n + Math.floor(n / 256));
    const tasks = keys.map((statusOrderKey) => ({ boardId, statusId, title: 't', statusOrderKey }));
    expect((await api.ask({ method: 'POST', path: `${path}/batch`, body: { tasks }, token })).status).to.equal(201);
    const create = () =>
      api.ask({ method: 'POST', path, body: { boardId, statusId, title: 't', statusOrderKey: 384 }, token });
    const refused = await create();
    expect([refused.status, refused.json.code]).to.deep.equal([409, 'column-crowded']);
    expect(Number(refused.headers.get('retry-after'))).to.be.greaterThan(0);
    await api.espalier.idle();
    expect((await create()).status).to.equal(201);
  });

  it('says which methods a path takes', async () => {
    const api = await open();
    const { ada, ids } = await newSampleWorkspace(api);
    const path = `/api/workspace/${ids.workspaceId}`;
    const refused = await api.ask({ method: 'PATCH', path, token: ada.token });
    expect([refused.status, refused.headers.get('allow')]).to.deep.equal([405, 'DELETE, GET, HEAD, OPTIONS, PUT']);
    const options = await api.ask({ method: 'OPTIONS', path });
    expect([options.status, options.headers.get('allow')]).to.deep.equal([204, 'DELETE, GET, HEAD, OPTIONS, PUT']);
  });

  it('answers HEAD as GET, without the body', async () => {
    const api = await open();
    const { ada, ids } = await newSampleWorkspace(api);
    for (const path of ['/api/me', `/api/workspace/${ids.workspaceId}/task?limit=1`, '/api/openapi.json', '/healthz']) {
      const headers = { 'accept-encoding': 'identity' };
      const get = await api.ask({ method: 'GET', path, headers, token: ada.token });
      const head = await api.ask({ method: 'HEAD', path, headers, token: ada.token });
      expect([head.status, head.text]).to.deep.equal([get.status, '']);
      expect(head.headers.get('content-length')).to.equal(String(Buffer.byteLength(get.text)));
      for (const name of ['etag', 'link', 'content-type'])
        expect(head.headers.get(name)).to.equal(get.headers.get(name));
    }
    const missing = await api.ask({ method: 'HEAD', path: '/api/nothing', token: ada.token });
    expect([missing.status, missing.text]).to.deep.equal([404, '']);
  });
});

describe('a store that fails', () => {
  const { tokenFactory, identity } = apiTokens();
  const token = tokenFactory.token().secret;

  async function answerFrom(reason: Error) {
    const fails = () => Promise.reject(reason);
    const store: Store = { read: fails, write: fails, ready: fails, close: () => Promise.resolve() };
    const api = await newApi('in process', { espalier: createEspalier({ store }), identity });
    const answer = await api.ask({ method: 'GET', path: '/api/workspace', token });
    const ready = await api.ask({ method: 'GET', path: '/readyz' });
    const alive = await api.ask({ method: 'GET', path: '/healthz' });
    await api.close();
    return { answer, ready, alive, log: api.log };
  }

  for (const code of ['store-unavailable', 'store-busy'] as const) {
    it(`answers 503 and when to try again for ${code}`, async () => {
      const { answer, ready, alive } = await answerFrom(new EspalierError(code, 'It is away.'));
      expect([answer.status, answer.json.code]).to.deep.equal([503, code]);
      expect(Number(answer.headers.get('retry-after'))).to.be.greaterThan(0);
      expect([ready.status, alive.status]).to.deep.equal([503, 200]);
    });
  }

  it('answers 500 without a word of what happened, and logs it', async () => {
    const { answer, log } = await answerFrom(new TypeError('internal secret'));
    expect([answer.status, answer.json.code]).to.deep.equal([500, 'internal']);
    expect(answer.text).not.to.contain('secret').and.not.to.contain('TypeError').and.not.to.contain('.js');
    expect(log.some((line) => 'err' in line && (line.err as Error).message === 'internal secret')).to.equal(true);
  });
});
