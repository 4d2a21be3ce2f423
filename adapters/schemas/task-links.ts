import { Type } from 'typebox';
import { LINK_ENDS, LINK_TYPES } from '../../core/model/content/task-links.ts';
import { record } from './components.ts';
import { exactly, flag, id, integer, nullable, oneOf, optional } from './fields.ts';

/** The schemas of links between tasks. */

export const linkType = oneOf(LINK_TYPES, {
  description: 'What the other task is to this one: its parent, or what it blocks, relates to or duplicates.',
});

export const TaskLink = record(
  'TaskLink',
  'A link of a task to another, as it reads there.',
  exactly({
    type: oneOf(LINK_ENDS, {
      description:
        'As the link reads at this task. The other end of parent is child, of blocks blockedBy, of duplicates duplicatedBy.',
    }),
    taskId: optional(id({ description: 'The linked task. Absent when it may not be seen.' })),
    hidden: optional(Type.Literal(true, { description: 'The linked task may not be seen.' })),
  }),
);

/** The summary of the links of a task in lists. */
export const linkSummary = {
  parentTaskId: nullable(id(), { description: 'Its parent. Null: it has none, or one that may not be seen.' }),
  childCount: integer(0, Number.MAX_SAFE_INTEGER, { description: 'How many children it has that may be seen.' }),
  childDone: integer(0, Number.MAX_SAFE_INTEGER, { description: 'How many of these are complete.' }),
  blocked: flag({ description: 'Blocked by a task that may be seen and is not complete.' }),
};
