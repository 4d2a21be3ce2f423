import { Type } from 'typebox';
import { body, record } from '../components.ts';
import { acme, EXAMPLE_IDS } from '../examples.ts';
import {
  exactly,
  flag,
  id,
  integer,
  inWorkspace,
  level,
  metadata,
  metadataChanges,
  name,
  nullable,
  oneOf,
  onPage,
  optional,
  permanently,
  put,
  versioned,
} from '../fields.ts';
import { PAGE_EXPANSIONS } from '../../../core/page/read.ts';
import { expand, expanded, MemberName, orNull, PageName } from '../names.ts';
import { operation } from '../operation.ts';

const pageName = name(500, { description: 'Display name.', examples: ['Roadmap'] });
const parentId = nullable(id(), { description: 'The page above. Null: at the top.' });
const type = oneOf(['folder', 'board', 'task'], {
  description: 'A folder holds pages; a board and a task have content of the same id.',
});

export const Page = record(
  'Page',
  'A node of the tree of a workspace, as the caller sees it.',
  exactly({
    id: id({ description: 'Also that of its board or task.' }),
    workspaceId: id({ description: 'The workspace that it is in.' }),
    name: pageName,
    type,
    parentId: { ...parentId, description: 'The page above. Null at the top, and when that may not be seen.' },
    parentHidden: flag({ description: 'There is a page above that the caller may not see.' }),
    orderIndex: integer(0, Number.MAX_SAFE_INTEGER, {
      description:
        'Among the siblings that the caller sees; with a hidden parent, by id among all such pages, and then not to be changed.',
    }),
    template: flag({
      description:
        'Tasks on it and on all pages below it are left out of task lists, unless they are asked for. For a caller who does not see it, or a page in between, they are not.',
    }),
    contentId: nullable(id(), { description: 'Its board or task, which has the same id. Null: it has none.' }),
    createdById: id({ description: 'The member who made it.' }),
    metadata,
    access: level({ description: 'Level of the caller.' }),
    accessType: oneOf(['accepted', 'inherited'], {
      description: 'accepted: set on this page; inherited: taken from elsewhere.',
    }),
    ...versioned,
    expanded: expanded({
      parent: optional(orNull(PageName, 'Null at the top, and when the page above may not be seen.')),
      createdBy: optional(MemberName),
    }),
  }),
);

export const CreatePage = body(
  'CreatePage',
  exactly({
    ...inWorkspace,
    name: pageName,
    type,
    parentId: optional(parentId),
    taskId: optional(id({ description: 'With type task: the task to open the page for.' })),
    metadata: metadataChanges,
  }),
);

const DeletePage = exactly({ ...onPage, permanently });
const GetPage = exactly({ ...onPage, expand: expand(PAGE_EXPANSIONS) });
const ListPages = exactly({ ...inWorkspace, expand: expand(PAGE_EXPANSIONS) });

export const UpdatePage = body(
  'UpdatePage',
  put(
    onPage,
    {
      name: optional(pageName),
      parentId: optional(parentId),
      orderIndex: optional(
        integer(0, Number.MAX_SAFE_INTEGER, {
          description: 'Position among the siblings that the caller sees, from 0; past the end means last.',
        }),
      ),
      template: optional(
        flag({
          description:
            'True: tasks on it and on all pages below it are left out of task lists, unless a list asks for them with template=true, or by boardId, statusId, num or externalId. Requires Full Access.',
        }),
      ),
      metadata: metadataChanges,
    },
    Page,
  ),
);

export const pageOperations = [
  operation('pages.list', {
    method: 'GET',
    path: '/api/workspace/{workspaceId}/page',
    tag: 'Pages',
    summary: 'List the pages that the caller sees',
    description:
      'In tree order: parents before children, siblings in order. Those with a hidden parent come last, by id, each with what is seen below it.',
    input: ListPages,
    output: Type.Array(Page),
    forEverybody: true,
    example: acme,
  }),
  operation('pages.create', {
    method: 'POST',
    path: '/api/workspace/{workspaceId}/page',
    tag: 'Pages',
    summary: 'Create a page',
    description:
      'A board page comes with its board, of the same id and name. A task page comes with a task on the nearest board above that the caller may edit; else it stands alone.',
    input: CreatePage,
    output: Page,
    codes: [
      'board-without-status',
      'column-crowded',
      'quota-exceeded',
      'replay-hidden',
      'task-has-page',
      'unusable-reference',
    ],
    status: 201,
    location: '/api/workspace/{workspaceId}/page/{id}',
    example: { ...acme, name: 'Notes', type: 'folder', parentId: EXAMPLE_IDS.engineering },
  }),
  operation('pages.get', {
    method: 'GET',
    path: '/api/workspace/{workspaceId}/page/{pageId}',
    tag: 'Pages',
    summary: 'Read a page',
    description:
      'With the level that the caller has on it. A copy that was given up answers 409 to who made it, for a day.',
    input: GetPage,
    output: Page,
    codes: ['copy-failed'],
    forEverybody: true,
    example: { ...acme, pageId: EXAMPLE_IDS.launch, expand: ['parent'] },
  }),
  operation('pages.update', {
    method: 'PUT',
    path: '/api/workspace/{workspaceId}/page/{pageId}',
    tag: 'Pages',
    summary: 'Rename, move or reorder a page, or make it a template',
    description:
      'A new name or place among its siblings requires Editing. A new page above requires Full Access on the page and Editing on the new page above; what the page inherits follows its new place at once. To make it a template, or none, requires Full Access.',
    input: UpdatePage,
    output: Page,
    codes: ['page-cycle', 'quota-exceeded', 'unusable-reference'],
    conditional: true,
    example: { ...acme, pageId: EXAMPLE_IDS.roadmap, parentId: EXAMPLE_IDS.engineering, orderIndex: 0 },
  }),
  operation('pages.delete', {
    method: 'DELETE',
    path: '/api/workspace/{workspaceId}/page/{pageId}',
    tag: 'Pages',
    summary: 'Delete a page',
    description:
      'All pages nested under it and the content linked to them go with it. They go to the trash, from which they can be restored, unless the service keeps none.',
    input: DeletePage,
    output: null,
    codes: ['hidden-content'],
    conditional: true,
    example: { ...acme, pageId: EXAMPLE_IDS.archive },
  }),
];
