import { Type } from 'typebox';
import { LINK_ENDS, LINK_TYPES } from '../../core/model/content/task-links.ts';
import { record } from './components.ts';
import { exactly, flag, id, integer, nullable, oneOf, optional } from './fields.ts';

/** The schemas of links between tasks. */

export const linkType = oneOf(LINK_TYPES, {
  description:
    'The relation to the other task: it is the parent of this task, or this task blocks, relates to or duplicates it.',
});

export const TaskLink = record(
  'TaskLink',
  'A link of a task to another task.',
  exactly({
    type: oneOf(LINK_ENDS, {
      description:
        'The type of the link at this task. The other end of parent is child, of blocks blockedBy, of duplicates duplicatedBy.',
    }),
    taskId: optional(id({ description: 'The linked task. Absent if the caller may not see it.' })),
    hidden: optional(Type.Literal(true, { description: 'The caller may not see the linked task.' })),
  }),
);

/** The summary of the links of a task in lists. */
export const linkSummaryFields = {
  parentTaskId: nullable(id(), { description: 'The parent task. Null if there is none that the caller may see.' }),
  childCount: integer(0, Number.MAX_SAFE_INTEGER, { description: 'The number of children that the caller may see.' }),
  childDone: integer(0, Number.MAX_SAFE_INTEGER, { description: 'The number of these that are complete.' }),
  blocked: flag({ description: 'A task that the caller may see blocks this one and is not complete.' }),
};
