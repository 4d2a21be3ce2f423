import { expect } from 'chai';
import type { ChangeEvent } from '../../../../core/index.ts';
import { operations } from '../../../../adapters/schemas/index.ts';
import { newSampleWorkspace, type SampleWorkspace } from '../sample-workspace.ts';
import { overBoth, pathOf, type Api } from '../support.ts';
import { ask } from '../valid-requests.ts';

overBoth('the changes of a workspace', (open) => {
  let api: Api;
  let sample: SampleWorkspace;
  const get = (path: string, token = sample.ada.token, headers: Record<string, string> = {}) =>
    api.ask({ method: 'GET', path: `/api/workspace/${sample.ids.workspaceId}${path}`, token, headers });
  const cursorOf = async (path: string, token?: string) => (await get(path, token)).headers.get('espalier-cursor');

  beforeEach(async () => {
    api = await open();
    sample = await newSampleWorkspace(api);
  });

  it('are followed from the cursor of any read, to the cursor of the answer', async () => {
    const { taskId, boardId } = sample.ids;
    const since = await cursorOf('/task?limit=1');
    await api.ask({
      method: 'PUT',
      path: `/api/workspace/${sample.ids.workspaceId}/task/${taskId}`,
      body: { title: 'Fixed' },
      token: sample.bob.token,
    });
    const answer = await get(`/changes?since=${since}&include=record`);
    expect(answer.status).to.equal(200);
    const [event, ...others] = answer.json as ChangeEvent[];
    expect(others).to.deep.equal([]);
    expect(event).to.deep.include({ type: 'task.update', id: taskId, boardId, pageId: boardId, fields: ['title'] });
    expect(event).to.have.property('byId', sample.bob.memberId);
    expect(event!.record).to.deep.equal((await get(`/task/${taskId}`)).json);
    expect(answer.headers.get('link')).to.equal(null);
    const cursor = answer.headers.get('espalier-cursor');
    const after = await get(`/changes?since=${cursor}`);
    expect([after.json, after.headers.get('espalier-cursor')]).to.deep.equal([[], cursor]);
  });

  it('come in parts, with a link while more is known', async () => {
    const all = (await get(`/changes?since=${sample.cursor}`)).json as ChangeEvent[];
    const parts: ChangeEvent[] = [];
    for (let path: string | null = `/changes?since=${sample.cursor}&limit=1`; path !== null;) {
      const answer = await get(path);
      parts.push(...(answer.json as ChangeEvent[]));
      const link = /<([^>]*)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
      expect(link === undefined || link.includes('limit=1')).to.equal(true);
      path = link === undefined ? null : link.slice(link.indexOf('/changes'));
    }
    expect(new Set(parts.map(({ id }) => id))).to.deep.equal(new Set(all.map(({ id }) => id)));
  });

  it('are filtered by kind, board and page, and by what the caller sees', async () => {
    const { boardId } = sample.ids;
    const kinds = async (query: string, token?: string) => {
      const events = (await get(`/changes?since=${sample.cursor}${query}`, token)).json as ChangeEvent[];
      // A page that came and went has them look at all pages anew, whatever the filter.
      return new Set(events.filter(({ type }) => type !== 'scope').map(({ type }) => type.split('.')[0]));
    };
    expect(await kinds('&kind=task,comment')).to.deep.equal(new Set(['task', 'comment']));
    expect(await kinds(`&boardId=${boardId}`)).to.deep.equal(new Set(['task', 'comment', 'board', 'page']));
    expect(await kinds(`&pageId=${sample.folderId}`)).to.deep.equal(new Set(['page']));
    // Unknown and hidden alike.
    expect(await kinds(`&boardId=${sample.ids.taskId}`)).to.deep.equal(new Set());
    expect(await kinds('', sample.gus.token)).to.deep.equal(new Set());
    expect(await kinds(`&boardId=${boardId}`, sample.gus.token)).to.deep.equal(new Set());
  });

  it('carry the cursor on every read inside a workspace, on 304 too, and on nothing else', async () => {
    const { taskId } = sample.ids;
    const reads = operations.filter(({ method, path }) => method === 'GET' && path.startsWith('/api/workspace/{'));
    expect(reads).to.have.length.greaterThan(15);
    for (const row of reads) {
      const { method, path, token } = ask(row, pathOf(row, sample.ids), sample);
      const { status, headers } = await api.open({ method, path, token });
      expect([path, status, headers.has('espalier-cursor')]).to.deep.equal([path, 200, true]);
    }
    for (const path of ['/export', '/snapshot']) {
      const { token } = sample.ada;
      const answer = await api.open({ method: 'GET', path: `/api/workspace/${sample.ids.workspaceId}${path}`, token });
      await answer.text();
      expect([path, answer.status, answer.headers.has('espalier-cursor')]).to.deep.equal([path, 200, true]);
    }
    const { headers } = await get(`/task/${taskId}`);
    const known = await get(`/task/${taskId}`, undefined, { 'if-none-match': headers.get('etag')! });
    expect([known.status, known.headers.has('espalier-cursor')]).to.deep.equal([304, true]);
    const lines = await get('/audit', undefined, { accept: 'application/x-ndjson' });
    expect([lines.status, lines.headers.has('espalier-cursor')]).to.deep.equal([200, true]);
    expect((await get(`/task/${sample.ids.boardId}`)).headers.has('espalier-cursor')).to.equal(false);
    const outside = await api.ask({ method: 'GET', path: '/api/me', token: sample.ada.token });
    expect(outside.headers.has('espalier-cursor')).to.equal(false);
    expect((await get('', sample.eve.token)).headers.has('espalier-cursor')).to.equal(false);
  });

  it('are followed from behind what was made, whose answer carries the cursor', async () => {
    const { workspaceId, taskId, boardId } = sample.ids;
    const post = (path: string, body: object) =>
      api.ask({ method: 'POST', path: `/api/workspace/${workspaceId}${path}`, body, token: sample.bob.token });
    const paths: readonly (readonly [string, object])[] = [
      ['/task', { boardId, title: 'New' }],
      ['/page', { name: 'New', type: 'folder' }],
      [`/task/${taskId}/comment`, { content: 'New' }],
    ];
    for (const [path, body] of paths) {
      const made = await post(path, body);
      expect(made.status).to.equal(201);
      const since = made.headers.get('espalier-cursor');
      expect((await get(`/changes?since=${since}`, sample.bob.token)).json).to.deep.equal([]);
    }
    expect((await post('/task', { boardId })).headers.has('espalier-cursor')).to.equal(false);
  });

  it('are refused for a cursor that is missing, malformed, of elsewhere, or not there yet', async () => {
    const codeOf = async (query: string, token?: string) => {
      const answer = await get(`/changes${query}`, token);
      return [answer.status, (answer.json as { code: string }).code];
    };
    const { workspaceId } = await api.espalier
      .as(sample.ada)
      .workspaces.create({ name: 'Other' })
      .then(({ id }) => {
        return { workspaceId: id };
      });
    let other = '';
    const onCursor = (cursor: string) => void (other = cursor);
    await api.espalier.as(sample.ada).workspaces.get({ workspaceId }, { onCursor });
    expect(await codeOf('')).to.deep.equal([400, 'invalid-input']);
    for (const since of [
      '',
      'x',
      'a.b',
      'a.b.c.d',
      'a.1.1.e1',
      'a.1.1.e1.1.s',
      'a.1.1.x1.1',
      'a.1.1.s1.s1',
      `${sample.cursor}!`,
      'x'.repeat(61),
    ]) {
      expect(await codeOf(`?since=${since}`), since).to.deep.equal([400, 'invalid-input']);
    }
    expect(await codeOf(`?since=${other}`)).to.deep.equal([410, 'cursor-expired']);
    const [log] = sample.cursor.split('.');
    expect(await codeOf(`?since=${log}.zzzz.1`)).to.deep.equal([410, 'cursor-expired']);
    for (const query of ['&kind=invitation', '&kind=user', '&limit=0', '&limit=501', '&include=all', '&q=x']) {
      expect(await codeOf(`?since=${sample.cursor}${query}`), query).to.deep.equal([400, 'invalid-input']);
    }
    // Where nothing may be seen, no cursor tells anything.
    expect(await codeOf(`?since=${sample.cursor}`, sample.eve.token)).to.deep.equal([404, 'not-found']);
  });
});
