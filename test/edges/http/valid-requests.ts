import type { UseCaseName } from '../../../adapters/schemas/index.ts';
import type { SampleWorkspace } from './sample-workspace.ts';
import type { Ask } from './support.ts';

/** What to add to the path of an operation for a request that succeeds. */
export interface ValidRequest {
  readonly query?: string;
  readonly body?: Readonly<Record<string, unknown>>;
  /** Default: Ada. */
  readonly by?: 'eve';
}

/** Requests that succeed, by operation. */
export const validRequests: Readonly<Partial<Record<UseCaseName, (sample: SampleWorkspace) => ValidRequest>>> = {
  'workspaces.list': () => ({}),
  'workspaces.create': () => ({ body: { name: 'Beta', alias: 'beta', description: '', defaultAccess: 200 } }),
  'workspaces.get': () => ({}),
  'workspaces.update': () => ({ body: { name: 'Acme Inc', description: 'x', defaultAccess: 100 } }),
  'workspaces.delete': () => ({}),
  'members.list': () => ({ query: 'former=true' }),
  'members.update': () => ({ body: { role: 30, position: 'Lead' } }),
  'members.remove': () => ({}),
  'invitations.create': ({ ids }) => ({
    body: {
      email: 'New@Example.org',
      role: 10,
      pages: [{ pageId: ids.pageId, access: 200 }],
      expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
    },
  }),
  'invitations.list': () => ({ query: 'limit=1' }),
  'invitations.get': () => ({}),
  'invitations.revoke': () => ({}),
  'invitations.read': () => ({}),
  'invitations.join': () => ({ by: 'eve' }),
  'pages.list': () => ({}),
  'pages.create': ({ folderId }) => ({ body: { name: 'Notes', type: 'folder', parentId: folderId } }),
  'pages.get': () => ({}),
  'pages.update': ({ folderId }) => ({ body: { name: 'Sprint 1', parentId: folderId, orderIndex: 0 } }),
  'pages.delete': () => ({}),
  'access.settings': () => ({}),
  'access.changeSettings': () => ({ body: { inherit: false, defaultAccess: 100 } }),
  'access.members': () => ({}),
  'access.grant': ({ gus }) => ({ body: { memberId: gus.memberId, access: 100 } }),
  'access.revoke': () => ({}),
  'access.explain': ({ bob }) => ({ query: `memberId=${bob.memberId}` }),
  'access.preview': ({ folderId }) => ({ query: `parentId=${folderId}` }),
  'access.audit': () => ({ query: 'findings=true&limit=2' }),
  'trash.list': () => ({ query: 'limit=1' }),
  'trash.restore': ({ folderId }) => ({ body: { parentId: folderId } }),
  'trash.delete': () => ({}),
  'boards.list': () => ({}),
  'boards.create': ({ folderId }) => ({
    body: { name: 'Ideas', description: 'x', parentId: folderId, externalId: 'b-1' },
  }),
  'boards.get': () => ({}),
  'boards.update': () => ({ body: { name: 'Sprint 2', description: 'y', externalId: null } }),
  'boards.delete': () => ({}),
  'boards.copy': ({ folderId }) => ({ body: { name: 'Again', parentId: folderId, tasks: true, comments: true } }),
  'pages.copy': () => ({ body: { tasks: true, assignees: true } }),
  'statuses.create': () => ({ body: { name: 'Doing', orderKey: 512, done: false } }),
  'statuses.update': () => ({ body: { name: 'Next', orderKey: -5, done: true } }),
  'statuses.delete': ({ doneId }) => ({ query: `moveTo=${doneId}` }),
  'tags.create': () => ({ body: { name: 'idea', color: '#A0B1C2' } }),
  'tags.update': () => ({ body: { name: 'defect', color: 'RebeccaPurple' } }),
  'tags.delete': () => ({}),
  'tasks.list': ({ ids, bob }) => ({ query: `boardId=${ids.boardId}&assigneeId=me,${bob.memberId}&count=true` }),
  'tasks.create': ({ ids, bob, doneId, otherTaskId }) => ({ body: newTask(ids, bob.memberId, doneId, otherTaskId) }),
  'tasks.createMany': ({ ids }) => ({
    body: {
      tasks: [
        { title: 'One', boardId: ids.boardId },
        { title: 'Two', boardId: ids.boardId },
      ],
    },
  }),
  'tasks.updateMany': ({ ids, bob, doneId }) => ({
    body: { taskIds: [ids.taskId], set: { statusId: doneId, priority: 400, addAssignees: [bob.memberId] } },
  }),
  'tasks.deleteMany': ({ ids }) => ({ body: { filter: { boardId: [ids.boardId] }, count: 2 } }),
  'tasks.get': () => ({}),
  'tasks.update': ({ doneId }) => ({
    body: { title: 'Fixed', statusId: doneId, plannedEndDate: '2026-03-02', tags: [], priority: 400 },
  }),
  'tasks.delete': () => ({}),
  'tasks.addTag': ({ ids }) => ({ body: { tagId: ids.tagId } }),
  'tasks.removeTag': () => ({}),
  'tasks.assign': ({ ada }) => ({ body: { memberId: ada.memberId } }),
  'tasks.unassign': () => ({}),
  'tasks.link': ({ ids }) => ({ body: { type: 'relates', taskId: ids.taskId } }),
  'tasks.unlink': () => ({}),
  'tasks.unlinkParent': () => ({}),
  'tasks.history': () => ({ query: 'limit=1' }),
  'boards.history': () => ({}),
  'pages.history': () => ({ query: 'limit=500' }),
  'checklists.create': ({ ids, bob }) => ({
    body: { text: ' Ask ', done: true, assigneeId: bob.memberId, beforeItemId: ids.itemId },
  }),
  'checklists.update': () => ({ body: { text: 'Ask again', done: false, assigneeId: null, afterItemId: null } }),
  'checklists.delete': () => ({}),
  'comments.create': () => ({ body: { content: 'Done?', externalId: 'c-1' } }),
  'comments.update': () => ({ body: { content: 'Now.' } }),
  'comments.delete': () => ({}),
  'me.get': () => ({}),
  'me.update': () => ({ body: { name: 'Ada L.', avatar: 'https://example.org/a.png', phone: null } }),
  'users.list': () => ({ query: 'limit=2' }),
  'users.create': () => ({ body: { name: 'Zoe', email: 'Zoe@example.org', administrator: false } }),
  'users.get': () => ({}),
  'users.update': () => ({ body: { email: 'bob@example.com', disabled: true } }),
  'tokens.list': () => ({}),
  'tokens.create': () => ({ body: { name: 'sync', expiresAt: '2099-01-01T00:00:00+02:00' } }),
  'tokens.revoke': () => ({}),
  'tokens.createFor': () => ({ body: { name: 'support' } }),
  'imports.board': ({ ada, bob }) => ({ body: trello(ada.memberId, bob.memberId) }),
  'quotas.get': () => ({}),
  'quotas.update': () => ({ body: { tasks: 50_000, depth: null } }),
  'changes.list': ({ cursor, ids }) => ({
    query: `since=${cursor}&kind=task,page&boardId=${ids.boardId}&include=record`,
  }),
  'audit.list': () => ({ query: 'limit=3' }),
  'audit.service': () => ({ query: 'limit=3' }),
};

