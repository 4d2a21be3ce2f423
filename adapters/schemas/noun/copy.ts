import { body, record } from '../components.ts';
import { acme, EXAMPLE_IDS } from '../examples.ts';
import { exactly, flag, id, integer, name, nullable, onBoard, onPage, optional } from '../fields.ts';
import { orNull } from '../names.ts';
import { operation } from '../operation.ts';
import { Board } from './board.ts';
import { Page } from './page.ts';

/** Copies of boards and pages. */

const options = {
  name: optional(name(500, { description: 'The name of the copy. Default: that of the source.' })),
  parentId: optional(nullable(id(), { description: 'The page above the copy. Null or absent: at the top.' })),
  tasks: optional(flag({ default: false, description: 'With the tasks, their checklists and pages.' })),
  comments: optional(flag({ default: false, description: 'With the comments on the tasks.' })),
  assignees: optional(flag({ default: false, description: 'Tasks stay assigned to members who may see the copy.' })),
};

export const CopyBoard = body('CopyBoard', exactly({ ...onBoard, ...options }));
export const CopyPage = body('CopyPage', exactly({ ...onPage, ...options }));

const copied = {
  id: id({ description: 'The id of the copy.' }),
  restricted: integer(0, Number.MAX_SAFE_INTEGER, {
    description: 'How many of the pages had settings or entries of their own. None of these are taken along.',
  }),
};

const MADE = 'The copy. Null while it is being made.';

export const BoardCopy = record(
  'BoardCopy',
  'The copy of a board.',
  exactly({ ...copied, board: orNull(Board, MADE) }),
);
export const PageCopy = record('PageCopy', 'The copy of a page.', exactly({ ...copied, page: orNull(Page, MADE) }));

const ABOUT =
  'Requires View Only, and at the target what creating requires. Of what is below, all that the caller sees is copied, without access settings and external ids. What takes longer than two seconds, or needs room that has to be made at its place, is answered with 202 and goes on in the background: the address of the copy answers 404 until it is there, and 409 for a day if it was given up.';

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
    summary: 'Copy a page and what is below it',
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
