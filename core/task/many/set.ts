import { seesBoard, type Viewer } from '../../access/viewer.ts';
import { requireNotBeingRemoved } from '../../board/being-removed.ts';
import { EspalierError, found, invalid, unusable } from '../../kernel/errors.ts';
import type { Board } from '../../model/content/board.ts';
import { mergedMetadata, metadataOf, type WritesMetadata } from '../../model/metadata.ts';
import { storedFieldsOf, type Task, type WrittenTask } from '../../model/content/task.ts';
import type { ReadTransaction } from '../../ports/store.ts';
import { assigneesOf, assignmentNow, assignmentsTo, replacedAssignments } from '../assignment.ts';
import { requireDates } from '../dates.ts';
import { requireAssignable, requireTags, unique } from '../references.ts';
import { pointersInside } from './about.ts';
import { completeAfterMove } from '../place/place.ts';
import { hasPosition, positionAt, type Position } from '../place/position.ts';
import { requireBoardSeen, requireNewTagsNotBeingRemoved, taskTarget, firstBoardField } from '../target.ts';

/** The most tags, and assignees, that tasks get by adding to them: as many as one call may name. */
const MAX_LISTED = 100;

/** The fields that cannot be set on many tasks, as they belong to one task alone. */
type OfOne = 'title' | 'description' | 'externalId';

/** The fields to set on each of the tasks: those of an update, except fields that belong to one task alone. */
export interface SetOnTasks extends Partial<Omit<WrittenTask, OfOne>>, WritesMetadata {
  /** Moves the tasks to another board: into `statusId`, by default its first status; tags are matched by name. */
  readonly boardId?: string;
  /** A status of their board. Tasks in another status move to its end, unless they are placed. */
  readonly statusId?: string;
  /** Does not move the tasks; overrides what a new status would set. */
  readonly complete?: boolean;
  /** Before this task of the same status, in the order of the tasks; null: at the end. */
  readonly beforeTaskId?: string | null;
  /** After this task of the same status, in the order of the tasks; null: at the start. */
  readonly afterTaskId?: string | null;
  /** Replaces the existing ones. */
  readonly tags?: readonly string[];
  /** Added to the existing ones. */
  readonly addTags?: readonly string[];
  /** Removed from the tasks that have them. */
  readonly removeTags?: readonly string[];
  /** Replaces the existing ones. */
  readonly assignees?: readonly string[];
  /** Added to the existing ones. */
  readonly addAssignees?: readonly string[];
  /** Unassigned from the tasks that they have. */
  readonly removeAssignees?: readonly string[];
}

/** @throws `invalid-input` if nothing is set, or two fields contradict each other */
export function requireSet(set: SetOnTasks): void {
  if (Object.values(set).every((value) => value === undefined)) throw invalid('/set', 'must set at least one field');
  inSet(() => requireDates(set));
  if (set.beforeTaskId !== undefined && set.afterTaskId !== undefined) {
    throw invalid('/set/afterTaskId', 'must not be combined with beforeTaskId');
  }
  const lists = [
    ['tags', set.tags, 'addTags', set.addTags, 'removeTags', set.removeTags],
    ['assignees', set.assignees, 'addAssignees', set.addAssignees, 'removeAssignees', set.removeAssignees],
  ] as const;
  for (const [all, replaced, adding, added, removing, removed] of lists) {
    if (replaced !== undefined && added !== undefined)
      throw invalid(`/set/${adding}`, `must not be combined with ${all}`);
    if (replaced !== undefined && removed !== undefined)
      throw invalid(`/set/${removing}`, `must not be combined with ${all}`);
    if (added?.some((id) => removed?.includes(id)))
      throw invalid(`/set/${removing}`, `must not have an item of ${adding}`);
  }
}

/** A selected task as it will be, but for its place. */
export interface Prepared {
  readonly task: Task;
  readonly fields: Partial<Task>;
  /** The status that it is placed in, and where; null: it stays at its place. */
  readonly placing: { readonly statusId: string; readonly position: Exclude<Position, { at: 'key' }> } | null;
}

/**
 * What becomes of one of the tasks. O(1) but for its tags and those of its board.
 *
 * @param boards those of the tasks, and the one they go to
 * @param neighbour the task named in `beforeTaskId` or `afterTaskId`, unless it is one of the tasks
 * @throws `being-removed`, `board-without-status`, `invalid-input`, `unusable-reference`
 */
