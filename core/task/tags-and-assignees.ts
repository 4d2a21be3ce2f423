import type { TaskAddress } from '../model/address.ts';
import { sees, type Viewer } from '../access/viewer.ts';
import type { Context } from '../ports/context.ts';
import { found, notFound, unusable } from '../kernel/errors.ts';
import { timestamp } from '../kernel/record.ts';
import type { Transaction } from '../ports/store.ts';
import { withNamedRecords } from '../write/idempotency/visible-answer.ts';
import { write } from '../write/transaction.ts';
import { requireTagsNotBeingRemoved } from '../board/being-removed.ts';
import { assignmentNow } from './assignment.ts';
import { changedTask } from './board-edits.ts';
import { requireAssignable, requireTags } from './references.ts';
import { taskToEdit } from './read.ts';
import type { Task } from '../model/content/task.ts';
import { namedInTask, writtenTaskView, type TaskView } from './view.ts';

/** What `tasks.addTag` and `tasks.removeTag` take: a task and a tag. */
export interface TaskTag extends TaskAddress {
  /** A tag of the board of the task. */
  readonly tagId: string;
}

/** What `tasks.assign` and `tasks.unassign` take: a task and a member. */
export interface TaskAssignee extends TaskAddress {
  /** The assignee, a member with at least 100 on the task. */
  readonly memberId: string;
}

/** Does nothing if the task has the tag. @throws `unusable-reference` for a tag of another board, `being-removed` */
export function addTag(context: Context, input: TaskTag): Promise<TaskView> {
  return edit(context, input, async (tx, viewer, task) => {
    if (!sees(viewer, task.boardId)) throw unusable('tagId');
    const board = found(await tx.boards.get(task.workspaceId, task.boardId));
    requireTags(board, [input.tagId], 'tagId');
    if (task.tags.includes(input.tagId)) return task;
    requireTagsNotBeingRemoved(board, [input.tagId]);
    return { ...task, tags: [...task.tags, input.tagId] };
  });
}

/** @throws `not-found` if the task does not have the tag, or the caller may not see it */
export function removeTag(context: Context, input: TaskTag): Promise<void> {
  return withoutResult(
    edit(context, input, async (_tx, viewer, task) => {
      if (!sees(viewer, task.boardId) || !task.tags.includes(input.tagId)) throw notFound();
      return { ...task, tags: task.tags.filter((id) => id !== input.tagId) };
    }),
  );
}

/** Does nothing if they are assigned. @throws `unusable-reference` for a member without access to the task */
export function assign(context: Context, input: TaskAssignee): Promise<TaskView> {
  return edit(context, input, async (tx, viewer, task) => {
    await requireAssignable(tx, viewer, task, [input.memberId], 'memberId');
    const assignment = assignmentNow(viewer.structure, input.memberId);
    return task.assignees.includes(assignment) ? task : { ...task, assignees: [...task.assignees, assignment] };
  });
}

/** @throws `not-found` if they are not assigned */
export function unassign(context: Context, input: TaskAssignee): Promise<void> {
  return withoutResult(
    edit(context, input, async (_tx, viewer, task) => {
      const assignment = assignmentNow(viewer.structure, input.memberId);
      if (!task.assignees.includes(assignment)) throw notFound();
      return { ...task, assignees: task.assignees.filter((other) => other !== assignment) };
    }),
  );
}

/** Saves the result of `work`, unless it is the unchanged task. */
function edit(
  context: Context,
  address: TaskAddress,
  work: (tx: Transaction, viewer: Viewer, task: Task) => Promise<Task>,
): Promise<TaskView> {
  return write(withNamedRecords(context, namedInTask), async (tx) => {
    const { viewer, task } = await taskToEdit(tx, context, address);
    const next = await work(tx, viewer, task);
    if (next === task) return writtenTaskView(tx, viewer, task);
    const saved = changedTask(task, next, timestamp(context));
    await tx.tasks.replace(saved);
    return writtenTaskView(tx, viewer, saved);
  });
}

async function withoutResult(result: Promise<unknown>): Promise<void> {
  await result;
}
