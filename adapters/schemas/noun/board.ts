import { Type } from 'typebox';
import { body, record } from '../components.ts';
import { acme, EXAMPLE_IDS } from '../examples.ts';
import {
  exactly,
  externalId,
  id,
  inWorkspace,
  metadata,
  metadataChanges,
  name,
  nullable,
  onBoard,
  optional,
  permanently,
  put,
  text,
  versioned,
} from '../fields.ts';
import { BOARD_EXPANSIONS } from '../../../core/board/view.ts';
import { expand, expanded, MemberName } from '../names.ts';
import { operation } from '../operation.ts';
import { Tag } from './tag.ts';
import { Status } from './status.ts';

const boardName = name(500, { description: 'The display name of the board and its page.', examples: ['Sprint 12'] });
const description = text(10_000, { description: 'The description.' });

const summary = {
  id: id({ description: 'The id of the board and its page.' }),
  workspaceId: id({ description: 'The workspace of the board.' }),
  name: boardName,
  description,
  externalId: nullable(externalId()),
  createdById: id({ description: 'The member who created the board.' }),
  metadata,
  ...versioned,
  expanded: expanded({ createdBy: optional(MemberName) }),
};

export const BoardSummary = record('BoardSummary', 'A board without its statuses and tags.', exactly(summary));

export const Board = record(
  'Board',
  'A board with its statuses and tags.',
  exactly({
    ...summary,
    statuses: Type.Array(Status, { description: 'The statuses, by orderKey, then by creation.' }),
    tags: Type.Array(Tag, { description: 'The tags, by creation.' }),
  }),
);

export const CreateBoard = body(
  'CreateBoard',
  exactly({
    ...inWorkspace,
    name: boardName,
    description: optional({ ...description, default: '' }),
    parentId: optional(nullable(id(), { description: 'The parent of its page. Null or absent: at the top.' })),
    externalId: optional(nullable(externalId())),
    metadata: metadataChanges,
  }),
);

const DeleteBoard = exactly({ ...onBoard, permanently });
const GetBoard = exactly({ ...onBoard, expand: expand(BOARD_EXPANSIONS) });
const ListBoards = exactly({ ...inWorkspace, expand: expand(BOARD_EXPANSIONS) });

export const UpdateBoard = body(
  'UpdateBoard',
  put(
    onBoard,
    {
      name: optional(boardName),
      description: optional(description),
      externalId: optional(nullable(externalId())),
      metadata: metadataChanges,
    },
    Board,
  ),
);

export const boardOperations = [
  operation('boards.list', {
    method: 'GET',
    path: '/api/workspace/{workspaceId}/board',
    tag: 'Boards',
    summary: 'List the boards that the caller sees',
    description: 'In the order of the page tree.',
    input: ListBoards,
    output: Type.Array(BoardSummary),
    forEverybody: true,
    example: acme,
  }),
  operation('boards.create', {
    method: 'POST',
    path: '/api/workspace/{workspaceId}/board',
    tag: 'Boards',
    summary: 'Create a board',
    description: 'Also creates its page, with the same id and name.',
    input: CreateBoard,
    output: Board,
    codes: ['external-id-taken', 'quota-exceeded', 'replay-hidden', 'unusable-reference'],
    status: 201,
    location: '/api/workspace/{workspaceId}/board/{id}',
    example: { ...acme, name: 'Ideas', description: 'What could be done.' },
  }),
  operation('boards.get', {
    method: 'GET',
    path: '/api/workspace/{workspaceId}/board/{boardId}',
    tag: 'Boards',
    summary: 'Read a board with its statuses and tags',
    description:
      'Includes the number of tasks in each status that the caller sees. For a day, the id of a failed copy answers 409 to the member who requested it.',
    input: GetBoard,
    output: Board,
    codes: ['copy-failed'],
    forEverybody: true,
    example: { ...acme, boardId: EXAMPLE_IDS.launch },
  }),
  operation('boards.update', {
    method: 'PUT',
    path: '/api/workspace/{workspaceId}/board/{boardId}',
    tag: 'Boards',
    summary: 'Change a board',
    description: 'A new name also renames its page.',
    input: UpdateBoard,
    output: Board,
    codes: ['external-id-taken'],
    conditional: true,
    example: { ...acme, boardId: EXAMPLE_IDS.roadmap, description: 'What comes when.' },
  }),
  operation('boards.delete', {
    method: 'DELETE',
    path: '/api/workspace/{workspaceId}/board/{boardId}',
    tag: 'Boards',
    summary: 'Delete a board',
    description:
      'Also deletes its page, everything nested under it and all tasks of the board. All go to the trash and can be restored, unless the service has no trash.',
    input: DeleteBoard,
    output: null,
    codes: ['hidden-content'],
    conditional: true,
    example: { ...acme, boardId: EXAMPLE_IDS.roadmap },
  }),
];
