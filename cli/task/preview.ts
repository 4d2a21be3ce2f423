import { requireNotBeingRemoved } from '../../core/board/being-removed.ts';
import { sameJson } from '../../core/kernel/partial-update.ts';
import { mergedMetadata } from '../../core/model/metadata.ts';
import { requireSet, type SetOnTasks } from '../../core/task/many/set.ts';
import { completeAfterMove } from '../../core/task/place/place.ts';
import type { TaskPosition } from '../../core/task/place/position.ts';
import { requireTags } from '../../core/task/references.ts';
import { firstBoardField, requireNewTagsNotBeingRemoved, taskTarget } from '../../core/task/target.ts';
import type { TaskView } from '../../core/task/view.ts';
import { withoutUndefined } from '../config/without-undefined.ts';
import { count } from '../output/table/count.ts';
import type { WorkspaceLookup } from '../refs/workspace-lookup.ts';
import { addedAndRemoved, type EditCall } from './edit-options.ts';
import { ExternalIds } from './external-ids.ts';
import { fieldsOfCall } from './fields.ts';
import { tryUpdate } from './lines/trial.ts';
import type { ShownTask } from './names.ts';
import { boardToUse, requireAssignees, requireBoardShown } from './would-refuse.ts';

/** How many of the tasks would differ. */
export function dryRunNote(done: 'changed' | 'moved', differing: number, all: number): string {
  const rest = all - differing;
  return `Dry run: ${count(differing, 'task')} would be ${done}${rest === 0 ? '' : `, ${rest} would not`}.`;
}

/** A named task as it would be. @throws as the edit would, as far as that can be checked without writing */
export async function previewEdit(call: EditCall, workspace: WorkspaceLookup, task: TaskView): Promise<TaskView> {
  const title = withoutUndefined({ title: call.options.title?.trim() });
  const fields = { ...title, ...(await fieldsOfCall(call, workspace, task.boardId)) };
  const lists = await addedAndRemoved(call, workspace, task.boardId);
  await tryUpdate(workspace, task, fields, {});
  // The update of one task takes the tags that it shows, also where those of its board are hidden.
  requireBoardShown(task, { ...fields, ...(sameJson(fields.tags, task.tags) && { tags: undefined }), ...lists });
  const after = await preview(workspace, task, { ...fields, ...lists });
  await new ExternalIds(workspace).give(task, fields.externalId);
  return after;
}

/**
 * The task as it would be. The sort key of a task that would move is null, as only the move decides it, unless it is
 * given.
 *
 * @throws `invalid-input` for fields that contradict each other, `unusable-reference` for an assignee without access,
 * and as a move would
 */
export async function preview<Task extends ShownTask>(
  workspace: WorkspaceLookup,
  task: Task,
  set: SetOnTasks & Pick<TaskPosition, 'statusOrderKey'>,
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
  const { beforeTaskId, afterTaskId, ...same } = plain;
  const { moves = false, ...place } = await placeAfter(workspace, task, set);
  const isMoved = moves || beforeTaskId !== undefined || afterTaskId !== undefined;
  const without = (values: readonly string[], gone: readonly string[], more: readonly string[]) => [
    ...new Set([...values.filter((id) => !gone.includes(id)), ...more]),
  ];
  const assignees = without(set.assignees ?? task.assignees, removeAssignees, addAssignees);
  const at = { boardId: place.boardId ?? task.boardId, pageId: task.pageId };
  const fresh = assignees.filter((id) => !task.assignees.includes(id));
  await requireAssignees(workspace, at, fresh, set.assignees === undefined ? 'addAssignees' : 'assignees');
  return {
    ...task,
    ...(isMoved && { statusOrderKey: null }),
    ...same,
    ...place,
    complete: set.complete ?? place.complete ?? task.complete,
    ...(plannedStartDate === undefined ? {} : { dateStart: plannedStartDate }),
    ...(plannedEndDate === undefined ? {} : { dateEnd: plannedEndDate }),
    metadata: mergedMetadata(task.metadata, metadata),
    tags: without(place.tags ?? task.tags, removeTags, addTags),
    assignees,
    // The names that came with the task are out of date.
    expanded: undefined,
  };
}

/**
 * The board, status, completion and tags of a task after changes that concern its board.
 *
 * @throws as the change: `board-without-status`, `being-removed`, `unusable-reference`
 */
async function placeAfter(workspace: WorkspaceLookup, task: ShownTask, set: SetOnTasks) {
  const { boardId, statusId } = task;
  if (boardId === null || statusId === null || firstBoardField(set) === undefined) return {};
  const source = await boardToUse(workspace, boardId);
  const board = set.boardId === undefined ? source : await boardToUse(workspace, set.boardId);
  const { from, to, moves, tags } = taskTarget(board, source, { boardId, statusId, tags: task.tags }, set);
  if (set.addTags !== undefined) requireTags(board, set.addTags, 'addTags');
  if (moves) requireNotBeingRemoved(to, 'status');
  requireNewTagsNotBeingRemoved({ board, tags: [...tags, ...(set.addTags ?? [])] }, task);
  const complete = moves ? completeAfterMove(task.complete, from, to) : task.complete;
  return { boardId: board.id, statusId: to.id, complete, tags, moves };
}
