import { RECORDS_PER_STEP, type StepPorts } from '../jobs/step.ts';
import { changed, timestamp } from '../kernel/record.ts';
import type { Board, Status } from '../model/board.ts';
import type { StatusRemoval } from '../model/job.ts';
import type { Transaction } from '../ports/store.ts';
import { completeAfterMove, placeInStatus } from '../task/place.ts';
import { boardInUse } from './in-use.ts';

/** Moves some of the tasks; removes the status with the last. */
export async function statusRemovalStep(
  tx: Transaction,
  job: StatusRemoval,
  ports: StepPorts,
): Promise<StatusRemoval | null> {
  const board = await boardInUse(tx, job);
  const status = board?.statuses.find(({ id }) => id === job.statusId);
  if (board == null || status?.removal?.jobId !== job.id) return null;
  const now = timestamp(ports);
  const target = board.statuses.find(({ id }) => id === status.removal?.moveTo);
  if (target !== undefined && (await moveTasks(tx, board, status, target, RECORDS_PER_STEP, now))) return job;
  await tx.boards.replace(changed(board, { statuses: board.statuses.filter((other) => other !== status) }, now));
  return null;
}

/**
 * Moves up to `limit` tasks from the start of a status behind those of another of the board, in order.
 *
 * @returns whether any are left
 */
export async function moveTasks(
  tx: Transaction,
  { workspaceId }: Board,
  from: Status,
  to: Status,
  limit: number,
  now: string,
): Promise<boolean> {
  const tasks = await tx.tasks.column(workspaceId, from.id, { limit: limit + 1 });
  for (const task of tasks.slice(0, limit)) {
    const statusOrderKey = await placeInStatus(tx, task, to.id, { at: 'end' }, now);
    const complete = completeAfterMove(task.complete, from, to);
    await tx.tasks.replace(changed(task, { statusId: to.id, statusOrderKey, complete }, now));
  }
  return tasks.length > limit;
}
