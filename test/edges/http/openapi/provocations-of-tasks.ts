import { EXAMPLE_IDS as id } from '../../../../adapters/schemas/examples.ts';
import { MAX_ITEMS } from '../../../../core/model/content/checklist-item.ts';
import { type LinkType, MAX_LINKS } from '../../../../core/model/content/task-links.ts';
import type { ExampleService } from './example-service.ts';
import {
  acme,
  asViewer,
  body,
  crowd,
  drafts,
  EMPTY_BOARD,
  externalId,
  foreign,
  full,
  hiddenUnderTask,
  NOBODY,
  noStatus,
  onTask,
  muchBlocked,
  overfull,
  paged,
  repeated,
  repeatedBesideHiddenBoard,
  set,
  taken,
  whileRemoved,
  type Provocations,
} from './provocation.ts';

/** A third task. */
const LICENCE = '01a202c6-f463-7072-b686-78dff1ed7ca3';

const link = (as: ExampleService['as'], type: LinkType, fromTaskId: string, taskId: string) =>
  as.ada.tasks.link({ ...acme, fromTaskId, type, taskId });

/** Of operations on tasks and what belongs to them. */
export const TASK_PROVOCATIONS: Provocations = {
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
    'quota-exceeded': {
      before: ({ as }) => as.ada.quotas.update({ assignees: 1 }),
      ask: body({ assignees: [id.ada, id.ben] }),
    },
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
        for (let n = 1; n <= MAX_LINKS; n += 1) {
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
        for (let n = 1; n <= MAX_ITEMS; n += 1) await as.ada.checklists.create({ ...at, text: `Item ${n}` });
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
};
