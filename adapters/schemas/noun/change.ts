import { Type } from 'typebox';
import { CHANGE_INCLUSIONS } from '../../../core/changes/list.ts';
import { EVENT_KINDS, EVENT_TYPES } from '../../../core/model/log/change-event.ts';
import { record } from '../components.ts';
import { acme } from '../examples.ts';
import { exactly, id, integer, inWorkspace, list, nullable, oneOf, optional, text, time } from '../fields.ts';
import { operation } from '../operation.ts';
import { streams } from '../streams.ts';
import { Board } from './board.ts';
import { Comment } from './comment.ts';
import { Member } from './member.ts';
import { Page } from './page.ts';
import { Task } from './task.ts';
import { Workspace } from './workspace.ts';

const count = { minimum: 0, maximum: Number.MAX_SAFE_INTEGER };

export const ChangeEvent = record(
  'ChangeEvent',
  'One change of a record, as the caller sees it.',
  exactly({
    seq: integer(count.minimum, count.maximum, {
      description:
        'The number of the transaction. It never decreases from event to event. Gaps are changes that the caller does not see.',
    }),
    part: integer(count.minimum, count.maximum, { description: 'Distinguishes the changes of one transaction.' }),
    type: oneOf(EVENT_TYPES, {
      description:
        'What happened to the record. `show`: it became visible to the caller; `hide`: it is no longer visible. `scope`: read everything again.',
    }),
    id: nullable(id(), { description: 'The record. Null for `scope`.' }),
    version: nullable(integer(1, count.maximum), {
      description:
        'The version of the record. Null if the caller no longer sees it, and if the record itself has not changed.',
    }),
    boardId: nullable(id(), { description: 'The board of the record. Null if the caller may not see it.' }),
    pageId: nullable(id(), {
      description: 'The page that decides access to the record. Null if the caller may not see it.',
    }),
    taskId: nullable(id(), { description: 'The task of a comment.' }),
    byId: nullable(id(), {
      description:
        'The member who made the change. Null for the operator, and if the caller is a guest and did not make it.',
    }),
    at: nullable(time({ description: 'The time of the change. Null if no change is known.' })),
    fields: list(text(40), 100, { description: 'The names of the fields that an update changed.' }),
    pageIds: optional(
      nullable(list(id(), 10_000), { description: 'For `scope`: all pages that the caller sees. Null above 10,000.' }),
    ),
    record: optional(
      Type.Unsafe<object>({
        anyOf: [Task, Comment, Board, Page, Member, Workspace],
        description: 'The current record. Present if requested with `include`.',
      }),
    ),
  }),
);

const ids = (what: string) => optional(list(id(), 100, { description: `Only events about any of these ${what}.` }));

const since = text(80, {
  minLength: 1,
  description: 'The `Espalier-Cursor` of a read in the workspace, or of the previous list of changes.',
});
const filters = {
  kind: optional(list(oneOf(EVENT_KINDS), 6, { description: 'Only events about records of any of these kinds.' })),
  boardId: ids('boards, their content, and pages above that make either visible or hidden'),
  pageId: ids('pages, the records whose access they decide, and pages above that make them visible or hidden'),
  include: optional(list(oneOf(CHANGE_INCLUSIONS), 1, { description: '`record`: adds the record to each event.' })),
};

/** The stream of the events of `changes.list`. Its answer has no end, so it is not in the table of operations. */
export const watchOperation = {
  ...streams.watch,
  input: exactly({ ...inWorkspace, since: optional(since), ...filters }),
};

const ListChanges = exactly({
  ...inWorkspace,
  since,
  limit: optional(integer(1, 500, { default: 100, description: 'The number of changes to examine.' })),
  wait: optional(
    integer(0, 60, {
      default: 0,
      description: 'The seconds to wait for the first event. If none comes, the answer is an empty list.',
    }),
  ),
  ...filters,
});

export const changeOperations = [
  operation('changes.list', {
    method: 'GET',
    path: '/api/workspace/{id}/changes',
    tag: 'Workspaces',
    summary: 'Follow the changes of a workspace',
    description:
      'Lists what changed for the caller since a cursor, oldest first: each record once, at the place of its last change. ' +
      'Every GET in a workspace returns the cursor of its snapshot in `Espalier-Cursor`: read, then follow from there. ' +
      'Continue with the `Espalier-Cursor` of the answer, which is present even without events. `Link` is present while there are more changes. ' +
      'With `wait` the answer comes with the first event. Too many waiting requests, of one user or in all, are refused with 429. ' +
      'With `Accept: text/event-stream` the answer is a stream of server-sent events, without `limit` and `wait`.',
    input: ListChanges,
    output: ChangeEvent,
    paged: true,
    resumedBy: 'since',
    forEverybody: true,
    codes: ['cursor-expired'],
    example: { ...acme, since: 'q8T0Vd1yK3xA.2n.1c', wait: 30, include: ['record'] },
    exampleNeeds: 'requires the `Espalier-Cursor` of an earlier answer.',
  }),
];
