import { Type } from 'typebox';
import { Comment } from './comment.ts';
import { FULL_TASK_EXPANSIONS } from '../../../core/names/task-names.ts';
import { expand, expanded, MemberName, orNull, PageName, StatusName, TagName } from '../names.ts';
import {
  date,
  exactly,
  externalId,
  flag,
  id,
  integer,
  list,
  name,
  nullable,
  onTask,
  optional,
  orderKey,
  put,
  text,
  versioned,
} from '../fields.ts';

/** The payloads of a task. */

const own = {
  title: name(500, { examples: ['Write the release notes'] }),
  description: text(50_000),
  priority: integer(0, 1_000, {
    description: '0 none, 100 low, 200 medium, 300 high, 400 urgent; in between is the own of the host.',
  }),
  complete: flag({ description: 'Completion flag.' }),
};

const hidden = 'Null when the board may not be seen.';

const summary = {
  id: id({ description: 'Also that of its page, when it has one.' }),
  workspaceId: id(),
  num: integer(1, Number.MAX_SAFE_INTEGER, { description: 'Running number in the workspace. Never reused.' }),
  ...own,
  boardId: nullable(id(), { description: hidden }),
  boardHidden: flag({ description: 'Seen through its own page only: nothing of its board is shown.' }),
  statusId: nullable(id(), { description: hidden }),
  statusOrderKey: nullable(orderKey(), { description: `Sort key in the status, unique there. ${hidden}` }),
  createdById: id({ description: 'The member who made it.' }),
  dateStart: nullable(date(), { description: 'The plannedStartDate.' }),
  dateEnd: nullable(date(), { description: 'The plannedEndDate.' }),
  externalId: nullable(externalId()),
  tags: Type.Array(id()),
  assignees: Type.Array(id(), { description: 'Members.' }),
  pageId: nullable(id(), { description: 'Its page, which has the same id. Null: it has none.' }),
  ...versioned,
  expanded: expanded({
    status: optional(orNull(StatusName, hidden)),
    board: optional(orNull(PageName, hidden)),
    tags: optional(Type.Array(TagName, { description: 'In the order of tags.' })),
    assignees: optional(Type.Array(MemberName, { description: 'In the order of assignees.' })),
    createdBy: optional(MemberName),
  }),
};

export const TaskSummary = exactly({
  ...summary,
  commentCount: integer(0, Number.MAX_SAFE_INTEGER),
});

export const Task = exactly({ ...summary, comments: Type.Array(Comment, { description: 'By creation.' }) });

const keyRule =
  'Sort key in the status. If it is taken, the tasks from it on move up as far as the next gap; where these are too many, the task gets the nearest key that keeps the order.';

const writable = {
  description: optional(own.description),
  statusId: optional(id({ description: 'A status of the board.' })),
  priority: optional(own.priority),
  complete: optional(own.complete),
  plannedStartDate: optional(nullable(date())),
  plannedEndDate: optional(nullable(date(), { description: 'Not before plannedStartDate.' })),
  externalId: optional(nullable(externalId())),
  tags: optional(list(id(), 100, { description: 'Tags of the board.' })),
  assignees: optional(list(id(), 100, { description: 'Members with at least 100 on the task.' })),
  statusOrderKey: optional(orderKey({ description: keyRule })),
  beforeTaskId: optional(nullable(id(), { description: 'A task of the same status. Null: at the end.' })),
  afterTaskId: optional(nullable(id(), { description: 'A task of the same status. Null: at the start.' })),
};

/** A new task, without its workspace. */
const draft = {
  title: own.title,
  boardId: id({ description: 'The board it goes on.' }),
  ...writable,
  pageId: optional(
    nullable(id(), { description: 'A task page that stands alone: the task becomes its content, and names it.' }),
  ),
};

export const TaskDraft = exactly(draft);

export const CreateTask = exactly({ workspaceId: onTask.workspaceId, ...draft });

export const CreateTasks = exactly({
  workspaceId: onTask.workspaceId,
  tasks: list(TaskDraft, 1_000, { minItems: 1, description: 'Made in this order, all or none.' }),
});

export const TaskAddress = exactly(onTask);

export const GetTask = exactly({ ...onTask, expand: expand(FULL_TASK_EXPANSIONS) });

/** The board fields read null where the board is hidden, and may be sent back as null. */
export const UpdateTask = put(
  onTask,
  {
    title: optional(own.title),
    ...writable,
    boardId: optional(nullable(id(), { description: 'Another board. Null only where it reads null.' })),
    statusId: optional(nullable(id(), { description: 'A status of the board. Null only where it reads null.' })),
    statusOrderKey: optional(nullable(orderKey(), { description: `${keyRule} Null only where it reads null.` })),
  },
  // A record of a list comes back as well.
  exactly({ ...Task.properties, commentCount: TaskSummary.properties.commentCount }),
);

export const TaskTag = exactly({ ...onTask, tagId: id({ description: 'A tag of the board.' }) });
export const TaskAssignee = exactly({ ...onTask, memberId: id({ description: 'The member.' }) });
