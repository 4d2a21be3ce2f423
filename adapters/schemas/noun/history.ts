import { Type } from 'typebox';
import { HISTORY_ACTIONS } from '../../../core/model/log/history-entry.ts';
import { record } from '../components.ts';
import { acme, EXAMPLE_IDS } from '../examples.ts';
import {
  cursor,
  exactly,
  id,
  integer,
  limit,
  nullable,
  onBoard,
  onPage,
  onTask,
  oneOf,
  optional,
  text,
  time,
} from '../fields.ts';
import { operation } from '../operation.ts';

const VALUE = 'Statuses, tags, members, boards and pages are objects of id and name.';
const value = (description: string) => Type.Unknown({ description: `${description} ${VALUE}` });

const FieldChange = exactly({
  field: nullable(text(100), {
    description: 'The name of the field. Null if it belongs to a board that the caller may not see.',
  }),
  from: value('The value before; for a list, the removed items. Null: none, hidden, or a long text.'),
  to: value('The value after; for a list, the added items. Null as in from.'),
});

export const HistoryEntry = record(
  'HistoryEntry',
  'One write to a record, as the caller sees it.',
  exactly({
    seq: nullable(integer(1, Number.MAX_SAFE_INTEGER), {
      description: 'The seq of the change event. Null for a creation that is derived from the record.',
    }),
    at: time({ description: 'The time of the write.' }),
    byId: nullable(id(), {
      description:
        'The member who made the change. Null for the operator, and if the caller is a guest and did not make it.',
    }),
    requestId: nullable(text(128), { description: 'The X-Request-Id of the request. Null below role Admin.' }),
    action: oneOf(HISTORY_ACTIONS, { description: 'The action.' }),
    commentId: nullable(id(), {
      description: 'The comment that the action is on. Null: the action is on the record itself.',
    }),
    changes: Type.Array(FieldChange, { description: 'The changes, by field.' }),
    truncated: optional(
      Type.Literal(true, { description: 'Older entries were removed: a record keeps at most 10,000.' }),
    ),
  }),
);

const DESCRIPTION =
  'Newest first, kept as long as the record. What the caller may not see now is null. A page of the list can have fewer items than its limit and still have a next page.';

export const historyOperations = [
  operation('tasks.history', {
    method: 'GET',
    path: '/api/workspace/{workspaceId}/task/{taskId}/history',
    tag: 'Tasks',
    summary: 'Read the history of a task',
    description: `${DESCRIPTION} Comments have entries of their own, without their text.`,
    input: exactly({ ...onTask, limit, cursor }),
    output: HistoryEntry,
    forEverybody: true,
    paged: true,
    lines: true,
    example: { ...acme, taskId: EXAMPLE_IDS.readme, limit: 2 },
  }),
  operation('boards.history', {
    method: 'GET',
    path: '/api/workspace/{workspaceId}/board/{boardId}/history',
    tag: 'Boards',
    summary: 'Read the history of a board',
    description: `${DESCRIPTION} Its tasks have histories of their own.`,
    input: exactly({ ...onBoard, limit, cursor }),
    output: HistoryEntry,
    forEverybody: true,
    paged: true,
    lines: true,
    example: { ...acme, boardId: EXAMPLE_IDS.launch, limit: 2 },
  }),
  operation('pages.history', {
    method: 'GET',
    path: '/api/workspace/{workspaceId}/page/{pageId}/history',
    tag: 'Pages',
    summary: 'Read the history of a page',
    description: `${DESCRIPTION} Its board or task has a history of its own.`,
    input: exactly({ ...onPage, limit, cursor }),
    output: HistoryEntry,
    forEverybody: true,
    paged: true,
    lines: true,
    example: { ...acme, pageId: EXAMPLE_IDS.launch, limit: 2 },
  }),
];
