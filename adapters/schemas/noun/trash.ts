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
  'A deleted page, board or task that can be restored.',
  exactly({
    id: id({ description: 'The id of the deleted page, board or task.' }),
    workspaceId: id({ description: 'The workspace of the item.' }),
    kind: oneOf(['page', 'board', 'task'], {
      description: 'The kind of record. Everything below it was deleted with it.',
    }),
    num: nullable(integer(1, Number.MAX_SAFE_INTEGER), {
      description: 'The number of a task. Null for pages and boards.',
    }),
    name: name(500, { description: 'The name of the page or board, or the title of the task.' }),
    deletedById: nullable(id(), {
      description: 'The member who deleted it. Null if the caller is a guest and did not delete it.',
    }),
    deletedAt: time({ description: 'The time of deletion.' }),
    purgeAt: time({ description: 'The time when it is deleted permanently.' }),
    expanded: expanded({ deletedBy: optional(orNull(MemberName, 'Null if deletedById is null.')) }),
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
          'The new parent page, or null for the top, as if it were moved there. Absent: the original place, or the top if that no longer exists.',
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
      'Lists the topmost page, board or task of each deletion that the caller could delete, newest first. A page of the list can have fewer items than its limit and still have a next page.',
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
      'Restores it with its content, access and order, to its original place. Requires what deleting it requires. Another place, or a place that no longer exists, requires Full Access on it and Editing on the parent page. A status that no longer exists becomes the first status of the board.',
    input: RestoreTrashed,
    output: Type.Union([Page, Board, Task], { description: 'The restored page, board or task.' }),
    codes: [
      'board-in-trash',
      'board-without-status',
      'column-crowded',
      'hidden-content',
      'quota-exceeded',
      'unusable-reference',
    ],
    example: { ...acme, trashId: EXAMPLE_IDS.archive },
    exampleNeeds: 'requires that the page was deleted.',
  }),
  operation('trash.delete', {
    method: 'DELETE',
    path: '/api/workspace/{workspaceId}/trash/{trashId}',
    tag: 'Trash',
    summary: 'Delete from the trash permanently',
    description: 'Requires Full Access on it, and Editing on everything nested under it.',
    input: TrashAddress,
    output: null,
    codes: ['hidden-content'],
    example: { ...acme, trashId: EXAMPLE_IDS.archive },
    exampleNeeds: 'requires that the page was deleted.',
  }),
];
