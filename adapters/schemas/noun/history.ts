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
    description: 'The field, as the record is read. Null: it is of a board that may not be seen.',
  }),
  from: value('The value before; of a list, what was removed. Null: none, hidden, or a long text.'),
  to: value('The value after; of a list, what was added. Null as in from.'),
});

export const HistoryEntry = record(
  'HistoryEntry',
  'One write to a record, as the caller sees it.',
  exactly({
    seq: nullable(integer(1, Number.MAX_SAFE_INTEGER), {
      description: 'That of the change in the feed. Null: the creation, which is taken from the record.',
    }),
    at: time({ description: 'When it was done.' }),
    byId: nullable(id(), {
      description: 'The member who did it; null for the operator, and for guests unless it was them.',
    }),
    requestId: nullable(text(128), { description: 'The X-Request-Id of the request. Null below role Admin.' }),
    action: oneOf(HISTORY_ACTIONS, { description: 'What was done.' }),
    commentId: nullable(id(), { description: 'The comment, of an action on one. Null: it is on the record itself.' }),
    changes: Type.Array(FieldChange, { description: 'By field.' }),
    truncated: optional(Type.Literal(true, { description: 'Older entries are gone: a record keeps at most 10,000.' })),
  }),
);

const DESCRIPTION =
  'Newest first, kept as long as the record. What the caller may not see now reads null. A page of the list may have fewer items than its limit and still have a next one.';

export const historyOperations = [
  operation('tasks.history', {
    method: 'GET',
    path: '/api/workspace/{workspaceId}/task/{taskId}/history',
    tag: 'Tasks',
    summary: 'Read what was done to a task',
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
    summary: 'Read what was done to a board',
    description: `${DESCRIPTION} Its tasks have their own.`,
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
    summary: 'Read what was done to a page',
    description: `${DESCRIPTION} Its board or task has its own.`,
    input: exactly({ ...onPage, limit, cursor }),
    output: HistoryEntry,
    forEverybody: true,
    paged: true,
    lines: true,
    example: { ...acme, pageId: EXAMPLE_IDS.launch, limit: 2 },
  }),
];
