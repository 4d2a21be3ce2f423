import { Type } from 'typebox';
import { ChecklistItem } from './checklist.ts';
import { Comment } from './comment.ts';
import { linkSummaryFields, linkType, TaskLink } from '../task-links.ts';
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
  boardHidden: flag({ description: 'The caller sees the task through its own page only, and nothing of its board.' }),
  pageId: nullable(id(), { description: 'The page of the task, which has the same id. Null if there is none.' }),
  ...linkSummaryFields,
  expanded: expanded({
    status: optional(orNull(StatusName, HIDDEN)),
    board: optional(orNull(PageName, HIDDEN)),
    tags: optional(Type.Array(TagName, { description: 'In the order of tags.' })),
    assignees: optional(Type.Array(MemberName, { description: 'In the order of assignees.' })),
    createdBy: optional(MemberName),
  }),
};

export const TaskSummary = record('TaskSummary', 'A task in a list.', exactly({ ...summary, ...countFields }));

export const Task = record(
  'Task',
  'A task with its checklist and its comments.',
  exactly({
    ...summary,
    links: Type.Array(TaskLink, { description: 'The links to other tasks, by type, then by creation.' }),
    checklist: Type.Array(ChecklistItem, { description: 'The checklist items, in order.' }),
    comments: Type.Array(Comment, { description: 'The comments, by creation.' }),
  }),
);

const keyRule =
  'The sort key in the status. If it is taken, the tasks from this key to the next gap move up. If these are too many, the task gets the nearest key that keeps the order.';

const { title, ...plain } = optionalFields;
/** The fields that cannot be set on many tasks at once, as they differ between tasks. */
const { description: _description, externalId: _externalId, ...common } = plain;

const writable = {
  ...plain,
  metadata: metadataChanges,
  statusId: optional(id({ description: 'A status of the board.' })),
  tags: optional(list(id(), 100, { description: 'Tags of the board.' })),
  assignees: optional(list(id(), 100, { description: 'Members with at least View Only on the task.' })),
  statusOrderKey: optional(orderKey({ description: keyRule })),
  beforeTaskId: optional(
    nullable(id(), { description: 'Places the task before this task of the same status. Null: at the end.' }),
  ),
  afterTaskId: optional(
    nullable(id(), { description: 'Places the task after this task of the same status. Null: at the start.' }),
  ),
};

/** A new task, without its workspace. */
const draft = {
  title: writtenFields.title,
  boardId: id({ description: 'The board of the task.' }),
  ...writable,
  pageId: optional(
    nullable(id(), { description: 'A task page without a task: the task becomes its content, and gives it its name.' }),
  ),
};

export const TaskDraft = record('TaskDraft', 'A task to create.', exactly(draft));

/** The parameter for names in the answer to a write. */
const expandAnswer = { expand: expand(FULL_TASK_EXPANSIONS) };

export const CreateTask = body('CreateTask', exactly({ workspaceId: onTask.workspaceId, ...draft, ...expandAnswer }));

export const CreateTasks = body(
  'CreateTasks',
  exactly({
    workspaceId: onTask.workspaceId,
    tasks: list(TaskDraft, 1_000, { minItems: 1, description: 'Created in this order, all or none.' }),
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
      boardId: optional(nullable(id(), { description: 'Another board. Null only if it reads null.' })),
      statusId: optional(nullable(id(), { description: 'A status of the board. Null only if it reads null.' })),
      statusOrderKey: optional(nullable(orderKey(), { description: `${keyRule} Null only if it reads null.` })),
    },
    // A record from a list may be sent back as well.
    exactly({ ...Task.properties, ...countFields }),
  ),
);

export const AddTag = body(
  'TaskTag',
  exactly({ ...onTask, tagId: id({ description: 'A tag of the board.' }), ...expandAnswer }),
);
export const TaskTag = exactly({ ...onTask, tagId: id({ description: 'A tag of the board.' }) });
/** The path names the task that is linked, as the body names the other one. */
const onLinked = { workspaceId: onTask.workspaceId, fromTaskId: id({ description: 'The task to link from.' }) };
const link = { ...onLinked, type: linkType, taskId: id({ description: 'The other task.' }) };

export const LinkTask = body('LinkTask', exactly({ ...link, ...expandAnswer }));
export const TaskLinkAddress = exactly(link);
export const LinkedTask = exactly(onLinked);

export const AssignTask = body(
  'TaskAssignee',
  exactly({ ...onTask, memberId: id({ description: 'The member.' }), ...expandAnswer }),
);
export const TaskAssignee = exactly({ ...onTask, memberId: id({ description: 'The member.' }) });

/** The changes that are made to each of many tasks. */
export const SetOnTasks = record(
  'SetOnTasks',
  'The fields to set on each of many tasks.',
  exactly({
    ...common,
    metadata: metadataChanges,
    boardId: optional(id({ description: 'Another board.' })),
    statusId: optional(id({ description: 'A status of their board. Tasks in another status move to its end.' })),
    beforeTaskId: optional(
      nullable(id(), {
        description: 'Places the tasks before this task of the same status, in order. Null: at the end.',
      }),
    ),
    afterTaskId: optional(
      nullable(id(), {
        description: 'Places the tasks after this task of the same status, in order. Null: at the start.',
      }),
    ),
    tags: optional(list(id(), 100, { description: 'Tags of the board, replacing the existing ones.' })),
    addTags: optional(list(id(), 100, { description: 'Tags of the board, added to the existing ones.' })),
    removeTags: optional(list(id(), 100, { description: 'Tags to remove.' })),
    assignees: optional(list(id(), 100, { description: 'Members, replacing the existing ones.' })),
    addAssignees: optional(list(id(), 100, { description: 'Members, added to the existing ones.' })),
    removeAssignees: optional(list(id(), 100, { description: 'Members to unassign.' })),
  }),
);

const selection = {
  workspaceId: onTask.workspaceId,
  taskIds: optional(
    list(id(), 1_000, { minItems: 1, description: 'The tasks, each once. Not combined with filter and count.' }),
  ),
  filter: TaskFilter,
  count: optional(
    integer(0, Number.MAX_SAFE_INTEGER, { description: 'The number of tasks that the filter must find.' }),
  ),
};

export const TaskSelection = body('TaskSelection', exactly(selection));

export const UpdateTasks = body('UpdateTasks', exactly({ ...selection, set: SetOnTasks }));

export const TaskCount = record(
  'TaskCount',
  'The number of tasks of a batch.',
  exactly({
    count: integer(0, Number.MAX_SAFE_INTEGER, { description: 'The number of tasks named or found.' }),
  }),
);
