import { Type } from 'typebox';
import { ChecklistItem } from './checklist.ts';
import { Comment } from './comment.ts';
import { linkSummary, linkType, TaskLink } from '../task-links.ts';
import { FULL_TASK_EXPANSIONS } from '../../../core/names/task-names.ts';
import { expand, expanded, MemberName, orNull, PageName, StatusName, TagName } from '../names.ts';
import { body, record } from '../components.ts';
import {
  exactly,
  flag,
  id,
  integer,
  list,
  metadataChanges,
  nullable,
  onTask,
  optional,
  orderKey,
  permanently,
  put,
} from '../fields.ts';
import { TaskFilter } from './task-filters.ts';
import { countFields, HIDDEN, optionalFields, shownFields, writtenFields } from '../task-fields.ts';

/** The payloads of a task. */

const summary = {
  ...shownFields,
  boardHidden: flag({ description: 'Seen through its own page only: nothing of its board is shown.' }),
  pageId: nullable(id(), { description: 'Its page, which has the same id. Null: it has none.' }),
  ...linkSummary,
  expanded: expanded({
    status: optional(orNull(StatusName, HIDDEN)),
    board: optional(orNull(PageName, HIDDEN)),
    tags: optional(Type.Array(TagName, { description: 'In the order of tags.' })),
    assignees: optional(Type.Array(MemberName, { description: 'In the order of assignees.' })),
    createdBy: optional(MemberName),
  }),
};

export const TaskSummary = record(
  'TaskSummary',
  'A task as it stands in a list.',
  exactly({ ...summary, ...countFields }),
);

export const Task = record(
  'Task',
  'A task with its checklist and its comments.',
  exactly({
    ...summary,
    links: Type.Array(TaskLink, { description: 'To other tasks, by type, then in the order in which they were made.' }),
    checklist: Type.Array(ChecklistItem, { description: 'Its items, in order.' }),
    comments: Type.Array(Comment, { description: 'By creation.' }),
  }),
);

const keyRule =
  'Sort key in the status. If it is taken, the tasks from it on move up as far as the next gap; where these are too many, the task gets the nearest key that keeps the order.';

const { title, ...plain } = optionalFields;
/** What tasks do not have in common. */
const { description: _description, externalId: _externalId, ...common } = plain;

const writable = {
  ...plain,
  metadata: metadataChanges,
  statusId: optional(id({ description: 'A status of the board.' })),
  tags: optional(list(id(), 100, { description: 'Tags of the board.' })),
  assignees: optional(list(id(), 100, { description: 'Members with at least 100 on the task.' })),
  statusOrderKey: optional(orderKey({ description: keyRule })),
  beforeTaskId: optional(nullable(id(), { description: 'A task of the same status. Null: at the end.' })),
  afterTaskId: optional(nullable(id(), { description: 'A task of the same status. Null: at the start.' })),
};

/** A new task, without its workspace. */
const draft = {
  title: writtenFields.title,
  boardId: id({ description: 'The board it goes on.' }),
  ...writable,
  pageId: optional(
    nullable(id(), { description: 'A task page that stands alone: the task becomes its content, and names it.' }),
  ),
};

export const TaskDraft = record('TaskDraft', 'A task that is to be made.', exactly(draft));

/** Of the answer to a write. */
const expandAnswer = { expand: expand(FULL_TASK_EXPANSIONS) };

export const CreateTask = body('CreateTask', exactly({ workspaceId: onTask.workspaceId, ...draft, ...expandAnswer }));

export const CreateTasks = body(
  'CreateTasks',
  exactly({
    workspaceId: onTask.workspaceId,
    tasks: list(TaskDraft, 1_000, { minItems: 1, description: 'Made in this order, all or none.' }),
    ...expandAnswer,
  }),
);

export const DeleteTask = exactly({ ...onTask, permanently });

export const GetTask = exactly({ ...onTask, expand: expand(FULL_TASK_EXPANSIONS) });

/** The board fields read null where the board is hidden, and may be sent back as null. */
export const UpdateTask = body(
  'UpdateTask',
  put(
    onTask,
    {
      ...writable,
      ...expandAnswer,
      title,
      boardId: optional(nullable(id(), { description: 'Another board. Null only where it reads null.' })),
      statusId: optional(nullable(id(), { description: 'A status of the board. Null only where it reads null.' })),
      statusOrderKey: optional(nullable(orderKey(), { description: `${keyRule} Null only where it reads null.` })),
    },
    // A record of a list comes back as well.
    exactly({ ...Task.properties, ...countFields }),
  ),
);

export const AddTag = body(
  'TaskTag',
  exactly({ ...onTask, tagId: id({ description: 'A tag of the board.' }), ...expandAnswer }),
);
export const TaskTag = exactly({ ...onTask, tagId: id({ description: 'A tag of the board.' }) });
/** The path names the task that is linked, as the body names the other one. */
const onLinked = { workspaceId: onTask.workspaceId, fromTaskId: id({ description: 'The task that is linked.' }) };
const link = { ...onLinked, type: linkType, taskId: id({ description: 'The other task.' }) };

export const LinkTask = body('LinkTask', exactly({ ...link, ...expandAnswer }));
export const TaskLinkAddress = exactly(link);
export const LinkedTask = exactly(onLinked);

export const AssignTask = body(
  'TaskAssignee',
  exactly({ ...onTask, memberId: id({ description: 'The member.' }), ...expandAnswer }),
);
export const TaskAssignee = exactly({ ...onTask, memberId: id({ description: 'The member.' }) });

/** What is set on each of many tasks. */
export const SetOnTasks = record(
  'SetOnTasks',
  'What is set on each of many tasks.',
  exactly({
    ...common,
    metadata: metadataChanges,
    boardId: optional(id({ description: 'Another board.' })),
    statusId: optional(id({ description: 'A status of their board. Those in another one go to its end.' })),
    beforeTaskId: optional(
      nullable(id(), { description: 'Before this task of the same status, in order. Null: at the end.' }),
    ),
    afterTaskId: optional(
      nullable(id(), { description: 'After this task of the same status, in order. Null: at the start.' }),
    ),
    tags: optional(list(id(), 100, { description: 'Tags of the board, in place of those there are.' })),
    addTags: optional(list(id(), 100, { description: 'Tags of the board, beside those there are.' })),
    removeTags: optional(list(id(), 100, { description: 'Tags to take off.' })),
    assignees: optional(list(id(), 100, { description: 'Members, in place of those there are.' })),
    addAssignees: optional(list(id(), 100, { description: 'Members, beside those there are.' })),
    removeAssignees: optional(list(id(), 100, { description: 'Members to take the tasks from.' })),
  }),
);

const selection = {
  workspaceId: onTask.workspaceId,
  taskIds: optional(list(id(), 1_000, { minItems: 1, description: 'The tasks, each once. Without filter and count.' })),
  filter: TaskFilter,
  count: optional(
    integer(0, Number.MAX_SAFE_INTEGER, { description: 'How many tasks the filter is expected to find.' }),
  ),
};

export const TaskSelection = body('TaskSelection', exactly(selection));

export const UpdateTasks = body('UpdateTasks', exactly({ ...selection, set: SetOnTasks }));

export const TaskCount = record(
  'TaskCount',
  'How many tasks a call was about.',
  exactly({
    count: integer(0, Number.MAX_SAFE_INTEGER, { description: 'How many tasks were named or found.' }),
  }),
);
