import { assert, expect } from 'chai';
import { join } from 'node:path';
import { embeddedStore } from '../../../adapters/store-embedded/index.ts';
import { memoryStore } from '../../../adapters/store-memory/index.ts';
import { createEspalier } from '../../../adapters/service/index.ts';
import { operations, type UseCaseName } from '../../../adapters/schemas/index.ts';
import type { AuditAction, AuditRecord } from '../../../core/model/log/audit-record.ts';
import { useCases } from '../../../core/use-cases.ts';
import type { Store } from '../../../core/ports/store.ts';
import { ask } from '../../edges/http/valid-requests.ts';
import { newSampleWorkspace } from '../../edges/http/sample-workspace.ts';
import { newApi, pathOf } from '../../edges/http/support.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

/** Changes nothing. */
const READS = [] as const;
/** Changes boards, tasks and comments only: who may do what stays as it is. */
const CONTENT = [] as const;

type Name = Exclude<UseCaseName, `doctor.${string}`> | 'doctor.check';

/** What each use case leaves in the audit trail when it succeeds as in `valid-requests.ts`. A use case without a row fails. */
const TRAIL: Readonly<Record<Name, readonly AuditAction[]>> = {
  'me.get': READS,
  'me.update': CONTENT,
  'tokens.list': READS,
  'tokens.create': ['token.create'],
  'tokens.createFor': ['token.create'],
  'tokens.revoke': ['token.delete'],
  'users.list': READS,
  'users.create': ['user.create'],
  'users.get': READS,
  'users.update': ['user.update'],
  'quotas.get': [],
  'quotas.update': ['quotas.update'],
  'workspaces.list': READS,
  'workspaces.create': ['workspace.create', 'member.create'],
  'workspaces.get': READS,
  'workspaces.update': ['workspace.update'],
  'workspaces.delete': ['workspace.delete'],
  'members.list': READS,
  'members.update': ['member.update'],
  'members.remove': ['member.update'],
  'invitations.create': ['invitation.create'],
  'invitations.list': READS,
  'invitations.get': READS,
  'invitations.revoke': ['invitation.update'],
  'invitations.read': READS,
  'invitations.join': ['member.create', 'invitation.update'],
  'pages.list': READS,
  // Under a parent it takes no access of its own: see below for those at the top.
  'pages.create': CONTENT,
  'pages.get': READS,
  'pages.update': ['page.move'],
  'pages.delete': ['page.delete'],
  'access.settings': READS,
  'access.changeSettings': ['access.update'],
  'access.members': READS,
  'access.grant': ['access.update'],
  'access.revoke': ['access.update'],
  'access.explain': READS,
  'access.preview': READS,
  'access.audit': READS,
  'trash.list': READS,
  // It takes access of its own along, and goes elsewhere.
  'trash.restore': ['access.update', 'page.move'],
  'trash.delete': CONTENT,
  'boards.list': READS,
  'boards.create': CONTENT,
  'boards.get': READS,
  'boards.update': CONTENT,
  'boards.delete': ['page.delete'],
  'boards.copy': CONTENT,
  'pages.copy': CONTENT,
  'statuses.create': CONTENT,
  'statuses.update': CONTENT,
  'statuses.delete': CONTENT,
  'tags.create': CONTENT,
  'tags.update': CONTENT,
  'tags.delete': CONTENT,
  'tasks.list': READS,
  'tasks.create': CONTENT,
  'tasks.createMany': CONTENT,
  'tasks.get': READS,
  'tasks.update': CONTENT,
  'tasks.delete': CONTENT,
  'tasks.updateMany': CONTENT,
  'tasks.deleteMany': CONTENT,
  'tasks.addTag': CONTENT,
  'tasks.removeTag': CONTENT,
  'tasks.assign': CONTENT,
  'tasks.unassign': CONTENT,
  'tasks.link': CONTENT,
  'tasks.unlink': CONTENT,
  'tasks.unlinkParent': CONTENT,
  'tasks.history': READS,
  'boards.history': READS,
  'pages.history': READS,
  'checklists.create': CONTENT,
  'checklists.update': CONTENT,
  'checklists.delete': CONTENT,
  'comments.create': CONTENT,
  'comments.update': CONTENT,
  'comments.delete': CONTENT,
  // At the top, by an owner: its page takes no access of its own.
  'imports.board': CONTENT,
  'imports.workspace': ['workspace.create', 'member.create'],
  'exports.workspace': READS,
  'changes.list': READS,
  'changes.snapshot': READS,
  'changes.watch': READS,
  'audit.list': READS,
  'audit.service': READS,
  'doctor.check': READS,
};

