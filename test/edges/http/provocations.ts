import { EXAMPLE_IDS as id } from '../../../adapters/schemas/examples.ts';
import { jwtIdentity } from '../../../adapters/http/index.ts';
import type { ProblemCode } from '../../../adapters/http/response/problem.ts';
import { MOST_ITEMS } from '../../../core/model/content/checklist-item.ts';
import { type LinkType, MOST_LINKS } from '../../../core/model/content/task-links.ts';
import type { ExampleService } from './example-service.ts';
import {
  acme,
  asMember,
  asStranger,
  asViewer,
  AWAY,
  body,
  copyGivenUp,
  crowd,
  drafts,
  elsewhere,
  EMPTY_BOARD,
  externalId,
  foreign,
  full,
  GUARDED,
  header,
  hiddenBelow,
  hiddenUnderTask,
  key,
  NOBODY,
  noStatus,
  ofAda,
  ofIssuer,
  onTask,
  muchBlocked,
  overfull,
  paged,
  type Provocation,
  repeated,
  repeatedBesideHiddenBoard,
  sendAs,
  set,
  spaced,
  taken,
  trashedBy,
  view,
  whileRemoved,
} from './provocation.ts';

/** A third task. */
const LICENCE = '01a202c6-f463-7072-b686-78dff1ed7ca3';

const link = (as: ExampleService['as'], type: LinkType, fromTaskId: string, taskId: string) =>
  as.ada.tasks.link({ ...acme, fromTaskId, type, taskId });

/** By code, where it is the same for every operation. */
export const EVERYWHERE: Readonly<Partial<Record<ProblemCode, Provocation>>> = {
  'invalid-input': { ask: (ask) => ({ ...ask, path: `${ask.path}${ask.path.includes('?') ? '&' : '?'}colour=red` }) },
  unauthenticated: { by: 'nobody' },
  'not-found': { ask: (ask) => ({ ...ask, path: elsewhere(ask.path) }) },
  'not-acceptable': { ask: header('accept', 'image/png') },
  'key-reused': { before: (service, ask) => sendAs(service, ask, key), ask: (ask) => key(spaced(ask)) },
  'secret-not-kept': { before: (service, ask) => sendAs(service, ask, key), ask: key },
  'quota-exceeded': { before: ({ as }) => as.ada.quotas.update({ idempotencyBytes: 1 }), ask: key },
  'guard-refused': {
    engine: {
      guards: [({ requestId }) => (requestId === GUARDED ? 'Nothing changes before the audit is over.' : null)],
    },
    ask: header('x-request-id', GUARDED),
  },
  'version-mismatch': { ask: header('if-match', '"999-"') },
  'precondition-required': { parts: { requireIfMatch: true } },
  'content-too-large': { ask: (ask) => ({ ...ask, raw: `{"name":"${'x'.repeat(1_100_000)}"}` }) },
  'unsupported-media-type': { ask: (ask) => header('content-type', 'text/plain')({ ...ask, body: ask.body ?? {} }) },
  'too-many-requests': { parts: { limits: { requestsPerMinute: 1 } }, before: (service, ask) => sendAs(service, ask) },
};

