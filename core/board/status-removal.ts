import { RECORDS_PER_STEP, type StepPorts } from '../jobs/step.ts';
import { changed, timestamp } from '../kernel/record.ts';
import type { Board, Status } from '../model/content/board.ts';
import type { StatusRemoval } from '../model/job.ts';
import type { Transaction } from '../ports/store.ts';
import { ColumnCrowded, type ColumnPlace, type PlacingContext, enqueueRespread } from '../task/place/crowded.ts';
import { changedTask } from '../task/board-edits.ts';
import { completeAfterMove, idsOf, placeInStatus } from '../task/place/place.ts';
import { planForOne } from '../task/place/placing-plan.ts';
import { respreadStep } from '../task/place/respread.ts';
import { storedBoard } from './stored-board.ts';

/** Moves a batch of the tasks; after the last batch, removes the status. */
export async function statusRemovalStep(
  tx: Transaction,
  job: StatusRemoval,
  ports: StepPorts,
): Promise<StatusRemoval | null> {
  const board = await storedBoard(tx, job);
  const status = board?.statuses.find(({ id }) => id === job.statusId);
  if (board == null || status?.removal?.jobId !== job.id) return null;
  const now = timestamp(ports);
  const target = board.statuses.find(({ id }) => id === status.removal?.moveTo);
  const context: PlacingContext = { ...ports, effects: { jobs: false, userId: job.origin.userId } };
  if (target !== undefined) {
    try {
      if (await moveTasks(tx, context, board, status, target, RECORDS_PER_STEP)) return job;
    } catch (error) {
      if (!(error instanceof ColumnCrowded)) throw error;
      await respreadFor(tx, context, error.place, ports);
      return job;
    }
  }
  await tx.boards.replace(changed(board, { statuses: board.statuses.filter((other) => other !== status) }, now));
  return null;
}

/** Runs one step of making room at a place: a caller that waits for the removal also waits for that. */
async function respreadFor(
  tx: Transaction,
  context: PlacingContext,
  place: ColumnPlace,
  ports: StepPorts,
): Promise<void> {
  const job = await enqueueRespread(tx, context, place);
  const next = await respreadStep(tx, job, ports);
  if (next === null) await tx.jobs.remove(job);
  else await tx.jobs.replace(next);
}

/**
 * Moves up to `limit` tasks from the start of one status to the end of another of the board, in order.
 *
 * @returns whether any are left
 * @throws {@link ColumnCrowded}
 */
export async function moveTasks(
  tx: Transaction,
  context: PlacingContext,
  { workspaceId }: Board,
  from: Status,
  to: Status,
  limit: number,
): Promise<boolean> {
  const now = timestamp(context);
  const tasks = await tx.tasks.column(workspaceId, from.id, { limit: limit + 1 });
  const moving = tasks.slice(0, limit);
  const { budget } = planForOne();
  for (const [n, task] of moving.entries()) {
    const plan = { following: moving.length - 1 - n, budget };
    const { key: statusOrderKey, moved } = await placeInStatus(tx, context, task, to.id, { at: 'end' }, plan);
    const complete = completeAfterMove(task.complete, from, to);
    const placed = changedTask(task, { statusId: to.id, statusOrderKey, complete }, now);
    await tx.tasks.replaceTogether([...moved, placed], idsOf(moved));
  }
  return tasks.length > limit;
}
