import { RECORDS_PER_STEP } from '../jobs/step.ts';
import type { WorkspaceRemoval } from '../model/job.ts';
import type { Transaction } from '../ports/store.ts';
import { storedTasks } from '../task/stored-tasks.ts';
import { removeTask } from './remove-task.ts';
import { removeContentsOf, removeFromBoards } from './contents.ts';

/** Removes a batch of tasks with their comments; then the trash; then pages with their boards, members and invitations; then what belonged to boards; then its log with the histories, and jobs that wait. */
export async function workspaceRemovalStep(tx: Transaction, job: WorkspaceRemoval): Promise<WorkspaceRemoval | null> {
  const { workspaceId } = job;
  // The workspace exists: its import has opened it since.
  if ((await tx.structures.get(workspaceId)) !== null) return null;
  let room = RECORDS_PER_STEP;
  for (const task of await storedTasks(tx, workspaceId, { limit: room })) {
    if (room > 0) room -= await removeTask(tx, task, null);
  }
  if (room > 0 && (await tx.tasks.clearMetadataIndex(workspaceId, null, room))) return job;
  for (const item of await tx.trash.list('due', { workspaceId }, { limit: Math.max(0, room) })) {
    if (room <= 0) return job;
    const hasMore = item.task !== null && (await removeContentsOf(tx, workspaceId, item.id, room)).more;
    if (hasMore) return job;
    // Its page is not among the stored ones.
    const board = item.kind === 'board' ? await tx.boards.get(workspaceId, item.id) : null;
    if (board !== null) await tx.boards.remove(board);
    await tx.trash.remove(item);
    room -= 2 + (item.task?.commentCount ?? 0) + (item.task?.checklistTotal ?? 0);
  }
  // Each page may need a second write, for its board.
  if (room < 2) return job;
  const { pages, more } = await tx.structures.clear(workspaceId, Math.floor(room / 2));
  const boards = pages.filter(({ type }) => type === 'board').map(({ id }) => id);
  for (const board of (await tx.boards.many(workspaceId, boards)).values()) await tx.boards.remove(board);
  if (more) return job;
  if ((await removeFromBoards(tx, 'ofWorkspace', { workspaceId }, Math.floor(room / 2))).more) return job;
  if (await tx.changeLog.clear(workspaceId, Math.floor(room / 2))) return job;
  return (await removeWaitingJobs(tx, workspaceId)) ? job : null;
}

/**
 * Removes jobs that wait for their time with nothing left to do: otherwise the workspace could not be imported again
 * until then. @returns whether there may be more
 */
async function removeWaitingJobs(tx: Transaction, workspaceId: string): Promise<boolean> {
  const jobs = await tx.jobs.list('ofWorkspace', { workspaceId }, { limit: RECORDS_PER_STEP });
  const waiting = jobs.filter(({ kind }) => kind === 'trash-purge' || kind === 'copy-failed');
  for (const job of waiting) await tx.jobs.remove(job);
  return waiting.length > 0 && jobs.length === RECORDS_PER_STEP;
}
