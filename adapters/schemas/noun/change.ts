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
        'The number of the transaction. It never decreases from event to event; gaps are changes that the caller does not see.',
    }),
    part: integer(count.minimum, count.maximum, { description: 'Distinguishes changes of one transaction.' }),
    type: oneOf(EVENT_TYPES, {
      description:
        'What happened to the record. `show`: it became visible to the caller; `hide`: it no longer is. `scope` asks to read everything again.',
    }),
    id: nullable(id(), { description: 'The record; null for `scope`.' }),
    version: nullable(integer(1, count.maximum), {
      description: 'Null if the caller no longer sees the record, and where the record itself has not changed.',
    }),
    boardId: nullable(id(), { description: 'Null where the caller may not see it.' }),
    pageId: nullable(id(), {
      description: 'The page that decides access to it; null where the caller may not see it.',
    }),
    taskId: nullable(id(), { description: 'The task of a comment.' }),
    byId: nullable(id(), {
      description: 'The member who made the change; null for the operator, and for guests unless they made it.',
    }),
    at: nullable(time({ description: 'The time of the change; null where no change is known.' })),
    fields: list(text(40), 100, { description: 'The names of the fields that an update changed.' }),
    pageIds: optional(
      nullable(list(id(), 10_000), { description: 'With `scope`: all pages that the caller sees; null above 10,000.' }),
    ),
    record: optional(
      Type.Unsafe<object>({
        anyOf: [Task, Comment, Board, Page, Member, Workspace],
        description: 'As it is read now; present if requested with `include`.',
      }),
    ),
  }),
);

const ids = (what: string) =>
  optional(list(id(), 100, { description: `Only events about these ${what}. Any of the values.` }));

const since = text(80, {
  minLength: 1,
  description: 'The `Espalier-Cursor` of a read in the workspace, or of the previous events.',
});
const filters = {
  kind: optional(list(oneOf(EVENT_KINDS), 6, { description: 'Only events about these kinds. Any of the values.' })),
  boardId: ids('boards, what is on them, and pages above either with which it comes into sight or goes'),
  pageId: ids('pages, what they govern, and pages above with which they come into sight or go'),
  include: optional(list(oneOf(CHANGE_INCLUSIONS), 1, { description: '`record`: the record of each event.' })),
};

/** The stream of what `changes.list` tells. What it gives has no end, so it is no row of the table. */
export const watchOperation = {
  ...streams.watch,
  input: exactly({ ...inWorkspace, since: optional(since), ...filters }),
};

const ListChanges = exactly({
  ...inWorkspace,
  since,
  limit: optional(integer(1, 500, { default: 100, description: 'The number of changes examined.' })),
  wait: optional(
    integer(0, 60, {
      default: 0,
      description: 'How long to wait for the first event, in seconds. Without one it answers with an empty list.',
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
      'What has changed for the caller since a cursor, oldest first: each record once, at the place of its last change. ' +
      'Every GET inside a workspace carries the cursor of its snapshot in `Espalier-Cursor`: read, then follow from there. ' +
      'Continue with the `Espalier-Cursor` of the answer, which is there even without events; `Link` is present while there are more changes. ' +
      'With `wait` the answer comes as soon as there is an event. Too many requests that wait, of one user or of all, are refused with 429. ' +
      'With `Accept: text/event-stream` the same comes as server-sent events, without `limit` and `wait`.',
    input: ListChanges,
    output: ChangeEvent,
    paged: true,
    resumedBy: 'since',
    forEverybody: true,
    codes: ['cursor-expired'],
    example: { ...acme, since: 'q8T0Vd1yK3xA.2n.1c', wait: 30, include: ['record'] },
    exampleNeeds: 'Takes the `Espalier-Cursor` of an answer before.',
  }),
];
