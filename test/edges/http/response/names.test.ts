import { expect } from 'chai';
import { createClient } from '../../../../adapters/client/index.ts';
import { newSampleWorkspace } from '../sample-workspace.ts';
import { overBoth } from '../support.ts';

overBoth('names beside ids', (open) => {
  it('are asked for by one parameter, joined by commas or repeated, and told in each record', async () => {
    const api = await open();
    const { ids, ada } = await newSampleWorkspace(api);
    const ask = (path: string) =>
      api.ask({ method: 'GET', path: `/api/workspace/${ids.workspaceId}${path}`, token: ada.token });
    const joined = await ask('/task?expand=status,assignees');
    expect(joined.json[0].expanded).to.deep.equal({
      status: { id: ids.statusId, name: 'To do', done: false },
      assignees: [{ id: ids.memberId, name: 'Bob' }],
    });
    expect((await ask('/task?expand=status&expand=assignees')).text).to.equal(joined.text);
    const task = await ask(`/task/${ids.taskId}?expand=author`);
    expect(task.json.comments[0].expanded).to.deep.equal({ author: { id: ada.memberId, name: 'Ada' } });
    expect((await ask('/page?expand=parent')).json[0].expanded).to.deep.equal({ parent: null });
    expect((await ask('/task')).json[0]).not.to.have.property('expanded');
    const refused = await ask('/task?expand=status,secrets');
    expect([refused.status, refused.pointers]).to.deep.equal([400, ['/expand/1']]);
  });

  it('are asked for in the query of what writes a task, and not in its body', async () => {
    const api = await open();
    const { ids, ada, bob } = await newSampleWorkspace(api);
    const at = `/api/workspace/${ids.workspaceId}/task`;
    const body = { title: 'New', boardId: ids.boardId };
    const headers = { 'idempotency-key': 'names' };
    const make = (query: string) => api.ask({ method: 'POST', path: `${at}${query}`, token: ada.token, body, headers });
    const made = await make('?expand=status,createdBy');
    const createdBy = { id: ada.memberId, name: 'Ada' };
    expect(made.json.expanded).to.deep.equal({ status: { id: ids.statusId, name: 'To do', done: false }, createdBy });
    await api.espalier.as(ada).me.update({ name: 'Ada L.' });
    // A repeated request gets the stored task, and the names of now.
    const again = await make('?expand=createdBy');
    expect([again.json.id, again.json.expanded]).to.deep.equal([
      made.json.id,
      { createdBy: { ...createdBy, name: 'Ada L.' } },
    ]);
    expect((await make('')).json).not.to.have.property('expanded');
    const change = {
      method: 'PUT',
      path: `${at}/${ids.taskId}?expand=author`,
      token: bob.token,
      body: { title: 'Other' },
    };
    expect((await api.ask(change)).json.comments[0].expanded.author).to.include({ id: ada.memberId });
    const batch = { method: 'POST', path: `${at}/batch?expand=board`, token: bob.token, body: { tasks: [body] } };
    expect((await api.ask(batch)).json[0].expanded).to.deep.equal({ board: { id: ids.boardId, name: 'Sprint' } });
    for (const [path, given] of [
      [`${at}/${ids.taskId}/assignee?expand=assignees`, { memberId: ids.memberId }],
      [`${at}/${ids.taskId}/tag?expand=tags`, { tagId: ids.tagId }],
    ] as const) {
      const { status, json } = await api.ask({ method: 'POST', path, token: bob.token, body: given });
      expect([status, Object.values(json.expanded as object)[0]], path).to.have.nested.property('[1].length', 1);
    }
    for (const [path, given] of [
      [at, { ...body, expand: ['status'] }],
      [`${at}?expand=secrets`, body],
    ] as const) {
      const refused = await api.ask({ method: 'POST', path, token: ada.token, body: given });
      expect([refused.status, refused.pointers?.[0]]).to.be.deep.oneOf([
        [400, '/expand'],
        [400, '/expand/0'],
      ]);
    }
  });

  it('follow the list from part to part', async () => {
    const api = await open();
    const { ids, ada } = await newSampleWorkspace(api);
    const path = `/api/workspace/${ids.workspaceId}/task?limit=1&expand=board`;
    const first = await api.ask({ method: 'GET', path, token: ada.token });
    const next = /<([^>]*)>/.exec(first.headers.get('link')!)![1]!;
    const second = await api.ask({ method: 'GET', path: next, token: ada.token });
    expect(second.json[0].expanded).to.deep.equal({ board: { id: ids.boardId, name: 'Sprint' } });
  });

  it('come through the client as in process, for an empty list of them too', async () => {
    const api = await open();
    if (api.url === '') return;
    const { ids, ada } = await newSampleWorkspace(api);
    const { workspaceId } = ids;
    const [remote, local] = [createClient({ url: api.url, token: ada.token }), api.espalier.as(ada)];
    for (const expand of [[], ['status'], ['status', 'createdBy']] as const) {
      const both = [remote, local].map((session) => session.tasks.list({ workspaceId, expand }));
      expect(await both[0]).to.deep.equal(await both[1]);
      expect((await both[0]!).items).to.have.length(2);
    }
    const { alias } = await local.workspaces.get({ workspaceId });
    for (const session of [remote, local]) {
      expect((await session.tasks.list({ workspaceId: alias })).items).to.have.length(2);
      const sunk: unknown[] = [];
      await session.exports.workspace({ workspaceId: alias, sink: (record) => void sunk.push(record) });
      expect(sunk).not.to.have.length(0);
    }
  });
});
