import { expect } from 'chai';
import { operations, pathFields } from '../../../../adapters/schemas/index.ts';
import { newSampleWorkspace, type SampleWorkspace } from '../sample-workspace.ts';
import { overBoth, pathOf, type Answer, type Api } from '../support.ts';

const GONE = 'no-such-workspace';
const reads = operations.filter(
  ({ method, path }) => method === 'GET' && pathFields(path)[0] === 'workspaceId' && !path.endsWith('/preview'),
);

/** What of an answer may not differ between two requests. */
const shown = ({ status, text, headers }: Answer) => ({
  status,
  text: text.replace(headers.get('x-request-id')!, ''),
  headers: [...headers].filter(([name]) => !['x-request-id', 'date', 'link'].includes(name)),
});

async function alias(api: Api, { ids, ada }: SampleWorkspace): Promise<string> {
  return (await api.espalier.as(ada).workspaces.get({ workspaceId: ids.workspaceId })).alias;
}

overBoth('the alias of a workspace', (open) => {
  it('goes wherever its id goes', async () => {
    const api = await open();
    const sample = await newSampleWorkspace(api);
    const named = { ...sample.ids, workspaceId: await alias(api, sample) };
    for (const operation of reads) {
      const get = (ids: SampleWorkspace['ids']) =>
        api.ask({ method: 'GET', path: pathOf(operation, ids), token: sample.ada.token });
      expect(shown(await get(named)), operation.useCase).to.deep.equal(shown(await get(sample.ids)));
    }
    const lines = { accept: 'application/x-ndjson' };
    for (const path of ['audit', 'export', 'task']) {
      const answer = await api.ask({
        method: 'GET',
        path: `/api/workspace/${named.workspaceId}/${path}`,
        token: sample.ada.token,
        headers: path === 'task' ? {} : lines,
      });
      expect(answer.status, path).to.equal(200);
    }
  });

  it('is answered with the id, in Location too, and takes a record back that names the id', async () => {
    const api = await open();
    const sample = await newSampleWorkspace(api);
    const { ids, ada } = sample;
    const [byAlias, byId] = [`/api/workspace/${await alias(api, sample)}`, `/api/workspace/${ids.workspaceId}`];
    const ask = (method: string, path: string, body?: unknown) =>
      api.ask({ method, path: byAlias + path, token: ada.token, ...(body === undefined ? {} : { body }) });
    const status = await ask('POST', `/board/${ids.boardId}/status`, { name: 'New' });
    expect(status.headers.get('location')).to.equal(`${byId}/board/${ids.boardId}`);
    const comment = await ask('POST', `/task/${ids.taskId}/comment`, { content: 'New' });
    expect(comment.headers.get('location')).to.equal(`${byId}/task/${ids.taskId}`);
    const batch = await ask('POST', '/task/batch', { tasks: [{ boardId: ids.boardId, title: 'New' }] });
    expect(batch.headers.get('location')).to.equal(`${byId}/task`);
    const task = await ask('GET', `/task/${ids.taskId}`);
    expect(task.json.workspaceId).to.equal(ids.workspaceId);
    expect((await ask('PUT', `/task/${ids.taskId}`, { ...task.json, title: 'Newer' })).status).to.equal(200);
    const wrong = await ask('PUT', `/task/${ids.taskId}`, { ...task.json, workspaceId: ids.boardId });
    expect([wrong.status, wrong.pointers]).to.deep.equal([400, ['/workspaceId']]);
    // The operator of the service imports into a workspace they are no member of.
    const other = await api.user('Root', { administrator: true });
    const board = { memberId: ada.memberId, externalId: 'x', name: 'B', statuses: [], tags: [], tasks: [] };
    const path = `${byAlias}/import/board`;
    expect((await api.ask({ method: 'POST', path, body: board, token: other.token })).status).to.equal(200);
  });

  it('of a foreign workspace is answered byte for byte like one that nobody has', async () => {
    const api = await open();
    const sample = await newSampleWorkspace(api);
    const foreign = await alias(api, sample);
    for (const { method, path, useCase } of operations) {
      if (pathFields(path)[0] !== 'workspaceId' || useCase === 'imports.board') continue;
      for (const body of [{}, { workspaceId: sample.ids.workspaceId }, { surprise: 1 }]) {
        const ask = (workspaceId: string) =>
          api.ask({
            method,
            path: pathOf({ path }, { ...sample.ids, workspaceId }),
            token: sample.eve.token,
            ...(method === 'POST' || method === 'PUT' ? { body } : {}),
          });
        const [unknown, known] = [await ask(GONE), await ask(foreign)];
        expect(shown(known), useCase).to.deep.equal(shown(unknown));
        expect(known.status, useCase).to.be.oneOf([400, 404]);
      }
    }
  });

  it('is checked behind the token: 401 comes first', async () => {
    const api = await open();
    const sample = await newSampleWorkspace(api);
    for (const workspaceId of [GONE, await alias(api, sample)]) {
      const path = `/api/workspace/${workspaceId}/page`;
      expect((await api.ask({ method: 'GET', path, token: 'esp_nobody' })).status).to.equal(401);
    }
  });
});
