import type { TaskAddress } from '../model/address.ts';
import { EDIT } from '../model/access/level.ts';
import { sees, seesBoard, viewerAfter, type Viewer } from '../access/viewer.ts';
import type { Board } from '../model/content/board.ts';
import { requireNotBeingRemoved } from '../board/being-removed.ts';
import type { Context } from '../ports/context.ts';
import { found, unusable } from '../kernel/errors.ts';
import { requireFreeExternalId } from '../purge/release-external-id.ts';
import { type Metadata, metadataOf, recordChanges, type WritesMetadata } from '../model/metadata.ts';
import { changed, expectVersion, timestamp } from '../kernel/record.ts';
import type { Page } from '../model/workspace/page.ts';
import type { Transaction } from '../ports/store.ts';
import { write } from '../write/transaction.ts';
import { changedTask, versionSeen } from './board-edits.ts';
import { requireDates } from './dates.ts';
import { requireAssignable, unique } from './references.ts';
import { completeAfterMove, idsOf, placeInStatus } from './place/place.ts';
import { assigneesOf, replacedAssignments } from './assignment.ts';
import { hasPosition, neighbourIdOf, positionAt, type TaskPosition } from './place/position.ts';
import { taskAt } from './read.ts';
import {
  requireBoardSeen,
  requireEditingBoards,
  requireNewTagsNotBeingRemoved,
  taskTarget,
  firstBoardField,
} from './target.ts';
import { storedFieldsOf, WRITTEN_FIELDS, writtenOf, type Task, type WrittenTask } from '../model/content/task.ts';
import { NO_PLACE } from '../model/content/task-query.ts';
import { taskView, type TaskView, writtenTaskView } from './view.ts';

/** `boardId`, `statusId` and `statusOrderKey` may be null only if they read null, so that a record can be put back. */
export interface UpdateTask
  extends TaskAddress, Omit<TaskPosition, 'statusOrderKey'>, Partial<WrittenTask>, WritesMetadata {
  /** Moves the task to another board: into `statusId`, by default its first status; tags are matched by name. */
  readonly boardId?: string | null;
  /** A status of the board. Null only if it reads null. */
  readonly statusId?: string | null;
  /**
   * The sort key in the status. If it is taken, the tasks from this key to the next gap move up. Null only if it reads
   * null.
   */
  readonly statusOrderKey?: number | null;
  /** Does not move the task; overrides what a new status would set. */
  readonly complete?: boolean;
  /** Replaces the existing ones. */
  readonly tags?: readonly string[];
  /** Replaces the existing ones. */
  readonly assignees?: readonly string[];
}

/** Fields of the task's place, and those that need more than being written. */
const PLACED = ['boardId', 'statusId', 'statusOrderKey', 'beforeTaskId', 'afterTaskId', 'tags', 'assignees'] as const;

const WRITABLE = [...WRITTEN_FIELDS.map(([, name]) => name), ...PLACED] as const;

/** Comments, and the tasks that are linked, change without a new version of their task. */
const DERIVED = ['comments', 'commentCount', 'links', 'parentTaskId', 'childCount', 'childDone', 'blocked'];

type WritableFields = Partial<Pick<UpdateTask, (typeof WRITABLE)[number]>>;

const NEVER_NULL = ['boardId', 'statusId', 'statusOrderKey'] as const;

type TaskChanges = Omit<WritableFields, (typeof NEVER_NULL)[number]> & {
  readonly boardId?: string;
  readonly statusId?: string;
  readonly statusOrderKey?: number;
  readonly metadata?: Metadata;
};

/**
 * @throws `unusable-reference`, `being-removed`, `board-without-status`, `column-crowded`, `external-id-taken`
 */
export function updateTask(context: Context, input: UpdateTask): Promise<TaskView> {
  requireDates(input);
  return write(context, async (tx) => {
    const { viewer, task, other: neighbour } = await taskAt(tx, context, input, EDIT, neighbourIdOf(input));
    if (input.boardId != null) requireEditingBoards(viewer, task, input.boardId);
    expectVersion(context, versionSeen(viewer, task));
    const shown = isPlain(input) ? plainFieldsOf(viewer, task) : await allFieldsOf(tx, viewer, task, input);
    const { changes: written, metadata, isEmpty } = recordChanges(task, input, shown, WRITABLE, ['taskId'], DERIVED);
    const changes = withoutNulls(written);
    if (isEmpty) return writtenTaskView(tx, viewer, task);
    const given = { ...changes, metadata, ...givenForTheMove(input, changes) };
    const { next, moved } = await taskAfter({ tx, context, viewer, task, changes: given, neighbour });
    const isSame = next === task;
    if (moved.length > 0) await tx.tasks.replaceTogether(isSame ? moved : [...moved, next], idsOf(moved));
    else if (!isSame) await tx.tasks.replace(next);
    const page = pageAfter(viewer, task, next);
    if (page === null) return writtenTaskView(tx, viewer, next);
    const structure = await tx.structures.change(viewer.structure, { pages: [page] });
    return writtenTaskView(tx, viewerAfter(viewer, structure), next);
  });
}

/** Fields that are shown as they are stored, or not at all, by their names in inputs. */
const PLAIN: ReadonlySet<string> = new Set(
  ['workspaceId', 'taskId', 'boardId', 'statusId', 'statusOrderKey', 'beforeTaskId', 'afterTaskId'].concat(
    WRITTEN_FIELDS.map(([, name]) => name),
  ),
);

function isPlain(input: UpdateTask): boolean {
  for (const field in input) if (!PLAIN.has(field)) return false;
  return true;
}

