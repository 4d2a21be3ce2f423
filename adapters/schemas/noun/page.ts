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
const parentId = nullable(id(), { description: 'The parent page. Null: at the top.' });
const type = oneOf(['folder', 'board', 'task'], {
  description: 'A folder has no content. A board or task page has content with the same id.',
});

export const Page = record(
  'Page',
  'A page in the tree of a workspace, as the caller sees it.',
  exactly({
    id: id({ description: 'The id of the page, and of its board or task.' }),
    workspaceId: id({ description: 'The workspace of the page.' }),
    name: pageName,
    type,
    parentId: { ...parentId, description: 'The parent page. Null at the top, and if the caller may not see it.' },
    parentHidden: flag({ description: 'The page has a parent that the caller may not see.' }),
    orderIndex: integer(0, Number.MAX_SAFE_INTEGER, {
      description:
        'The position among the siblings that the caller sees. Pages with a hidden parent are ordered by id among themselves, and cannot be reordered.',
    }),
    template: flag({
      description:
        'Task lists omit the tasks on this page and on all pages below, unless they ask for them. They do not omit them for a caller who does not see this page, or a page in between.',
    }),
    contentId: nullable(id(), {
      description: 'The board or task of the page, which has the same id. Null if there is none.',
    }),
    createdById: id({ description: 'The member who created the page.' }),
    metadata,
    access: level({ description: 'The level of the caller.' }),
    accessType: oneOf(['accepted', 'inherited'], {
      description: 'accepted: set on this page; inherited: from elsewhere.',
    }),
    ...versioned,
    expanded: expanded({
      parent: optional(orNull(PageName, 'Null at the top, and if the caller may not see the parent page.')),
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
    taskId: optional(id({ description: 'For type task: the task that the page shows.' })),
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
          description: 'The position among the siblings that the caller sees, from 0. Past the end: last.',
        }),
      ),
      template: optional(
        flag({
          description:
            'True: task lists omit the tasks on this page and on all pages below, unless they ask for them with template=true, or by boardId, statusId, num or externalId. Requires Full Access.',
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
      'In tree order: parents before children, siblings in order. Pages with a hidden parent come last, by id, each followed by the visible pages below it.',
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
      'A board page is created with its board, which has the same id and name. A task page is created with a task on the nearest board above; if there is none, or the caller may not edit it, without a task.',
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
      'Includes the level of the caller on the page. For a day, the id of a failed copy answers 409 to the member who requested it.',
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
      'A new name or a new place among the siblings requires Editing. A new parent requires Full Access on the page and Editing on the new parent; inherited access follows the new place at once. To change whether it is a template requires Full Access.',
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
      'Also deletes all pages nested under it, and their boards and tasks. All go to the trash and can be restored, unless the service has no trash.',
    input: DeletePage,
    output: null,
    codes: ['hidden-content'],
    conditional: true,
    example: { ...acme, pageId: EXAMPLE_IDS.archive },
  }),
];