export function prepare(
  viewer: Viewer,
  boards: ReadonlyMap<string, Board>,
  task: Task,
  set: SetOnTasks,
  neighbour: Task | null,
): Prepared {
  requireDates(set, task);
  const assignees = assignmentsAfter(viewer, task, set);
  const metadata = mergedMetadata(metadataOf(task), set.metadata);
  const plain = {
    ...storedFieldsOf(set),
    ...(assignees !== task.assignees && { assignees }),
    ...(metadata !== metadataOf(task) && { metadata }),
  };
  if (firstBoardField(set) === undefined) return { task, fields: plain, placing: null };
  requireBoardSeen(viewer, task, set);
  const source = found(boards.get(task.boardId));
  const board = set.boardId === undefined ? source : boardSeen(viewer, boards, set.boardId);
  const { from, to, moves, tags: kept } = taskTarget(board, source, task, set);
  if (set.addTags !== undefined) requireTags(board, set.addTags, 'addTags');
  const tags = tagsAfter(kept, set);
  requireFew('addTags', kept, tags);
  const position = moves || hasPosition(set) ? placed(viewer, set, to.id, neighbour, task.id) : null;
  if (moves) requireNotBeingRemoved(to, 'status');
  requireNewTagsNotBeingRemoved({ board, tags }, task);
  const complete = set.complete ?? (moves ? completeAfterMove(task.complete, from, to) : task.complete);
  const fields = { ...plain, boardId: board.id, statusId: to.id, complete, tags };
  return { task, fields, placing: position === null ? null : { statusId: to.id, position } };
}

function boardSeen(viewer: Viewer, boards: ReadonlyMap<string, Board>, boardId: string): Board {
  if (!seesBoard(viewer, boardId)) throw unusable('boardId');
  return found(boards.get(boardId));
}

function placed(viewer: Viewer, set: SetOnTasks, statusId: string, neighbour: Task | null, moving: string) {
  const { beforeTaskId, afterTaskId } = set;
  const placing = {
    ...(beforeTaskId === undefined ? {} : { beforeTaskId }),
    ...(afterTaskId === undefined ? {} : { afterTaskId }),
  };
  return positionAt(viewer, placing, statusId, neighbour, moving) as Exclude<Position, { at: 'key' }>;
}

function tagsAfter(tags: readonly string[], { addTags = [], removeTags = [] }: SetOnTasks): readonly string[] {
  if (addTags.length + removeTags.length === 0) return tags;
  const removed = new Set(removeTags);
  return unique([...tags.filter((id) => !removed.has(id)), ...addTags]);
}

/** The assignments of the task itself if nothing about them is set. */
function assignmentsAfter({ structure }: Viewer, task: Task, set: SetOnTasks): readonly string[] {
  const { assignees, addAssignees = [], removeAssignees = [] } = set;
  if (assignees !== undefined) return replacedAssignments(structure, task.assignees, unique(assignees));
  if (addAssignees.length + removeAssignees.length === 0) return task.assignees;
  const removed = new Set(removeAssignees.map((id) => assignmentNow(structure, id)));
  const kept = task.assignees.filter((assignment) => !removed.has(assignment));
  const after = unique([...kept, ...assignmentsTo(structure, addAssignees)]);
  requireFew('addAssignees', assigneesOf(structure, kept), assigneesOf(structure, after));
  return after;
}

/** Tasks that have more already keep them. @throws `invalid-input` */
function requireFew(field: 'addTags' | 'addAssignees', kept: readonly string[], after: readonly string[]): void {
  if (after.length <= Math.max(MAX_LISTED, kept.length)) return;
  throw invalid(`/${field}`, `gives a task more than ${MAX_LISTED} items`);
}

/** @throws `unusable-reference` for a member whom the task would be assigned to anew, and who may not see it then */
export async function requireNewAssignees(
  tx: ReadTransaction,
  viewer: Viewer,
  { task, fields }: Prepared,
  { assignees, addAssignees }: SetOnTasks,
): Promise<void> {
  const named = assignees ?? addAssignees;
  if (named === undefined) return;
  const before = new Set(assigneesOf(viewer.structure, task.assignees));
  const fresh = unique(named).filter((id) => !before.has(id));
  const next = { id: task.id, boardId: fields.boardId ?? task.boardId };
  await requireAssignable(tx, viewer, next, fresh, assignees === undefined ? 'addAssignees' : 'assignees');
}

/** Lets the pointers of errors start at `/set`. */
export function inSet<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof EspalierError)) throw error;
    throw new EspalierError(error.code, error.detail, pointersInside(error, '/set'));
  }
}