/** By operation and code: what is refused for a reason of its own. */
export const OWN: Readonly<Record<string, Readonly<Partial<Record<ProblemCode, Provocation>>>>> = {
  'workspaces.create': {
    'replay-hidden': repeated(({ as }, { id: workspaceId }) => as.ada.workspaces.delete({ workspaceId })),
    'alias-taken': { ask: body({ alias: 'acme' }) },
    'quota-exceeded': { before: ({ as }) => as.ada.quotas.update({ workspaces: 1 }) },
  },
  'workspaces.update': { forbidden: asMember },
  'workspaces.delete': { forbidden: asMember },
  'members.update': {
    forbidden: asMember,
    'last-owner': { ask: (ask) => ({ ...ask, path: ask.path.replace(id.ben, id.ada), body: { role: 30 } }) },
  },
  'members.remove': {
    forbidden: { by: 'ben', ask: (ask) => ({ ...ask, path: ask.path.replace(id.ben, id.cleo) }) },
    'last-owner': { ask: (ask) => ({ ...ask, path: ask.path.replace(id.ben, id.ada) }) },
  },
  'invitations.create': {
    forbidden: asMember,
    'owner-access': { ask: body({ role: 40, pages: [{ pageId: id.launch, access: 100 }] }) },
    'unusable-reference': { ask: body({ pages: [{ pageId: NOBODY, access: 100 }] }) },
    'quota-exceeded': {
      async before({ as }) {
        await as.ada.quotas.update({ invitations: 1 });
        await as.ada.invitations.create(acme);
      },
    },
  },
  'invitations.list': { forbidden: asMember },
  'invitations.get': { forbidden: asMember },
  'invitations.revoke': {
    forbidden: asMember,
    'invitation-unusable': { ask: (ask) => ({ ...ask, path: ask.path.replace(id.pending, id.accepted) }) },
  },
  'invitations.join': {
    'replay-hidden': {
      ...repeated(({ as }, { id: memberId }) => as.ada.members.remove({ ...acme, memberId })),
      by: 'eve',
    },
    'already-member': { by: 'ben' },
    'invitation-unusable': {
      before: ({ as }) => as.ada.invitations.revoke({ ...acme, invitationId: id.pending }),
      by: 'eve',
    },
    'quota-exceeded': { before: ({ as }) => as.ada.quotas.update({ members: 1 }), by: 'eve' },
  },
  'pages.create': {
    'replay-hidden': repeated(({ as }, { id: pageId }) => as.ada.pages.delete({ ...acme, pageId })),
    forbidden: { ...asViewer, ask: body({ parentId: id.launch }) },
    'unusable-reference': { ask: body({ parentId: NOBODY }) },
    'column-crowded': { before: full(id.todo), ask: body({ type: 'task', parentId: id.launch }) },
    'task-has-page': {
      before: paged,
      ask: body({ type: 'task', taskId: id.readme, parentId: id.launch }),
    },
    'board-without-status': { before: noStatus, ask: body({ type: 'task', parentId: EMPTY_BOARD }) },
    'quota-exceeded': { before: ({ as }) => as.ada.quotas.update({ pages: 1 }) },
  },
  'pages.update': {
    forbidden: asViewer,
    'page-cycle': { ask: body({ parentId: id.roadmap }) },
    'unusable-reference': { ask: body({ parentId: NOBODY }) },
    'quota-exceeded': { before: ({ as }) => as.ada.quotas.update({ depth: 1 }) },
  },
  'pages.delete': { forbidden: asViewer, 'hidden-content': hiddenBelow(id.archive) },
  'access.changeSettings': { forbidden: asViewer },
  'access.grant': {
    forbidden: asViewer,
    'owner-access': { ask: body({ memberId: id.ada, access: 100 }) },
    'unusable-reference': { ask: body({ memberId: NOBODY }) },
  },
  'access.revoke': { forbidden: asMember },
  'access.explain': { forbidden: { by: 'ben', ask: (ask) => ({ ...ask, path: ask.path.replace(id.ben, id.ada) }) } },
  'access.preview': {
    forbidden: asViewer,
    'page-cycle': { ask: (ask) => ({ ...ask, path: ask.path.replace(id.archive, id.roadmap) }) },
  },
  'trash.restore': {
    forbidden: { ...asViewer, before: trashedBy(view) },
    'hidden-content': {
      by: 'ben',
      before: trashedBy(hiddenBelow(id.archive).before!),
    },
    'board-in-trash': {
      async before({ as }) {
        await as.ada.tasks.delete({ ...acme, taskId: id.readme });
        await as.ada.boards.delete({ ...acme, boardId: id.launch });
      },
      ask: (ask) => ({ ...ask, path: ask.path.replace(id.archive, id.readme) }),
    },
    'board-without-status': {
      async before({ as }) {
        await as.ada.tasks.delete({ ...acme, taskId: id.readme });
        const { statuses } = await as.ada.boards.get({ ...acme, boardId: id.launch });
        const left = await as.ada.tasks.list({ ...acme, boardId: [id.launch] });
        for (const { id: taskId } of left.items) await as.ada.tasks.delete({ ...acme, taskId });
        for (const { id: statusId } of statuses) {
          await as.ada.statuses.delete({ ...acme, boardId: id.launch, statusId });
        }
      },
      ask: (ask) => ({ ...ask, path: ask.path.replace(id.archive, id.readme) }),
    },
    'column-crowded': {
      async before(service, ask) {
        const { as } = service;
        const { statusId, statusOrderKey } = await as.ada.tasks.get({ ...acme, taskId: id.readme });
        await as.ada.tasks.delete({ ...acme, taskId: id.readme });
        await crowd(statusId!, statusOrderKey! - 384)(service, ask);
      },
      ask: (ask) => ({ ...ask, path: ask.path.replace(id.archive, id.readme) }),
    },
    'quota-exceeded': {
      before: ({ as }) => as.ada.quotas.update({ depth: 1 }),
      ask: body({ parentId: id.roadmap }),
    },
    'unusable-reference': { ask: body({ parentId: NOBODY }) },
  },
  'trash.delete': {
    forbidden: { ...asViewer, before: trashedBy(view) },
    'hidden-content': {
      by: 'ben',
      before: trashedBy(hiddenBelow(id.archive).before!),
    },
  },
  'boards.create': {
    'replay-hidden': repeated(({ as }, { id: boardId }) => as.ada.boards.delete({ ...acme, boardId })),
    forbidden: { by: 'cleo' },
    'external-id-taken': { before: taken, ask: body(externalId) },
    'unusable-reference': { ask: body({ parentId: NOBODY }) },
    'quota-exceeded': { before: ({ as }) => as.ada.quotas.update({ boards: 1 }) },
  },
  'boards.get': { 'copy-failed': copyGivenUp },
  'pages.get': { 'copy-failed': copyGivenUp },
  'boards.update': { forbidden: asViewer, 'external-id-taken': { before: taken, ask: body(externalId) } },
  'boards.delete': { forbidden: asViewer, 'hidden-content': hiddenBelow(id.roadmap) },
  'boards.copy': {
    forbidden: { ...asViewer, ask: body({ parentId: id.archive }) },
    'copy-failed': { before: ({ as }) => as.ada.quotas.update({ pages: 1 }) },
    'unusable-reference': { ask: body({ parentId: NOBODY }) },
  },
  'pages.copy': {
    forbidden: { ...asViewer, ask: body({ parentId: id.archive }) },
    'copy-failed': { before: ({ as }) => as.ada.quotas.update({ pages: 1 }) },
    'unusable-reference': { ask: body({ parentId: NOBODY }) },
  },
  'statuses.create': {
    forbidden: asViewer,
    'quota-exceeded': { before: ({ as }) => as.ada.quotas.update({ statuses: 1 }) },
  },
  'statuses.update': { forbidden: asViewer, 'being-removed': { before: whileRemoved('statuses', id.todo) } },
  'statuses.delete': {
    forbidden: asViewer,
    'column-crowded': { before: full(id.doing) },
    'status-not-empty': { ask: (ask) => ({ ...ask, path: ask.path.split('?')[0]! }) },
    'unusable-reference': { ask: (ask) => ({ ...ask, path: ask.path.replace(id.doing, NOBODY) }) },
    'being-removed': { before: whileRemoved('statuses', id.doing) },
  },
  'tags.create': {
    forbidden: asViewer,
    'tag-name-taken': { ask: body({ name: 'Docs' }) },
    'quota-exceeded': { before: ({ as }) => as.ada.quotas.update({ tags: 1 }) },
  },
  'tags.update': {
    forbidden: asViewer,
    'tag-name-taken': {
      before: ({ as }) => as.ada.tags.create({ ...acme, boardId: id.launch, name: 'bug' }),
      ask: body({ name: 'Bug' }),
    },
    'being-removed': { before: whileRemoved('tags', id.docs) },
  },
  'tags.delete': { forbidden: asViewer },
  'tasks.create': {
    'replay-hidden': repeated(({ as }, { id: taskId }) => as.ada.tasks.delete({ ...acme, taskId })),
    forbidden: asViewer,
    'being-removed': { before: whileRemoved('statuses', id.todo), ask: body({ statusId: id.todo }) },
    'board-without-status': { before: noStatus, ask: body({ boardId: EMPTY_BOARD, tags: [] }) },
    'column-crowded': { before: crowd(id.done), ask: body({ statusId: id.done, statusOrderKey: 384 }) },
    'external-id-taken': { before: taken, ask: body(externalId) },
    'page-has-content': { before: paged, ask: body({ pageId: id.readme }) },
    'quota-exceeded': { before: ({ as }) => as.ada.quotas.update({ tasks: 1 }) },
    'unusable-reference': foreign,
  },
  'tasks.createMany': {
    'replay-hidden': repeated(({ as }, [{ id: taskId }]) => as.ada.tasks.delete({ ...acme, taskId })),
    forbidden: asViewer,
    'being-removed': {
      before: whileRemoved('statuses', id.todo),
      ask: drafts({ statusId: id.todo }),
    },
    'board-without-status': { before: noStatus, ask: drafts({ boardId: EMPTY_BOARD }) },
    'column-crowded': { before: crowd(id.done), ask: drafts({ statusId: id.done, statusOrderKey: 384 }) },
    'external-id-taken': { ask: drafts(externalId) },
    'page-has-content': { before: paged, ask: drafts({ pageId: id.readme }) },
    'quota-exceeded': { before: ({ as }) => as.ada.quotas.update({ tasks: 1 }) },
    'unusable-reference': { ask: drafts({ statusId: NOBODY }) },
  },
  'tasks.update': {
    forbidden: asViewer,
    'being-removed': { before: whileRemoved('statuses', id.done) },
    'board-without-status': { before: noStatus, ask: (ask) => ({ ...ask, body: { boardId: EMPTY_BOARD } }) },
    'column-crowded': {
      before: crowd(id.done),
      ask: (ask) => ({ ...ask, body: { statusId: id.done, statusOrderKey: 384 } }),
    },
    'external-id-taken': { before: taken, ask: body(externalId) },
    'unusable-reference': foreign,
  },
  'tasks.list': {
    'too-many': { before: muchBlocked, ask: (ask) => ({ ...ask, path: `${ask.path.split('?')[0]}?blocked=true` }) },
  },
  'tasks.updateMany': {
    forbidden: asViewer,
    'being-removed': { before: whileRemoved('statuses', id.done), ask: set({ statusId: id.done }) },
    'board-without-status': { before: noStatus, ask: onTask({ boardId: EMPTY_BOARD }) },
    'column-crowded': { before: full(id.done), ask: onTask({ statusId: id.done }) },
    'count-mismatch': { ask: body({ count: 3 }) },
    'quota-exceeded': {
      before: ({ as }) => as.ada.quotas.update({ assignees: 1 }),
      ask: onTask({ assignees: [id.ada, id.ben] }),
    },
    'too-many': { before: overfull },
    'unusable-reference': { ask: set({ addTags: [NOBODY] }) },
  },
  'tasks.deleteMany': {
    forbidden: asViewer,
    'count-mismatch': { ask: (ask) => ({ ...ask, body: { filter: { boardId: [id.launch] }, count: 1 } }) },
    'hidden-content': hiddenUnderTask,
    'too-many': { before: overfull, ask: (ask) => ({ ...ask, body: { filter: {}, count: 3 } }) },
    'unusable-reference': { ask: body({ taskIds: [NOBODY] }) },
  },
  'tasks.delete': {
    forbidden: asViewer,
    'hidden-content': hiddenUnderTask,
  },
  'tasks.addTag': {
    forbidden: asViewer,
    'being-removed': { before: whileRemoved('tags', id.docs) },
    'unusable-reference': { ask: body({ tagId: NOBODY }) },
  },
  'tasks.removeTag': { forbidden: asViewer },
  'tasks.assign': {
    'replay-hidden': repeatedBesideHiddenBoard,
    forbidden: asViewer,
    'unusable-reference': { ask: body({ memberId: NOBODY }) },
  },
  'tasks.unassign': { forbidden: asViewer },
  'tasks.link': {
    forbidden: asViewer,
    'has-parent': {
      before: ({ as }) => link(as, 'parent', id.readme, id.publish),
      ask: body({ type: 'parent', taskId: LICENCE }),
    },
    'limit-reached': {
      async before({ as }) {
        for (let n = 1; n <= MOST_LINKS; n += 1) {
          const { id: taskId } = await as.ada.tasks.create({ ...acme, boardId: id.launch, title: `Task ${n}` });
          await link(as, 'blocks', id.readme, taskId);
        }
      },
    },
    'link-cycle': { before: ({ as }) => link(as, 'blocks', id.publish, id.readme) },
    'unusable-reference': { ask: body({ taskId: NOBODY }) },
  },
  'tasks.unlink': { forbidden: asViewer },
  'tasks.unlinkParent': { forbidden: asViewer },
  'checklists.create': {
    forbidden: asViewer,
    'unusable-reference': { ask: body({ beforeItemId: NOBODY }) },
    'limit-reached': {
      async before({ as }) {
        const at = { ...acme, taskId: id.readme };
        for (let n = 1; n <= MOST_ITEMS; n += 1) await as.ada.checklists.create({ ...at, text: `Item ${n}` });
      },
    },
  },
  'checklists.update': { forbidden: asViewer, 'unusable-reference': { ask: body({ assigneeId: NOBODY }) } },
  'checklists.delete': { forbidden: asViewer },
  'comments.create': {
    forbidden: asViewer,
    'external-id-taken': { before: taken, ask: body(externalId) },
    'quota-exceeded': { before: ({ as }) => as.ada.quotas.update({ comments: 1 }) },
  },
  'comments.update': {
    forbidden: { by: 'ada' },
    'external-id-taken': { before: taken, ask: body(externalId), by: 'cleo' },
  },
  'comments.delete': { forbidden: asViewer },
  'users.list': { forbidden: asStranger },
  'users.create': { forbidden: asStranger, 'email-taken': { ask: body({ email: 'ben@example.org' }) } },
  'users.get': { forbidden: asStranger },
  'users.update': {
    forbidden: asStranger,
    'own-email': { ask: ofAda({ email: 'other@example.org' }) },
    'email-taken': { ask: body({ email: 'cleo@example.org' }) },
    'last-administrator': { ask: ofAda({ administrator: false }) },
    'last-owner': {
      before: ({ as }) => as.ben.workspaces.create({ name: 'Own' }),
      ask: (ask) => ({ ...ask, body: { disabled: true } }),
    },
  },
  'tokens.create': { 'quota-exceeded': { before: ({ as }) => as.ada.quotas.update({ tokens: 1 }) } },
  'me.get': { 'issuer-unavailable': { engine: { identity: jwtIdentity(AWAY) }, token: ofIssuer(AWAY.issuer) } },
  'tokens.createFor': {
    'impersonation-off': { engine: { impersonation: false } },
    forbidden: asStranger,
    'quota-exceeded': { before: ({ as }) => as.ada.quotas.update({ tokens: 1 }) },
  },
  'quotas.get': { forbidden: asStranger },
  'quotas.update': { forbidden: asStranger },
  'imports.board': {
    forbidden: asStranger,
    'quota-exceeded': { before: ({ as }) => as.ada.quotas.update({ boards: 1 }) },
    'unusable-reference': { ask: body({ memberId: NOBODY }) },
  },
  'audit.list': { forbidden: asMember },
  'audit.service': { forbidden: asStranger },
  'changes.list': {
    'cursor-expired': { ask: (ask) => ({ ...ask, path: ask.path.replace(/since=[^&]*/, 'since=q8T0.1.1') }) },
  },
  'exports.workspace': { forbidden: asMember },
  'imports.workspace': {
    forbidden: asStranger,
    'workspace-exists': { before: (service, ask) => sendAs(service, ask) },
    'content-too-large': { parts: { importLimit: 100 } },
    'alias-taken': {
      before({ as, next }) {
        next.ids.push(NOBODY);
        return as.ada.workspaces.create({ name: 'Beta', alias: 'beta' });
      },
    },
    'quota-exceeded': { before: ({ as }) => as.ada.quotas.update({ workspaces: 1 }) },
  },
  metrics: { forbidden: asStranger },
};

/** Codes that the example of an operation cannot be refused with, and why. */
export const NOT_PROVOKED: Readonly<Record<string, string>> = {
  'invitations.join being-removed': 'It takes eight memberships of one user that have ended within a moment.',
  'boards.copy too-many': 'It takes more than 1,000 pages below the board.',
  'pages.copy too-many': 'It takes more than 1,000 pages.',
  'imports.board being-removed': 'It takes a status that is removed between two imports of the board.',
  'imports.board external-id-taken': 'It takes another import of the same board at the same time.',
};
