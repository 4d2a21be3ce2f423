import { requireNotBeingRemoved, requireTagsNotBeingRemoved } from '../board/being-removed.ts';
import { firstStatus } from '../board/statuses.ts';
import type { Viewer } from '../access/viewer.ts';
import { newMetadata, type WritesMetadata } from '../model/metadata.ts';
import type { Context } from '../ports/context.ts';
import { conflict, found } from '../kernel/errors.ts';
import { requireFreeExternalId } from '../purge/release-external-id.ts';
import { timestamp } from '../kernel/record.ts';
import type { Transaction } from '../ports/store.ts';
import { assignmentsTo } from './assignment.ts';
import { idsOf, placeInStatus } from './place/place.ts';
import type { PlacingPlan } from './place/placing-plan.ts';
import { AT_END, hasPosition, readPosition, type TaskPosition } from './place/position.ts';
import { requireAssignable, requireStatus, requireTags, unique } from './references.ts';
import type { Task, WrittenTask } from '../model/content/task.ts';

/** The fields of a new task. Callers check the right to create it beforehand. */
export interface TaskDraft extends TaskPosition, Partial<WrittenTask>, WritesMetadata {
  /** The id of its page, if it has one. */
  readonly id?: string;
  /** Its running number. Default: the next one of the workspace. */
  readonly num?: number;
  /** The board. */
  readonly boardId: string;
  /** 1-500 characters, trimmed. */
  readonly title: string;
  /** Default: the first status of the board. */
  readonly statusId?: string;
  /** Default: `done` of the status. */
  readonly complete?: boolean;
  /** Tags of the board of the task. */
  readonly tags?: readonly string[];
  /** The assignees: members with at least 100 on the task. */
  readonly assignees?: readonly string[];
  /** For imports. Default: the viewer. */
  readonly createdById?: string;
  /** For imports. Default: now. */
  readonly createdAt?: string;
}

/**
 * @throws `being-removed`, `board-without-status`, `column-crowded`, `external-id-taken`, `page-has-content`
 * @throws `unusable-reference` for a status or tag of another board, or an assignee without access
 */
export async function insertTask(
  tx: Transaction,
  context: Context,
  viewer: Viewer,
  draft: TaskDraft,
  plan?: PlacingPlan,
): Promise<Task> {
  const at = timestamp(context);
  const workspaceId = viewer.structure.workspace.id;
  const board = found(await tx.boards.get(workspaceId, draft.boardId));
  if (draft.statusId !== undefined) requireStatus(board, draft.statusId);
  const tags = unique(draft.tags ?? []);
  const assignees = unique(draft.assignees ?? []);
  requireTags(board, tags);
  const status = board.statuses.find((one) => one.id === draft.statusId);
  const id = draft.id ?? context.ids.next();
  await requireAssignable(tx, viewer, { id, boardId: board.id }, assignees);
  const { id: statusId, done } = status ?? firstStatus(board);
  const position = hasPosition(draft) ? await readPosition(tx, viewer, draft, statusId) : AT_END;
  if (status !== undefined) requireNotBeingRemoved(status, 'status');
  requireTagsNotBeingRemoved(board, tags);
  // With the id of a page: invalid references are reported before this conflict.
  if (draft.id !== undefined && (await tx.tasks.get(workspaceId, id)) !== null) {
    throw conflict('page-has-content', 'The page already shows a task.');
  }
  const { key: statusOrderKey, moved } = await placeInStatus(
    tx,
    context,
    { id, workspaceId },
    statusId,
    position,
    plan,
  );
  const task: Task = {
    id,
    workspaceId,
    num: draft.num ?? (await tx.tasks.reserveNums(workspaceId, 1)),
    title: draft.title.trim(),
    description: draft.description ?? '',
    boardId: board.id,
    statusId,
    statusOrderKey,
    priority: draft.priority ?? 0,
    complete: draft.complete ?? done,
    createdById: draft.createdById ?? viewer.member.id,
    dateStart: draft.plannedStartDate ?? null,
    dateEnd: draft.plannedEndDate ?? null,
    externalId: draft.externalId ?? null,
    tags,
    assignees: assignmentsTo(viewer.structure, assignees),
    commentCount: 0,
    createdAt: draft.createdAt === undefined ? at : new Date(draft.createdAt).toISOString(),
    updatedAt: at,
    version: 1,
    checklistTotal: 0,
    checklistDone: 0,
    ...newMetadata(draft.metadata),
  };
  if (task.externalId !== null) await requireFreeExternalId(tx, viewer.structure, 'task', task);
  if (moved.length > 0) await tx.tasks.replaceTogether(moved, idsOf(moved));
  await tx.tasks.insert(task);
  return task;
}
