import { expect } from 'chai';
import { operations } from '../../../../adapters/schemas/index.ts';
import { newSampleWorkspace, type SampleWorkspace } from '../sample-workspace.ts';
import { overBoth, type Answer, type Api } from '../support.ts';

interface Found {
  /** Where it is put. */
  readonly path: string;
  /** Reads it. */
  readonly read: () => Promise<Record<string, unknown>>;
}

/** Every record that can be changed, by use case. */
function records(api: Api, { ids, ada }: SampleWorkspace): Readonly<Record<string, Found>> {
  const at = `/api/workspace/${ids.workspaceId}`;
  const get = async (path: string) => (await api.ask({ method: 'GET', path, token: ada.token })).json;
  const alone = (path: string): Found => ({ path, read: () => get(path) });
  const within = (path: string, of: string, pick: (whole: never) => readonly { id: string }[], id: string): Found => ({
    path,
    read: async () => ({ ...pick((await get(of)) as never).find((one) => one.id === id) }),
  });
  const board = `${at}/board/${ids.boardId}`;
  const task = `${at}/task/${ids.taskId}`;
  type Whole = Record<string, readonly { id: string }[]>;
  return {
    'workspaces.update': alone(at),
    'members.update': within(
      `${at}/members/${ids.memberId}`,
      `${at}/members`,
      (all: { id: string }[]) => all,
      ids.memberId,
    ),
    'pages.update': alone(`${at}/page/${ids.pageId}`),
    'access.changeSettings': alone(`${at}/page/${ids.pageId}/access`),
    'boards.update': alone(board),
    'statuses.update': within(`${board}/status/${ids.statusId}`, board, (all: Whole) => all['statuses']!, ids.statusId),
    'tags.update': within(`${board}/tag/${ids.tagId}`, board, (all: Whole) => all['tags']!, ids.tagId),
    'tasks.update': alone(task),
    'checklists.update': within(`${task}/checklist/${ids.itemId}`, task, (all: Whole) => all['checklist']!, ids.itemId),
    'comments.update': within(
      `${task}/comment/${ids.commentId}`,
      task,
      (all: Whole) => all['comments']!,
      ids.commentId,
    ),
    'me.update': alone('/api/me'),
    'quotas.update': alone('/api/quota'),
    'users.update': alone(`/api/user/${ids.userId}`),
  };
}

overBoth('records', (open) => {
  for (const { useCase } of operations.filter(({ method }) => method === 'PUT')) {
    it(`${useCase} takes a record back as it was read, and changes nothing`, async () => {
      const api = await open();
      const sample = await newSampleWorkspace(api);
      const { path, read } = records(api, sample)[useCase]!;
      const before = await read();
      // The items of a checklist have the version of their task.
      if (useCase !== 'checklists.update') expect(before['version']).to.be.a('number');
      const put = (body: unknown) => api.ask({ method: 'PUT', path, body, token: sample.ada.token });
      const answer = await put(before);
      expect([answer.status, answer.json]).to.deep.equal([200, before]);
      expect(await read()).to.deep.equal(before);
      expect((await put({})).json).to.deep.equal(before);
    });

    it(`${useCase} refuses another value for what is read-only`, async () => {
      const api = await open();
      const sample = await newSampleWorkspace(api);
      const { path, read } = records(api, sample)[useCase]!;
      const before = await read();
      const other = '00000000-0000-7000-8000-000000000009';
      const wrong: Record<string, unknown> = {};
      for (const id of ['id', 'workspaceId', 'taskId']) if (id in before) wrong[id] = other;
      if ('version' in before) Object.assign(wrong, { version: 99, createdAt: '2020-01-01T00:00:00.000Z' });
      for (const [field, value] of Object.entries(wrong)) {
        const answer = await api.ask({
          method: 'PUT',
          path,
          body: { ...before, [field]: value },
          token: sample.ada.token,
        });
        expect([answer.status, answer.pointers], field).to.deep.equal([400, [`/${field}`]]);
      }
    });
  }

  it('takes back a task whose board is hidden', async () => {
    const api = await open();
    const { ids, bob, ada } = await newSampleWorkspace(api);
    const at = `/api/workspace/${ids.workspaceId}`;
    const page = { name: 'Fix it', type: 'task', taskId: ids.taskId };
    await api.ask({ method: 'POST', path: `${at}/page`, body: page, token: ada.token });
    const grant = (pageId: string, access: number) =>
      api.ask({
        method: 'POST',
        path: `${at}/page/${pageId}/access/member`,
        body: { memberId: bob.memberId, access },
        token: ada.token,
      });
    await grant(ids.boardId, 0);
    await grant(ids.taskId, 300);
    const path = `${at}/task/${ids.taskId}`;
    const { json: shown } = await api.ask({ method: 'GET', path, token: bob.token });
    expect([shown.boardHidden, shown.boardId, shown.statusOrderKey, shown.tags]).to.deep.equal([true, null, null, []]);
    const put = await api.ask({ method: 'PUT', path, body: shown, token: bob.token });
    expect([put.status, put.json]).to.deep.equal([200, shown]);
    const edited = await api.ask({ method: 'PUT', path, body: { ...shown, title: 'Fixed' }, token: bob.token });
    expect([edited.status, edited.json.version]).to.deep.equal([200, shown.version + 1]);
    for (const field of ['boardId', 'statusId', 'statusOrderKey']) {
      const answer = await api.ask({ method: 'PUT', path, body: { [field]: null }, token: ada.token });
      expect([answer.status, answer.pointers], field).to.deep.equal([422, [`/${field}`]]);
    }
  });

  it('takes ids in upper case, and gives them in lower case', async () => {
    const api = await open();
    const { ids, ada } = await newSampleWorkspace(api);
    const path = `/api/workspace/${ids.workspaceId}/task/${ids.taskId}`.replace(/[0-9a-f]{8}-[0-9a-f-]+/g, (id) =>
      id.toUpperCase(),
    );
    const body = {
      id: ids.taskId.toUpperCase(),
      workspaceId: ids.workspaceId,
      assignees: [ada.memberId.toUpperCase()],
    };
    const answer = await api.ask({ method: 'PUT', path, body, token: ada.token });
    expect([answer.status, answer.json.id, answer.json.assignees]).to.deep.equal([200, ids.taskId, [ada.memberId]]);
  });

  it('refuses ids of the path in the body of a new record, by name', async () => {
    const api = await open();
    const { ids, ada } = await newSampleWorkspace(api);
    const body = { name: 'x', type: 'folder', workspaceId: ids.workspaceId };
    const answer = await api.ask({
      method: 'POST',
      path: `/api/workspace/${ids.workspaceId}/page`,
      body,
      token: ada.token,
    });
    expect([answer.status, answer.pointers]).to.deep.equal([400, ['/workspaceId']]);
  });
});

