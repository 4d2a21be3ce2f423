import { body, record } from '../components.ts';
import { acme, EXAMPLE_IDS } from '../examples.ts';
import { exactly, flag, id, integer, name, nullable, onBoard, onPage, optional } from '../fields.ts';
import { orNull } from '../names.ts';
import { operation } from '../operation.ts';
import { Board } from './board.ts';
import { Page } from './page.ts';

/** Copies of boards and pages. */

const options = {
  name: optional(name(500, { description: 'The name of the copy. Default: the name of the source.' })),
  parentId: optional(nullable(id(), { description: 'The parent page of the copy. Null or absent: at the top.' })),
  tasks: optional(flag({ default: false, description: 'Copy the tasks with their checklists and pages.' })),
  comments: optional(flag({ default: false, description: 'Copy the comments on the tasks.' })),
  assignees: optional(flag({ default: false, description: 'Keep the assignees who may see the copy.' })),
};

export const CopyBoard = body('CopyBoard', exactly({ ...onBoard, ...options }));
export const CopyPage = body('CopyPage', exactly({ ...onPage, ...options }));

const copied = {
  id: id({ description: 'The id of the copy.' }),
  restricted: integer(0, Number.MAX_SAFE_INTEGER, {
    description: 'The number of pages with access settings or entries of their own. These are not copied.',
  }),
};

const MADE = 'The copy. Null while it is being created.';

export const BoardCopy = record(
  'BoardCopy',
  'The copy of a board.',
  exactly({ ...copied, board: orNull(Board, MADE) }),
);
export const PageCopy = record('PageCopy', 'The copy of a page.', exactly({ ...copied, page: orNull(Page, MADE) }));

const ABOUT =
  'Requires View Only, and at the target what creating requires. Copies everything below that the caller sees, without access settings and external ids. A copy that takes longer than two seconds, or must first make room at its place, answers 202 and continues in the background: its address answers 404 until the copy is complete, and 409 for a day if it failed.';

export const copyOperations = [
  operation('boards.copy', {
    method: 'POST',
    path: '/api/workspace/{workspaceId}/board/{boardId}/copy',
    tag: 'Boards',
    summary: 'Copy a board',
    description: ABOUT,
    input: CopyBoard,
    output: BoardCopy,
    codes: ['copy-failed', 'quota-exceeded', 'too-many', 'unusable-reference'],
    status: 201,
    acceptedWithout: 'board',
    location: '/api/workspace/{workspaceId}/board/{id}',
    example: {
      ...acme,
      boardId: EXAMPLE_IDS.launch,
      name: 'Next launch',
      parentId: EXAMPLE_IDS.engineering,
      tasks: true,
    },
  }),
  operation('pages.copy', {
    method: 'POST',
    path: '/api/workspace/{workspaceId}/page/{pageId}/copy',
    tag: 'Pages',
    summary: 'Copy a page and everything below it',
    description: ABOUT,
    input: CopyPage,
    output: PageCopy,
    codes: ['copy-failed', 'quota-exceeded', 'too-many', 'unusable-reference'],
    status: 201,
    acceptedWithout: 'page',
    location: '/api/workspace/{workspaceId}/page/{id}',
    example: { ...acme, pageId: EXAMPLE_IDS.archive, name: 'Archive of 2027' },
  }),
];
