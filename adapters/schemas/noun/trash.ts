import { Type } from 'typebox';
import { TRASH_EXPANSIONS } from '../../../core/trash/items.ts';
import { body, record } from '../components.ts';
import { acme, EXAMPLE_IDS } from '../examples.ts';
import { cursor, exactly, id, integer, inWorkspace, limit, name, nullable, oneOf, optional, time } from '../fields.ts';
import { expand, expanded, MemberName, orNull } from '../names.ts';
import { operation } from '../operation.ts';
import { Board } from './board.ts';
import { Page } from './page.ts';
import { Task } from './task.ts';

export const TrashItem = record(
  'TrashItem',
  'What was deleted, and can be restored.',
  exactly({
    id: id({ description: 'That of the deleted page, board or task.' }),
    workspaceId: id({ description: 'The workspace that it is in.' }),
    kind: oneOf(['page', 'board', 'task'], { description: 'What was deleted, with all that is below it.' }),
    num: nullable(integer(1, Number.MAX_SAFE_INTEGER), {
      description: 'The number of a task; null for pages and boards.',
    }),
    name: name(500, { description: 'Its name, or the title of the task.' }),
    deletedById: nullable(id(), { description: 'The member who deleted it; null for guests unless it was them.' }),
    deletedAt: time({ description: 'When it was deleted.' }),
    purgeAt: time({ description: 'When it is removed for good.' }),
    expanded: expanded({ deletedBy: optional(orNull(MemberName, 'Null where deletedById is.')) }),
  }),
);

const address = { ...inWorkspace, trashId: id({ description: 'The deleted page, board or task.' }) };

const TrashAddress = exactly(address);

export const RestoreTrashed = body(
  'RestoreTrashed',
  exactly({
    ...address,
    parentId: optional(
      nullable(id(), {
        description:
          'The page to put it under, null for the top: as if it were moved there. Absent: its own place; the top if that is gone.',
      }),
    ),
  }),
);

const ListTrash = exactly({ ...inWorkspace, limit, cursor, expand: expand(TRASH_EXPANSIONS) });

export const trashOperations = [
  operation('trash.list', {
    method: 'GET',
    path: '/api/workspace/{workspaceId}/trash',
    tag: 'Trash',
    summary: 'List what is in the trash',
    description:
      'What was deleted last comes first: the topmost page, board or task of each deletion, as far as the caller could delete it. A page of the list may have fewer items than its limit and still have a next one.',
    input: ListTrash,
    output: TrashItem,
    paged: true,
    lines: true,
    forEverybody: true,
    example: acme,
  }),
  operation('trash.restore', {
    method: 'POST',
    path: '/api/workspace/{workspaceId}/trash/{trashId}/restore',
    tag: 'Trash',
    summary: 'Restore from the trash',
    description:
      'With its content, access and order, to its own place. Requires what deleting it requires. To another place, and where its own is gone, it requires Full Access on it and Editing on the page above. A status that is gone becomes the first of the board.',
    input: RestoreTrashed,
    output: Type.Union([Page, Board, Task], { description: 'The page, board or task, as it is read.' }),
    codes: [
      'board-in-trash',
      'board-without-status',
      'column-crowded',
      'hidden-content',
      'quota-exceeded',
      'unusable-reference',
    ],
    example: { ...acme, trashId: EXAMPLE_IDS.archive },
    exampleNeeds: 'Takes a page that was deleted before.',
  }),
  operation('trash.delete', {
    method: 'DELETE',
    path: '/api/workspace/{workspaceId}/trash/{trashId}',
    tag: 'Trash',
    summary: 'Delete from the trash for good',
    description: 'Requires Full Access on it, and Editing on all that is nested under it.',
    input: TrashAddress,
    output: null,
    codes: ['hidden-content'],
    example: { ...acme, trashId: EXAMPLE_IDS.archive },
    exampleNeeds: 'Takes a page that was deleted before.',
  }),
];
