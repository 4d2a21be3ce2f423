import type { UseCaseName } from '../../core/use-cases.ts';
import type { InputOf } from './operation.ts';

const acme = { workspaceId: 'acme' };

/** Of what is in that workspace; and of what the examples need besides. */
export const EXAMPLE_IDS = {
  ada: '01a202c6-c095-73c6-9557-2e71db5c95b8',
  ben: '01a202c6-d6e8-7341-b298-f4da738513ed',
  benAsUser: '01a202c6-bb7a-7534-a4e6-6b7ef7b59f11',
  cleo: '01a202c6-deec-75b5-8e42-162fa15fab1b',
  cleoAsUser: '01a202c6-bdee-72d1-9258-60a56cd7e11d',
  engineering: '01a202c6-c3a6-706b-a3a8-ffb8bb682d40',
  archive: '01a202c6-c626-73f0-bd87-9c7241d623d8',
  launch: '01a202c6-c975-70dd-91d4-7eed35bd29f9',
  todo: '01a202c6-c97b-7205-917f-b4f46840888c',
  doing: '01a202c6-c98b-7483-b60f-40a564c9c788',
  done: '01a202c6-c995-747c-a822-cb5f5d0e052d',
  docs: '01a202c6-cf60-7363-a209-c34dd5893007',
  roadmap: '01a202c6-cc5f-71bb-91a4-e5494c1238cd',
  publish: '01a202c6-eda3-7597-9ee8-879f0884f79c',
  readme: '01a202c6-f124-74ed-a553-b099594a4927',
  comment: '01a202c6-fa52-75ec-ad0b-7a229eca4299',
  accepted: 'db2399c4-5ea1-496c-bb7d-8bc456c899a0',
  pending: '5c0f7d1e-93b4-4a86-8e21-6fd0a94b7c35',
  token: '01a202d0-4b1c-7e52-9a3d-5c8e7f1b2a64',
};
const id = EXAMPLE_IDS;

/** Streams and what no service offers. */
type Apart = 'changes.snapshot' | 'doctor.check' | 'exports.workspace' | 'imports.workspace';

/**
 * One input for each operation, about the workspace of `examples/acme.jsonl`: on a service that was started with
 * `--load examples/acme.jsonl` the administrator can send it as it is. Those that need more say so in `NEEDS`.
 */
