import { externalIdTaken } from '../kernel/errors.ts';
import { removeTask } from './remove-task.ts';
import { governingPageId } from '../access/viewer.ts';
import type { Transaction } from '../ports/store.ts';
import type { Structure } from '../model/structure.ts';

interface External {
  readonly id: string;
  readonly workspaceId: string;
  readonly externalId: string | null;
}

/**
 * Checks that an external id is unique in the workspace and kind. One that only a deleted, not yet purged record holds
 * is released.
 *
 * @throws `external-id-taken`
 */
export async function requireFreeExternalId(
  tx: Transaction,
  structure: Structure,
  kind: 'board' | 'task' | 'comment',
  record: External,
): Promise<void> {
  const { workspaceId, externalId } = record;
  if (externalId === null) return;
  if (await releaseExternalId(tx, structure, kind, workspaceId, externalId, record.id)) return;
  throw externalIdTaken(kind);
}

/** Whether no reachable record but the one with `ownId` has an external id. An unreachable one loses it. */
export async function releaseExternalId(
  tx: Transaction,
  structure: Structure,
  kind: 'board' | 'task' | 'comment',
  workspaceId: string,
  externalId: string,
  ownId: string | null,
): Promise<boolean> {
  if (kind === 'board') {
    const board = await tx.boards.by({ workspaceId, externalId });
    if (board === null || board.id === ownId) return true;
    if (structure.page(board.id) !== undefined) return false;
    // The board record itself is needed until its tasks are purged.
    await tx.boards.replace({ ...board, externalId: null });
    return true;
  }
  if (kind === 'task') {
    const task = await tx.tasks.byExternalId(workspaceId, externalId);
    if (task === null || task.id === ownId) return true;
    if (governingPageId(structure, task) !== null) return false;
    await removeTask(tx, task);
    return true;
  }
  const comment = await tx.comments.by({ workspaceId, externalId });
  if (comment === null || comment.id === ownId) return true;
  const task = await tx.tasks.get(workspaceId, comment.taskId);
  if (task !== null && governingPageId(structure, task) !== null) return false;
  await tx.comments.remove(comment);
  // The task may become reachable: its board may be in an import.
  if (task !== null) await tx.tasks.replace({ ...task, commentCount: task.commentCount - 1 });
  return true;
}
