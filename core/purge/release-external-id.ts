import { externalIdTaken } from '../kernel/errors.ts';
import { removeTask } from './remove-task.ts';
import { governingPageId } from '../access/viewer.ts';
import type { Transaction } from '../ports/store.ts';
import type { Structure } from '../model/workspace/structure.ts';
import type { Task } from '../model/content/task.ts';
import { isInTrash } from '../trash/paths.ts';

type ExternalKind = 'board' | 'task' | 'comment';

interface External {
  readonly id: string;
  readonly workspaceId: string;
  readonly externalId: string | null;
}

/**
 * Checks that an external id is unique in the workspace and kind. One that only a deleted, not yet purged record holds
 * is released; what is in the trash keeps its own.
 *
 * @throws `external-id-taken`
 */
export async function requireFreeExternalId(
  tx: Transaction,
  structure: Structure,
  kind: ExternalKind,
  record: External,
): Promise<void> {
  const { workspaceId, externalId } = record;
  if (externalId === null) return;
  const holder = await holderOfExternalId(tx, structure, kind, workspaceId, externalId, record.id);
  if (holder !== null) throw externalIdTaken(kind, holder);
}

/** Whether no record but the one with `ownId` has an external id. One that waits to be purged loses it. */
export async function releaseExternalId(
  tx: Transaction,
  structure: Structure,
  kind: ExternalKind,
  workspaceId: string,
  externalId: string,
  ownId: string | null,
): Promise<boolean> {
  return (await holderOfExternalId(tx, structure, kind, workspaceId, externalId, ownId)) === null;
}

/** Where the record is that has an external id; null: nowhere. */
async function holderOfExternalId(
  tx: Transaction,
  structure: Structure,
  kind: ExternalKind,
  workspaceId: string,
  externalId: string,
  ownId: string | null,
): Promise<'workspace' | 'trash' | null> {
  if (kind === 'board') {
    const board = await tx.boards.by({ workspaceId, externalId });
    if (board === null || board.id === ownId) return null;
    if (structure.page(board.id) !== undefined) return 'workspace';
    if (await isInTrash(tx, structure, board.id)) return 'trash';
    // The board record itself is needed until its tasks are purged.
    await tx.boards.replace({ ...board, externalId: null });
    return null;
  }
  if (kind === 'task') {
    const task = await tx.tasks.byExternalId(workspaceId, externalId);
    if (task === null || task.id === ownId) return isInItem(tx, workspaceId, externalId, ownId);
    if (governingPageId(structure, task) !== null) return 'workspace';
    if (await isTaskInTrash(tx, structure, task)) return 'trash';
    const pages = await tx.structures.stored(workspaceId, [task.id]);
    // A page of its own is found by the task when it is purged.
    if (pages.length > 0) await tx.tasks.replace({ ...task, externalId: null });
    else await removeTask(tx, task, {});
    return null;
  }
  const comment = await tx.comments.by({ workspaceId, externalId });
  if (comment === null || comment.id === ownId) return null;
  const task = await tx.tasks.get(workspaceId, comment.taskId);
  if (task !== null && governingPageId(structure, task) !== null) return 'workspace';
  if (task === null && (await tx.trash.get(workspaceId, comment.taskId)) !== null) return 'trash';
  if (task !== null && (await isTaskInTrash(tx, structure, task))) return 'trash';
  await tx.comments.remove(comment);
  // The task may become reachable: its board may be in an import.
  if (task !== null) await tx.tasks.replace({ ...task, commentCount: task.commentCount - 1 });
  return null;
}

/** Of tasks that are in the trash by themselves. */
async function isInItem(
  tx: Transaction,
  workspaceId: string,
  externalId: string,
  ownId: string | null,
): Promise<'trash' | null> {
  const item = await tx.trash.by({ workspaceId, externalId });
  return item === null || item.id === ownId ? null : 'trash';
}

/** Whether an unreachable task went into the trash, with its own page or its board. */
function isTaskInTrash(tx: Transaction, structure: Structure, { id, boardId }: Task): Promise<boolean> {
  return isInTrash(tx, structure, structure.page(boardId) === undefined ? boardId : id);
}
