import { EXAMPLE_IDS as id } from '../../../../adapters/schemas/examples.ts';
import {
  acme,
  asMember,
  asViewer,
  body,
  copyGivenUp,
  crowd,
  EMPTY_BOARD,
  externalId,
  full,
  hiddenBelow,
  NOBODY,
  noStatus,
  paged,
  repeated,
  taken,
  trashedBy,
  view,
  whileRemoved,
  type Provocations,
} from './provocation.ts';

/** Of operations on pages, boards and the trash. */
export const PAGE_PROVOCATIONS: Provocations = {
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
};