overBoth('conditional requests', (open) => {
  interface Asked {
    readonly answer: (headers: Record<string, string>, method?: string) => Promise<Answer>;
    readonly etag: string;
  }

  async function task(api: Api): Promise<Asked> {
    const { ids, ada } = await newSampleWorkspace(api);
    const path = `/api/workspace/${ids.workspaceId}/task/${ids.taskId}`;
    const answer = (headers: Record<string, string>, method = 'GET') =>
      api.ask({
        method,
        path,
        headers,
        token: ada.token,
        ...(method === 'PUT' ? { body: { title: `T${Math.random()}` } } : {}),
      });
    return { answer, etag: (await answer({})).headers.get('etag')! };
  }

  it('answers 304 to who knows the record, and only to them', async () => {
    const { answer, etag } = await task(await open());
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const again = await answer({ 'if-none-match': known });
      expect([again.status, again.text, again.headers.get('etag')]).to.deep.equal([304, '', etag]);
    }
    for (const other of ['"x"', etag.replace('-', '-x'), '""']) {
      expect((await answer({ 'if-none-match': other })).status, other).to.equal(200);
    }
  });

  it('answers 304 to nobody who may not read the record, nor no longer', async () => {
    const api = await open();
    const { ids, ada, bob, eve, gus } = await newSampleWorkspace(api);
    const path = `/api/workspace/${ids.workspaceId}/task/${ids.taskId}`;
    const get = (token: string, known: string) =>
      api.ask({ method: 'GET', path, token, headers: { 'if-none-match': known } });
    const { headers, status } = await get(bob.token, '"x"');
    expect(status).to.equal(200);
    const etag = headers.get('etag')!;
    expect((await get(bob.token, etag)).status).to.equal(304);
    const entry = { workspaceId: ids.workspaceId, pageId: ids.boardId, memberId: bob.memberId };
    await api.espalier.as(ada).access.grant({ ...entry, access: 0 });
    for (const { token } of [bob, eve, gus]) {
      for (const known of [etag, '*']) {
        const answer = await get(token, known);
        expect([answer.status, answer.headers.get('etag')]).to.deep.equal([404, null]);
      }
    }
  });

  it('changes the tag with a comment, which changes no version', async () => {
    const api = await open();
    const { ids, ada } = await newSampleWorkspace(api);
    const path = `/api/workspace/${ids.workspaceId}/task/${ids.taskId}`;
    const get = () => api.ask({ method: 'GET', path, token: ada.token });
    const before = await get();
    await api.ask({ method: 'POST', path: `${path}/comment`, body: { content: 'More' }, token: ada.token });
    const after = await get();
    expect(after.json.version).to.equal(before.json.version);
    expect(after.headers.get('etag')).not.to.equal(before.headers.get('etag'));
    const put = await api.ask({
      method: 'PUT',
      path,
      body: { priority: 1 },
      headers: { 'if-match': before.headers.get('etag')! },
      token: ada.token,
    });
    expect(put.status).to.equal(200);
  });

  it('writes when If-Match names the version, and answers 412 when it does not', async () => {
    const { answer, etag } = await task(await open());
    for (const stale of ['"0-x"', '"x"', `W/${etag}`, '""', '"99-x", "98-x"']) {
      expect((await answer({ 'if-match': stale }, 'PUT')).status, stale).to.equal(412);
    }
    const put = await answer({ 'if-match': `"x", ${etag}` }, 'PUT');
    expect(put.status).to.equal(200);
    expect((await answer({ 'if-match': etag }, 'PUT')).status).to.equal(412);
    expect((await answer({ 'if-match': put.headers.get('etag')! }, 'PUT')).status).to.equal(200);
    expect((await answer({ 'if-match': '*' }, 'PUT')).status).to.equal(200);
    expect((await answer({ 'if-match': etag }, 'DELETE')).status).to.equal(412);
    expect((await answer({ 'if-match': '*' }, 'DELETE')).status).to.equal(204);
  });

  it('refuses headers that are no entity tags', async () => {
    const { answer } = await task(await open());
    for (const header of ['x', '3', '"x" "y"', '"x",', "'x'", 'w/"x"']) {
      expect((await answer({ 'if-match': header }, 'PUT')).status, header).to.equal(400);
      expect((await answer({ 'if-none-match': header })).status, header).to.equal(400);
    }
  });
});
