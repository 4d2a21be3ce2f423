import { expect } from 'chai';
import { createEspalier } from '../../../../adapters/service/index.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { forbidden } from '../../../../core/kernel/errors.ts';
import { newSampleWorkspace } from '../sample-workspace.ts';
import { newApi, overBoth } from '../support.ts';

const LINES = { accept: 'application/x-ndjson' };

function parsed(text: string): unknown[] {
  expect(text === '' || text.endsWith('\n')).to.equal(true);
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as unknown);
}

overBoth('the audit trail as JSON Lines', (open) => {
  it('is what the list has, all of it or from a cursor on', async () => {
    const api = await open();
    const { ada, ids } = await newSampleWorkspace(api);
    for (const path of [`/api/workspace/${ids.workspaceId}/audit`, '/api/audit']) {
      const get = (query: string, headers: Readonly<Record<string, string>> = {}) =>
        api.ask({ method: 'GET', path: path + query, token: ada.token, headers });
      const list = (await get('?limit=500')).json as unknown[];
      expect(list.length).to.be.greaterThan(3);
      const all = await get('', LINES);
      expect([all.status, all.headers.get('content-type')]).to.deep.equal([200, LINES.accept]);
      expect(parsed(all.text)).to.deep.equal(list);
      expect(parsed((await get('?limit=2', LINES)).text)).to.deep.equal(list.slice(0, 2));
      const link = (await get('?limit=1')).headers.get('link')!;
      const cursor = /cursor=([^>&]+)/.exec(link)![1]!;
      expect(parsed((await get(`?cursor=${cursor}`, LINES)).text)).to.deep.equal(list.slice(1));
      const head = await api.ask({ method: 'HEAD', path, token: ada.token, headers: LINES });
      expect([head.status, head.text, head.headers.get('content-type')]).to.deep.equal([200, '', LINES.accept]);
    }
  });

  it('is sent in the form that is asked for to those who may read it, else refused before anything is sent', async () => {
    const api = await open();
    const { ada, bob, eve, ids } = await newSampleWorkspace(api);
    const path = `/api/workspace/${ids.workspaceId}/audit`;
    const status = async (accept: string, token = ada.token) => {
      const answer = await api.ask({ method: 'GET', path, token, headers: { accept } });
      return `${answer.status} ${answer.headers.get('content-type')}`;
    };
    expect(await status('*/*')).to.equal('200 application/json');
    expect(await status('application/json, application/x-ndjson')).to.equal('200 application/json');
    expect(await status('application/x-ndjson, application/json;q=0')).to.equal('200 application/x-ndjson');
    expect(await status('application/x-ndjson;q=0')).to.equal('406 application/problem+json');
    expect(await status('text/csv')).to.equal('406 application/problem+json');
    expect(await status(LINES.accept, bob.token)).to.equal('403 application/problem+json');
    expect(await status(LINES.accept, eve.token)).to.equal('404 application/problem+json');
    expect(await status(LINES.accept, 'x')).to.equal('401 application/problem+json');
    const other = await api.ask({ method: 'GET', path: '/api/me', token: ada.token, headers: LINES });
    expect([other.status, other.json.code]).to.deep.equal([406, 'not-acceptable']);
    const bad = await api.ask({ method: 'GET', path: `${path}?limit=0`, token: ada.token, headers: LINES });
    expect(bad.status).to.equal(400);
  });
});

describe('the audit trail as a stream', () => {
  it('is longer than a part, and breaks off for a caller who may no longer read it', async () => {
    const espalier = createEspalier({ store: memoryStore() });
    const free = await newApi('through a socket', { espalier });
    const { ada, bob, ids } = await newSampleWorkspace(free);
    const session = espalier.as(ada.id);
    const grant = { workspaceId: ids.workspaceId, pageId: ids.pageId, memberId: bob.memberId };
    for (let i = 0; i < 600; i += 1) await session.access.grant({ ...grant, access: i % 2 === 0 ? 100 : 200 });
    const path = `/api/workspace/${ids.workspaceId}/audit`;
    const whole = await free.ask({ method: 'GET', path, token: ada.token, headers: LINES });
    expect(parsed(whole.text).length).to.be.greaterThan(600);
    let parts = 0;
    const engine = {
      ...espalier.engine,
      audit: {
        ...espalier.engine.audit,
        list: async (...given: Parameters<typeof espalier.engine.audit.list>) => {
          parts += 1;
          if (parts > 1) throw forbidden('No longer.');
          return espalier.engine.audit.list(...given);
        },
      },
    };
    const api = await newApi('through a socket', { espalier: { ...espalier, engine } });
    const broken = await api.ask({ method: 'GET', path, token: ada.token, headers: LINES }).then(
      () => 'whole',
      () => 'broken off',
    );
    expect([broken, parts]).to.deep.equal(['broken off', 2]);
    await api.close();
    await free.close();
  });
});