/** What the caller reads of the plain fields. */
function plainFieldsOf(viewer: Viewer, task: Task): object {
  const { workspaceId, boardId, statusId, statusOrderKey } = task;
  const isBoardSeen = sees(viewer, boardId);
  const place = isBoardSeen ? { boardId, statusId, statusOrderKey } : NO_PLACE;
  return Object.assign(writtenOf(task), place, { workspaceId });
}

/**
 * What the caller reads of a task, in a list too: that shows how many comments and items there are. The comments only
 * where they may be the same as those in the input.
 */
async function allFieldsOf(tx: Transaction, viewer: Viewer, task: Task, input: object): Promise<object> {
  const { commentCount, checklistTotal, checklistDone } = task;
  const listed = { commentCount, checklistTotal, checklistDone };
  const { comments } = input as { readonly comments?: unknown };
  const areCompared = Array.isArray(comments) && comments.length === commentCount;
  const view = await (areCompared ? taskView : writtenTaskView)(tx, viewer, task);
  return Object.assign(view, writtenOf(task), listed);
}

/** @throws `unusable-reference` for a null that only a task with a hidden board reads */
export function withoutNulls(written: WritableFields): TaskChanges {
  for (const field of NEVER_NULL) if (written[field] === null) throw unusable(field);
  return written as TaskChanges;
}

/** In a new status, a sort key or completion equal to the old one is a new value too. */
function givenForTheMove(input: UpdateTask, changes: TaskChanges): TaskChanges {
  if (changes.statusId === undefined && changes.boardId === undefined) return {};
  const { complete, statusOrderKey } = input;
  const keyed = statusOrderKey != null && changes.beforeTaskId === undefined && changes.afterTaskId === undefined;
  return { ...(complete === undefined ? {} : { complete }), ...(keyed ? { statusOrderKey } : {}) };
}

/** A change of a task that is made. */
interface Updating {
  readonly tx: Transaction;
  readonly context: Context;
  readonly viewer: Viewer;
  readonly task: Task;
  readonly changes: TaskChanges;
  /** The task beside which it is to be placed. */
  readonly neighbour: Task | null;
}

async function taskAfter(updating: Updating): Promise<{ readonly next: Task; readonly moved: readonly Task[] }> {
  const { tx, context, viewer, task, changes } = updating;
  requireDates(changes, task);
  const assignees = changes.assignees && unique(changes.assignees);
  const { placement, moved } =
    firstBoardField(changes) === undefined
      ? { placement: { complete: changes.complete ?? task.complete }, moved: [] }
      : await placementAfter(updating);
  const { title, metadata } = changes;
  // Assigned to one object: spreading several takes as long as all the rest.
  const fields: Partial<Task> = Object.assign(
    storedFieldsOf(changes),
    title === undefined ? null : { title: title.trim() },
    metadata === undefined || metadata === metadataOf(task) ? null : { metadata },
    assignees === undefined ? null : { assignees: replacedAssignments(viewer.structure, task.assignees, assignees) },
    placement,
  );
  const next = changedTask(task, fields, timestamp(context));
  if (assignees !== undefined) {
    const before = new Set(assigneesOf(viewer.structure, task.assignees));
    const fresh = assignees.filter((id) => !before.has(id));
    await requireAssignable(tx, viewer, next, fresh);
  }
  if (next.externalId !== null) await requireFreeExternalId(tx, viewer.structure, 'task', next);
  return { next, moved };
}

interface PlacementAfter {
  readonly placement: Pick<Task, 'complete'> & Partial<Pick<Task, 'boardId' | 'statusId' | 'statusOrderKey' | 'tags'>>;
  /** Other tasks with new keys, which make room. */
  readonly moved: readonly Task[];
}

/** Board, status, sort key, completion and tags after changes that concern the board. */
async function placementAfter(updating: Updating): Promise<PlacementAfter> {
  const { tx, context, viewer, task, changes, neighbour } = updating;
  const complete = changes.complete ?? task.complete;
  requireBoardSeen(viewer, task, changes);
  const source = found(await tx.boards.get(task.workspaceId, task.boardId));
  const board = changes.boardId === undefined ? source : await targetBoard(tx, viewer, task, changes.boardId);
  const target = taskTarget(board, source, task, changes);
  const { from, to, tags, moves } = target;
  if (!moves && !hasPosition(changes)) {
    requireNewTagsNotBeingRemoved(target, task);
    return { placement: { complete, tags }, moved: [] };
  }
  const position = positionAt(viewer, changes, to.id, neighbour, task.id);
  if (moves) requireNotBeingRemoved(to, 'status');
  requireNewTagsNotBeingRemoved(target, task);
  const { key: statusOrderKey, moved } = await placeInStatus(tx, context, task, to.id, position);
  const afterMove = moves ? completeAfterMove(task.complete, from, to) : task.complete;
  const placement = {
    boardId: board.id,
    statusId: to.id,
    statusOrderKey,
    complete: changes.complete ?? afterMove,
    tags,
  };
  return { placement, moved };
}

async function targetBoard(tx: Transaction, viewer: Viewer, task: Task, boardId: string): Promise<Board> {
  if (!seesBoard(viewer, boardId)) throw unusable('boardId');
  return found(await tx.boards.get(task.workspaceId, boardId));
}

/**
 * The page of a changed task, which has the same name and the id of its board, as it is from then on; null where it has
 * none, or nothing of it changes.
 */
export function pageAfter({ structure }: Viewer, before: Task, after: Task): Page | null {
  const page = structure.page(after.id);
  if (page === undefined || (before.title === after.title && before.boardId === after.boardId)) return null;
  const renamed = before.title === after.title ? page : changed(page, { name: after.title }, after.updatedAt);
  return { ...renamed, boardId: after.boardId };
}