async function trailOf(store: Store, workspaceIds: readonly (string | null)[]): Promise<readonly AuditRecord[]> {
  const parts = await store.read((tx) =>
    Promise.all(
      workspaceIds.map(async (workspaceId) =>
        tx.audit.list('ofWorkspace', { workspaceId }, { limit: 10_000, descending: true }),
      ),
    ),
  );
  return parts.flatMap((part) => part.toReversed());
}

describe('the audit trail', () => {
  const folder = temporaryFolder();

  it('knows what every use case leaves in it', () => {
    const names = Object.entries(useCases).flatMap(([noun, verbs]) =>
      Object.keys(verbs).map((verb) => `${noun}.${verb}`),
    );
    expect(Object.keys(TRAIL).toSorted()).to.deep.equal(names.toSorted());
  });

  it('has who did what to whom, what was before and after, and for which request, of every operation', async () => {
    for (const row of operations) {
      const api = await newApi('in process');
      const sample = await newSampleWorkspace(api);
      const { store } = api.espalier;
      const { workspaceId } = sample.ids;
      const before = new Set((await trailOf(store, [workspaceId, null])).map(({ id }) => id));
      const asked = ask(row, pathOf(row, sample.ids), sample);
      const answer = await api.ask({ ...asked, headers: { 'x-request-id': `audited-${row.useCase}` } });
      expect(answer.status, row.useCase).to.equal(row.status);
      const created = row.useCase === 'workspaces.create' ? [(answer.json as { id: string }).id] : [];
      const left = (await trailOf(store, [workspaceId, null, ...created])).filter(({ id }) => !before.has(id));
      const actions = left.map(({ action }) => action);
      expect(actions.toSorted(), row.useCase).to.deep.equal([...TRAIL[row.useCase as Name]].toSorted());
      const by = row.useCase === 'invitations.join' ? sample.eve.id : sample.ada.id;
      for (const { action, userId, requestId, recordId, before: was, after: is } of left) {
        expect([userId, requestId], row.useCase).to.deep.equal([by, `audited-${row.useCase}`]);
        expect(recordId).to.match(/^[0-9a-f-]{36}$/);
        expect(was === null, `${row.useCase} before`).to.equal(action.endsWith('.create'));
        expect(is === null, `${row.useCase} after`).to.equal(action.endsWith('.delete'));
        if (was !== null && is !== null) expect(was, row.useCase).to.not.deep.equal(is);
      }
      await api.close();
    }
  });

  it('holds no secret', async () => {
    const api = await newApi('in process');
    const { ada, bob, ids } = await newSampleWorkspace(api);
    const secret = (await api.espalier.as(ada.id).tokens.create({ name: 'sync' })).token;
    const text = JSON.stringify(await trailOf(api.espalier.store, [ids.workspaceId, null]));
    for (const hidden of [secret, ada.token, bob.token, 'esp_', '"hash"']) assert(!text.includes(hidden));
    await api.close();
  });

  it('has the access that a page at the top gives to who makes it, and what a workspace brings along', async () => {
    const api = await newApi('in process');
    const { bob, ids } = await newSampleWorkspace(api);
    const asBob = api.espalier.as(bob.id);
    const page = await asBob.pages.create({ workspaceId: ids.workspaceId, name: 'Mine', type: 'folder' });
    const [last] = (await trailOf(api.espalier.store, [ids.workspaceId])).toReversed();
    expect([last?.action, last?.recordId, last?.userId]).to.deep.equal(['access.update', page.id, bob.id]);
    expect(last?.after).to.deep.equal({ entries: { [bob.memberId]: 400 } });
    await api.close();
  });

  it('has where a page goes that comes back from the trash elsewhere, as if it were moved', async () => {
    const api = await newApi('in process');
    const { ada, ids } = await newSampleWorkspace(api);
    const [session, at] = [api.espalier.as(ada.id), { workspaceId: ids.workspaceId }];
    const folder = async (name: string, parentId: string | null = null) =>
      (await session.pages.create({ ...at, name, type: 'folder', parentId })).id;
    const [from, to] = [await folder('From'), await folder('To')];
    const pageId = await folder('Plan', from);
    const before = await trailOf(api.espalier.store, [ids.workspaceId]);
    for (const parentId of [from, to, null]) {
      await session.pages.delete({ ...at, pageId });
      await session.trash.restore({ ...at, trashId: pageId, parentId });
    }
    const left = (await trailOf(api.espalier.store, [ids.workspaceId])).slice(before.length);
    expect(left.map((one) => [one.action, one.recordId, one.before, one.after])).to.deep.equal([
      ['page.move', pageId, { parentId: from }, { parentId: to }],
      ['page.move', pageId, { parentId: to }, { parentId: null }],
    ]);
    await api.close();
  });

  it('has all that an imported workspace brings', async () => {
    const here = await newApi('in process');
    const { ada, ids } = await newSampleWorkspace(here);
    const path = `/api/workspace/${ids.workspaceId}/export`;
    const { text } = await here.ask({ method: 'GET', path, token: ada.token });
    const there = await newApi('in process');
    const { id, token } = await there.user('Root', { administrator: true });
    const headers = { 'content-type': 'application/x-ndjson', 'x-request-id': 'imported' };
    const answer = await there.ask({ method: 'POST', path: '/api/import', token, raw: text, headers });
    expect(answer.status, answer.text).to.equal(201);
    const trail = await trailOf(there.espalier.store, [ids.workspaceId]);
    const actions = new Set(trail.map(({ action }) => action));
    for (const action of [...TRAIL['imports.workspace'], 'access.update', 'invitation.create'] as const) {
      assert(actions.has(action), action);
    }
    for (const { userId, requestId } of trail) expect([userId, requestId]).to.deep.equal([id, 'imported']);
    await here.close();
    await there.close();
  });

  it('only grows, whatever is done, and outlives its workspace', async () => {
    for (const store of [memoryStore(), embeddedStore({ path: join(folder, 'trail.db') })]) {
      const api = await newApi('in process', { espalier: createEspalier({ store }) });
      const sample = await newSampleWorkspace(api);
      const spaces = [sample.ids.workspaceId, null];
      let trail = await trailOf(store, spaces);
      const last = ['workspaces.delete'];
      const rows = operations.filter(({ useCase }) => !last.includes(useCase));
      for (const row of [...rows, ...operations.filter(({ useCase }) => last.includes(useCase))]) {
        await api.ask(ask(row, pathOf(row, sample.ids), sample));
        const now = await trailOf(store, spaces);
        const known = new Map(now.map((record) => [record.id, record]));
        for (const record of trail) expect(known.get(record.id), row.useCase).to.deep.equal(record);
        trail = now;
      }
      await api.espalier.idle();
      expect(await trailOf(store, spaces)).to.deep.equal(trail);
      assert(trail.some(({ action }) => action === 'workspace.delete'));
      await api.close();
    }
  });

  it('is read by operations that only read', () => {
    const about = operations.filter(({ path, useCase }) => path.endsWith('/audit') || useCase.startsWith('audit.'));
    expect(about.map(({ method, useCase }) => `${method} ${useCase}`)).to.deep.equal([
      'GET access.audit',
      'GET audit.list',
      'GET audit.service',
    ]);
  });
});
