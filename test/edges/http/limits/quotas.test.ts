import { expect } from 'chai';
import { createEspalier } from '../../../../adapters/service/index.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { EspalierError } from '../../../../core/kernel/errors.ts';
import { newSampleWorkspace } from '../sample-workspace.ts';
import { newApi, pathOf } from '../support.ts';

describe('quotas of the service', () => {
  it('answer 409 quota-exceeded, wherever something is added', async () => {
    const store = memoryStore();
    const free = await newApi('in process', { espalier: createEspalier({ store }) });
    const { ada, eve, ids, folderId } = await newSampleWorkspace(free);
    const quotas = { members: 1, pages: 1, depth: 1, boards: 1, tasks: 1, statuses: 1, tags: 1, comments: 1 };
    const api = await newApi('in process', { espalier: createEspalier({ store, quotas }) });
    const fresh = await free.espalier.as(ada.id).invitations.create({ workspaceId: ids.workspaceId });
    const moved = await free.espalier
      .as(ada.id)
      .pages.create({ workspaceId: ids.workspaceId, name: 'x', type: 'folder' });
    const rows: readonly (readonly [string, string, object, string?])[] = [
      ['POST', '/api/workspace/{id}/page', { name: 'x', type: 'folder' }],
      ['PUT', `/api/workspace/{id}/page/${moved.id}`, { parentId: folderId }],
      ['POST', '/api/workspace/{id}/board', { name: 'x' }],
      ['POST', '/api/workspace/{id}/board/{boardId}/status', { name: 'x' }],
      ['POST', '/api/workspace/{id}/board/{boardId}/tag', { name: 'x' }],
      ['POST', '/api/workspace/{id}/task', { boardId: ids.boardId, title: 'x' }],
      ['POST', '/api/workspace/{id}/task/batch', { tasks: [{ boardId: ids.boardId, title: 'x' }] }],
      ['POST', '/api/workspace/{id}/task/{taskId}/comment', { content: 'x' }],
      ['POST', `/api/workspace/invitation/${fresh.id}/join`, {}, eve.token],
    ];
    for (const [method, path, body, token = ada.token] of rows) {
      const answer = await api.ask({ method, path: pathOf({ path }, ids), body, token });
      expect([answer.status, answer.json.code], `${method} ${path}`).to.deep.equal([409, 'quota-exceeded']);
    }
    await api.close();
  });

  it('of kept answers refuses any POST with an idempotency key, as documented for each', async () => {
    const store = memoryStore();
    const free = await newApi('in process', { espalier: createEspalier({ store }) });
    const { ada, ids } = await newSampleWorkspace(free);
    const quotas = { idempotencyBytes: 1 };
    const api = await newApi('in process', { espalier: createEspalier({ store, quotas }) });
    for (const path of ['/api/workspace', '/api/workspace/{id}/task/{taskId}/assignee']) {
      const answer = await api.ask({
        method: 'POST',
        path: pathOf({ path }, ids),
        headers: { 'Idempotency-Key': 'one' },
        body: path === '/api/workspace' ? { name: 'x' } : { memberId: ids.memberId },
        token: ada.token,
      });
      expect([answer.status, answer.json.code], path).to.deep.equal([409, 'quota-exceeded']);
    }
    await api.close();
  });

  it('are not made of nonsense', () => {
    const create = () => createEspalier({ store: memoryStore(), quotas: { tasks: 0 } });
    expect(create).to.throw(EspalierError).with.property('code', 'invalid-input');
  });
});