export const EXAMPLE_INPUTS: { readonly [Name in Exclude<UseCaseName, Apart>]: InputOf<Name> } = {
  'workspaces.list': {},
  'workspaces.create': { name: 'Beta', alias: 'beta', description: 'What comes next.', defaultAccess: 200 },
  'workspaces.get': acme,
  'workspaces.update': { ...acme, description: 'Makers of rocket skates.' },
  'workspaces.delete': acme,
  'members.list': acme,
  'members.update': { ...acme, memberId: id.ben, position: 'Editor' },
  'members.remove': { ...acme, memberId: id.ben },
  'invitations.create': { ...acme, email: 'dora@example.org', role: 20 },
  'invitations.list': { ...acme, limit: 2, expand: ['createdBy'] },
  'invitations.get': { ...acme, invitationId: id.accepted },
  'invitations.revoke': { ...acme, invitationId: id.pending },
  'invitations.read': { invitationId: id.accepted },
  'invitations.join': { invitationId: id.pending },
  'pages.list': acme,
  'pages.create': { ...acme, name: 'Notes', type: 'folder', parentId: id.engineering },
  'pages.get': { ...acme, pageId: id.launch, expand: ['parent'] },
  'pages.update': { ...acme, pageId: id.roadmap, parentId: id.engineering, orderIndex: 0 },
  'pages.delete': { ...acme, pageId: id.archive },
  'access.settings': { ...acme, pageId: id.archive },
  'access.changeSettings': { ...acme, pageId: id.roadmap, inherit: false, defaultAccess: 100 },
  'access.members': { ...acme, pageId: id.launch, expand: ['member'] },
  'access.grant': { ...acme, pageId: id.roadmap, memberId: id.cleo, access: 100 },
  'access.revoke': { ...acme, pageId: id.engineering, memberId: id.ben },
  'access.explain': { ...acme, pageId: id.launch, memberId: id.ben, expand: ['page'] },
  'access.preview': { ...acme, pageId: id.roadmap, parentId: id.archive, expand: ['member'] },
  'access.audit': { ...acme, findings: true, limit: 2 },
  'boards.list': acme,
  'boards.create': { ...acme, name: 'Ideas', description: 'What could be done.' },
  'boards.get': { ...acme, boardId: id.launch },
  'boards.update': { ...acme, boardId: id.roadmap, description: 'What comes when.' },
  'boards.delete': { ...acme, boardId: id.roadmap },
  'statuses.create': { ...acme, boardId: id.launch, name: 'In review' },
  'statuses.update': { ...acme, boardId: id.launch, statusId: id.todo, name: 'Next' },
  'statuses.delete': { ...acme, boardId: id.launch, statusId: id.todo, moveTo: id.doing },
  'tags.create': { ...acme, boardId: id.launch, name: 'bug', color: 'crimson' },
  'tags.update': { ...acme, boardId: id.launch, tagId: id.docs, color: '#663399' },
  'tags.delete': { ...acme, boardId: id.launch, tagId: id.docs },
  'tasks.list': {
    ...acme,
    boardId: [id.launch],
    complete: false,
    sort: ['position'],
    limit: 1,
    count: true,
    expand: ['status', 'assignees'],
  },
  'tasks.create': {
    ...acme,
    boardId: id.launch,
    title: 'Write the release notes',
    priority: 300,
    plannedEndDate: '2026-12-15',
    tags: [id.docs],
    assignees: [id.ben],
  },
  'tasks.createMany': {
    ...acme,
    tasks: [
      { boardId: id.launch, title: 'Draw a picture of the board' },
      { boardId: id.launch, title: 'Tell the newsletter', plannedEndDate: '2026-12-20' },
    ],
  },
  'tasks.get': { ...acme, taskId: id.readme, expand: ['status', 'tags', 'author'] },
  'tasks.update': { ...acme, taskId: id.readme, statusId: id.done, afterTaskId: null },
  'tasks.delete': { ...acme, taskId: id.readme },
  'tasks.addTag': { ...acme, taskId: id.publish, tagId: id.docs },
  'tasks.removeTag': { ...acme, taskId: id.readme, tagId: id.docs },
  'tasks.assign': { ...acme, taskId: id.readme, memberId: id.ben },
  'tasks.unassign': { ...acme, taskId: id.publish, memberId: id.ben },
  'comments.create': { ...acme, taskId: id.readme, content: 'There is one now.' },
  'comments.update': { ...acme, taskId: id.readme, commentId: id.comment, content: 'Is there a picture of a board?' },
  'comments.delete': { ...acme, taskId: id.readme, commentId: id.comment },
  'me.get': {},
  'me.update': { name: 'Ada', phone: '+44 20 7946 0123' },
  'users.list': { email: 'ben@example.org' },
  'users.create': { name: 'Dora', email: 'dora@example.org' },
  'users.get': { userId: id.benAsUser },
  'users.update': { userId: id.benAsUser, name: 'Benjamin' },
  'tokens.list': {},
  'tokens.create': { name: 'nightly sync', expiresAt: '2030-01-01T00:00:00.000Z' },
  'tokens.revoke': { tokenId: id.token },
  'tokens.createFor': { userId: id.benAsUser, name: 'support' },
  'quotas.get': {},
  'quotas.update': { tasks: 50_000 },
  'imports.board': {
    ...acme,
    memberId: id.ada,
    externalId: 'trello-5f1d',
    name: 'Weekly',
    statuses: [{ name: 'Open' }, { name: 'Closed', done: true }],
    tags: [{ name: 'urgent', color: 'red' }],
    tasks: [
      {
        externalId: 'card-1',
        title: 'Order coffee',
        status: 'Open',
        tags: ['urgent'],
        createdAt: '2026-05-01T08:00:00.000Z',
        comments: [{ externalId: 'note-1', content: 'The last bag is open.', createdAt: '2026-05-02T08:00:00.000Z' }],
      },
    ],
  },
  'changes.list': { ...acme, since: 'q8T0Vd1yK3xA.2n.1c', include: ['record'] },
  'audit.list': { ...acme, limit: 1, expand: ['user'] },
  'audit.service': { limit: 1 },
};

/** What must be there, or who sends it, where it is not the administrator of the workspace as it was loaded. */
export const NEEDS: Readonly<Partial<Record<UseCaseName, string>>> = {
  'invitations.revoke': 'Takes an invitation that is still pending: make one first.',
  'invitations.join': 'Takes a pending invitation, and a user who is not in the workspace yet.',
  'changes.list': 'Takes the `Espalier-Cursor` of an answer before.',
  'comments.update': 'Cleo sends it, who wrote the comment.',
  'tokens.revoke': 'Takes a token that was made before.',
};
