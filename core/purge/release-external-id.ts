import { externalIdTaken } from '../kernel/errors.ts';
import { removeTask } from './remove-task.ts';
import { governingPageId } from '../access/viewer.ts';
import type { Transaction } from '../ports/store.ts';
import type { Structure } from '../model/workspace/structure.ts';
import type { Task } from '../model/content/task.ts';
import { isInTrash } from '../trash/paths.ts';

type ExternalKind = 'board' | 'task' | 'comment';

/** A record that has an external id, or is to get it. */
interface WithExternalId {
  /** Null: the record does not exist yet. */
  readonly id: string | null;
  readonly workspaceId: string;
  readonly externalId: string;
}

/** Where another record is that has the external id; null: nowhere. */
type Holder = 'workspace' | 'trash' | null;

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
  record: Omit<WithExternalId, 'externalId'> & { readonly externalId: string | null },
): Promise<void> {
  if (!hasExternalId(record)) return;
  const holder = await HOLDERS[kind](tx, structure, record);
  if (holder !== null) throw externalIdTaken(kind, holder);
}

function hasExternalId(record: { readonly externalId: string | null }): record is WithExternalId {
  return record.externalId !== null;
}

/** Whether the external id is unique, as {@link requireFreeExternalId} has it. */
export async function releaseExternalId(
  tx: Transaction,
  structure: Structure,
  kind: ExternalKind,
  record: WithExternalId,
): Promise<boolean> {
  return (await HOLDERS[kind](tx, structure, record)) === null;
}

/** Look for another record with the external id of the given one, and release it from one that waits to be purged. */
const HOLDERS: Readonly<
  Record<ExternalKind, (tx: Transaction, structure: Structure, record: WithExternalId) => Promise<Holder>>
> = {
  async board(tx, structure, { id, workspaceId, externalId }) {
    const board = await tx.boards.by({ workspaceId, externalId });
    if (board === null || board.id === id) return null;
    if (structure.page(board.id) !== undefined) return 'workspace';
    if (await isInTrash(tx, structure, board.id)) return 'trash';
    // The board record itself is needed until its tasks are purged.
    await tx.boards.replace({ ...board, externalId: null });
    return null;
  },
  async task(tx, structure, record) {
    const { id, workspaceId, externalId } = record;
    const task = await tx.tasks.byExternalId(workspaceId, externalId);
    if (task === null || task.id === id) return isInItem(tx, record);
    if (governingPageId(structure, task) !== null) return 'workspace';
    if (await isTaskInTrash(tx, structure, task)) return 'trash';
    const pages = await tx.structures.stored(workspaceId, [task.id]);
    // A page of its own is found by the task when it is purged.
    if (pages.length > 0) await tx.tasks.replace({ ...task, externalId: null });
    else await removeTask(tx, task, {});
    return null;
  },
  async comment(tx, structure, { id, workspaceId, externalId }) {
    const comment = await tx.comments.by({ workspaceId, externalId });
    if (comment === null || comment.id === id) return null;
    const task = await tx.tasks.get(workspaceId, comment.taskId);
    if (task !== null && governingPageId(structure, task) !== null) return 'workspace';
    if (task === null && (await tx.trash.get(workspaceId, comment.taskId)) !== null) return 'trash';
    if (task !== null && (await isTaskInTrash(tx, structure, task))) return 'trash';
    await tx.comments.remove(comment);
    // The task may become reachable: its board may be in an import.
    if (task !== null) await tx.tasks.replace({ ...task, commentCount: task.commentCount - 1 });
    return null;
  },
};

/** For tasks that are items of the trash themselves. */
async function isInItem(tx: Transaction, { id, workspaceId, externalId }: WithExternalId): Promise<'trash' | null> {
  const item = await tx.trash.by({ workspaceId, externalId });
  return item === null || item.id === id ? null : 'trash';
}

/** Whether an unreachable task went into the trash, with its own page or its board. */
function isTaskInTrash(tx: Transaction, structure: Structure, { id, boardId }: Task): Promise<boolean> {
  return isInTrash(tx, structure, structure.page(boardId) === undefined ? boardId : id);
}
