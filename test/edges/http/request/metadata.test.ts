import { expect } from 'chai';
import { createEspalier, type Espalier } from '../../../../adapters/service/index.ts';
import { createClient } from '../../../../adapters/client/index.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import type { Guard } from '../../../../core/write/guards.ts';
import { newSampleWorkspace } from '../sample-workspace.ts';
import { newApi, overBoth } from '../support.ts';

overBoth('metadata', (open) => {
  it('filters tasks by dotted and by bracketed parameters, whose commas are part of the value', async () => {
    const api = await open();
    const { ids, ada } = await newSampleWorkspace(api);
    const path = `/api/workspace/${ids.workspaceId}/task`;
    const put = (metadata: unknown, raw?: string) =>
      api.ask({
        method: 'PUT',
        path: `${path}/${ids.taskId}`,
        token: ada.token,
        ...(raw ? { raw } : { body: { metadata } }),
      });
    expect((await put({ sprint: 5, 'a.b': 'x,y' })).json.metadata).to.deep.equal({ sprint: 5, 'a.b': 'x,y' });
    const found = async (query: string) => {
      const { status, json, pointers } = await api.ask({ method: 'GET', path: `${path}?${query}`, token: ada.token });
      return status === 200 ? json.length : [status, ...pointers].join(' ');
    };
    for (const [query, expected] of [
      ['metadata.sprint=5', 1],
      ['metadata.sprint=5.0', 0],
      ['metadata%5Bsprint%5D=5', 1],
      ['metadata[sprint]=4&metadata.sprint=5', 1],
      ['metadata.sprint=4,5', 0],
      ['metadata.a.b=x,y', 1],
      ['metadata.a.b=x&metadata.sprint=5', 0],
      ['excludeMetadata.sprint=5&num=1', 0],
      ['noMetadata=sprint&num=1', 0],
      ['noMetadata=sprint,other&num=1', 1],
      ['metadata=5', '400 /metadata'],
      ['metadata.=5', '400 /metadata.'],
      ['metadata.__proto__=5', '400 /metadata/__proto__'],
      ['metadata.sp%20ace=5', '400 /metadata/sp ace'],
      [`metadata.a=${'x'.repeat(501)}`, '400 /metadata/a/0'],
      ['noMetadata=sp%20ace', '400 /noMetadata/0'],
    ] as const) {
      expect(await found(query), query).to.equal(expected);
    }
    expect((await put(null, '{"metadata":{"__proto__":1}}')).status).to.equal(400);
    expect((await put({ a: { b: 1 } })).pointers).to.deep.equal(['/metadata/a']);
    expect((await put({ 'no key': 1 })).status).to.equal(400);
    expect((await put({ a: 'x'.repeat(501) })).pointers).to.deep.equal(['/metadata/a']);
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`k${i}`, i]));
    expect((await put(many)).pointers).to.deep.equal(['/metadata']);
    expect((await put(null)).json.metadata).to.deep.equal({});
  });
});

describe('metadata through the client', () => {
  it('is written and filtered as in process', async () => {
    const api = await newApi('through a socket');
    const { ids, ada } = await newSampleWorkspace(api);
    const session = createClient({ url: api.url, token: ada.token });
    const { workspaceId, taskId } = ids;
    await session.tasks.update({ workspaceId, taskId, metadata: { 'a.b': 'x,&= y', sprint: 5 } });
    const filters = { metadata: { 'a.b': ['x,&= y', 'z'], sprint: ['5'] }, excludeMetadata: { sprint: ['6'] } };
    const { items } = await session.tasks.list({ workspaceId, ...filters });
    expect(items.map(({ id, metadata }) => [id, metadata])).to.deep.equal([[taskId, { 'a.b': 'x,&= y', sprint: 5 }]]);
    await api.close();
  });
});

describe('guards over HTTP', () => {
  const guarded = async (guard: Guard) => {
    let on = false;
    const guards: Guard[] = [(...asked) => (on ? guard(...asked) : undefined)];
    const espalier: Espalier = createEspalier({ store: memoryStore(), guards });
    const api = await newApi('in process', { espalier });
    const { ids, ada } = await newSampleWorkspace(api);
    on = true;
    const path = `/api/workspace/${ids.workspaceId}/task/${ids.taskId}`;
    const before = await api.ask({ method: 'GET', path, token: ada.token });
    const answer = await api.ask({ method: 'PUT', path, token: ada.token, body: { title: 'Other' } });
    expect((await api.ask({ method: 'GET', path, token: ada.token })).json).to.deep.equal(before.json);
    await api.close();
    return { answer, log: api.log };
  };

  it('refuse with 409 and their own words', async () => {
    const { answer } = await guarded(() => 'Not on Fridays.');
    expect([answer.status, answer.json.code, answer.json.detail]).to.deep.equal([
      409,
      'guard-refused',
      'Not on Fridays.',
    ]);
  });

  it('that throw are answered with 500, without their words, and logged', async () => {
    const { answer, log } = await guarded(() => {
      throw new Error('a secret of the host');
    });
    expect(answer.status).to.equal(500);
    expect(answer.text).not.to.include('secret');
    const written = JSON.stringify(log, (_, value: unknown) => (value instanceof Error ? String(value) : value));
    expect(written).to.include('a secret of the host');
  });
});
