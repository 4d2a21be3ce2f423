import { mergedMetadata } from '../../core/model/metadata.ts';
import { requireSet, type SetOnTasks } from '../../core/task/many/set.ts';
import type { TaskSummary, TaskView } from '../../core/task/view.ts';
import { withoutUndefined } from '../config/without-undefined.ts';
import type { WorkspaceLookup } from '../refs/workspace-lookup.ts';
import { addedAndRemoved, type EditCall } from './edit-options.ts';
import { fieldsOf } from './fields.ts';
import { tryUpdate } from './lines/trial.ts';

/** A named task as it would be. @throws as the edit would, as far as that can be checked without writing */
export async function previewEdit(call: EditCall, workspace: WorkspaceLookup, task: TaskView): Promise<TaskView> {
  const title = withoutUndefined({ title: call.options.title?.trim() });
  const fields = { ...title, ...(await fieldsOf(call, workspace, task.boardId)) };
  const lists = await addedAndRemoved(call, workspace, task.boardId);
  await tryUpdate(workspace, task, fields, {});
  return preview(workspace, task, { ...fields, ...lists });
}

/** The task as it would be, but for its place in its column. @throws `invalid-input` for fields that contradict each other */
export async function preview<Task extends TaskSummary | TaskView>(
  workspace: WorkspaceLookup,
  task: Task,
  set: SetOnTasks,
): Promise<Task> {
  requireSet(set);
  const {
    plannedStartDate,
    plannedEndDate,
    addTags = [],
    removeTags = [],
    addAssignees = [],
    removeAssignees = [],
    metadata,
    ...plain
  } = set;
  const { beforeTaskId: _before, afterTaskId: _after, boardId: _board, ...same } = plain;
  const without = (values: readonly string[], gone: readonly string[], more: readonly string[]) => [
    ...new Set([...values.filter((id) => !gone.includes(id)), ...more]),
  ];
  return {
    ...task,
    ...(await completionAfter(workspace, task, set.statusId)),
    ...same,
    ...(plannedStartDate === undefined ? {} : { dateStart: plannedStartDate }),
    ...(plannedEndDate === undefined ? {} : { dateEnd: plannedEndDate }),
    metadata: mergedMetadata(task.metadata, metadata),
    tags: without(set.tags ?? task.tags, removeTags, addTags),
    assignees: without(set.assignees ?? task.assignees, removeAssignees, addAssignees),
    // The names that came with the task are out of date.
    expanded: undefined,
  };
}

/** Moving into a column that counts as done completes a task, moving out of one opens it. */
async function completionAfter(workspace: WorkspaceLookup, task: TaskSummary | TaskView, statusId: string | undefined) {
  if (statusId === undefined || statusId === task.statusId || task.boardId === null) return {};
  const { statuses } = await workspace.boardView(task.boardId);
  const isDone = (id: string | null) => statuses.find((status) => status.id === id)?.done === true;
  return { complete: isDone(statusId) || (task.complete && !isDone(task.statusId)) };
}
