import { Type } from 'typebox';
import { TASK_EXPANSIONS } from '../../../core/names/task-names.ts';
import { expand } from '../names.ts';
import { TASK_SORTS } from '../../../core/task/sort.ts';
import {
  cursor,
  date,
  exactly,
  externalId,
  flag,
  id,
  integer,
  inWorkspace,
  limit,
  list,
  oneOf,
  optional,
  text,
  time,
} from '../fields.ts';

const UUID = '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}';

/** An id, or one of the given words. */
const idOr = (...words: string[]) =>
  Type.String({
    normalise: 'lower',
    minLength: 2,
    maxLength: 36,
    pattern: `^(?:${[...words, UUID].join('|')})$`,
  });

const filters = {
  num: list(integer(1, Number.MAX_SAFE_INTEGER), 100, { description: 'With one of these running numbers.' }),
  boardId: list(id(), 100, { description: 'On one of these boards.' }),
  statusId: list(id(), 100, { description: 'In one of these statuses.' }),
  assigneeId: list(idOr('me', 'none'), 100, { description: 'Of one of these members; me, none.' }),
  tagId: list(idOr('none'), 100, { description: 'With one of these tags; none.' }),
  createdById: list(idOr('me'), 100, { description: 'Made by one of these members; me.' }),
  priority: list(integer(0, 1_000), 100, { description: 'With one of these priorities.' }),
  externalId: list(externalId(), 100, { description: 'With one of these external ids.' }),
  q: text(500, { minLength: 1, description: 'Literal text in title or description, ignoring case.' }),
};

const but = 'The other way round: tasks to which this does not apply.';

/** The filters and the order of a task list. Several values of one filter: OR; several filters: AND. */
export const ListTasks = exactly({
  ...inWorkspace,
  num: optional(filters.num),
  boardId: optional(filters.boardId),
  statusId: optional(filters.statusId),
  assigneeId: optional(filters.assigneeId),
  tagId: optional(filters.tagId),
  createdById: optional(filters.createdById),
  priority: optional(filters.priority),
  complete: optional(flag()),
  externalId: optional(filters.externalId),
  startFrom: optional(date({ description: 'Starts on this day or later.' })),
  startTo: optional(date({ description: 'Starts on this day or earlier.' })),
  endFrom: optional(date({ description: 'Ends on this day or later.' })),
  endTo: optional(date({ description: 'Ends on this day or earlier.' })),
  overdue: optional(flag({ description: 'Ends before today in UTC and is not complete.' })),
  updatedSince: optional(time({ description: 'Changed at this time or later.' })),
  q: optional(filters.q),
  excludeNum: optional({ ...filters.num, description: but }),
  excludeBoardId: optional({ ...filters.boardId, description: but }),
  excludeStatusId: optional({ ...filters.statusId, description: but }),
  excludeAssigneeId: optional({ ...filters.assigneeId, description: but }),
  excludeTagId: optional({ ...filters.tagId, description: but }),
  excludeCreatedById: optional({ ...filters.createdById, description: but }),
  excludePriority: optional({ ...filters.priority, description: but }),
  excludeExternalId: optional({ ...filters.externalId, description: but }),
  excludeQ: optional({ ...filters.q, description: but }),
  excludeComplete: optional(flag({ description: but })),
  excludeOverdue: optional(flag({ description: but })),
  sort: optional(
    list(oneOf(TASK_SORTS), 8, {
      uniqueItems: true,
      description:
        'What to sort by, - for descending; position is the orderKey of the status, then statusOrderKey. Ties break by id. Default: num.',
    }),
  ),
  limit,
  cursor,
  expand: expand(TASK_EXPANSIONS),
  count: optional(flag({ default: false, description: 'Tell the number of all matches in X-Total-Count.' })),
});