export function ask(
  row: { readonly method: string; readonly useCase: UseCaseName },
  path: string,
  sample: SampleWorkspace,
): Ask & { readonly token: string } {
  const { query, body, by } = validRequests[row.useCase]!(sample);
  return {
    method: row.method,
    path: query === undefined ? path : `${path}?${query}`,
    token: by === 'eve' ? sample.eve.token : sample.ada.token,
    ...(body === undefined ? {} : { body }),
  };
}

function newTask(ids: SampleWorkspace['ids'], memberId: string, statusId: string, otherId: string) {
  return {
    title: '  Ship it  ',
    description: 'At last',
    boardId: ids.boardId,
    statusId,
    priority: 300,
    complete: false,
    plannedStartDate: '2026-03-01',
    plannedEndDate: '2026-03-31',
    externalId: `after ${otherId}`,
    tags: [ids.tagId],
    assignees: [memberId],
    beforeTaskId: null,
    pageId: null,
  };
}

function trello(memberId: string, authorId: string) {
  const at = '2025-05-01T08:00:00.000Z';
  return {
    memberId,
    externalId: 'trello-1',
    name: 'Weekly',
    statuses: [{ name: 'Open' }, { name: 'Closed', done: true }],
    tags: [{ name: 'urgent', color: 'red' }],
    tasks: [
      {
        externalId: 'card-1',
        title: 'Card',
        status: 'Open',
        tags: ['urgent'],
        createdAt: at,
        checklist: [{ text: 'Ask', done: true, assigneeId: authorId }, { text: 'Tell' }],
        comments: [{ externalId: 'note-1', content: 'Hm.', authorId, createdAt: at, editedAt: at }],
      },
    ],
  };
}
