import type { BoardAddress } from '../model/address.ts';
import { conflict, found, unusable } from '../kernel/errors.ts';
import type { Context } from '../ports/context.ts';
import { keyAfter, spread } from '../kernel/order-key.ts';
import { newMetadata, recordChanges, withMetadata, type WritesMetadata } from '../model/metadata.ts';
import { changed, created, expectVersion, timestamp } from '../kernel/record.ts';
import type { Board, Status } from '../model/content/board.ts';
import { statusView, type StatusView } from './view.ts';
import { moveTasks } from './status-removal.ts';
import { requireFewRemovals, requireRemovable, requireNotBeingRemoved } from './being-removed.ts';
import { enqueueJob } from '../jobs/enqueue-job.ts';
import { RECORDS_AT_ONCE } from '../jobs/step.ts';
import type { JobAddress } from '../model/job.ts';
import type { Structure } from '../model/workspace/structure.ts';
import type { Transaction } from '../ports/store.ts';
import { originOf } from '../write/journal/journal.ts';
import { editBoard, replaceParts, statusViewOf, type StatusAddress } from './edit.ts';

/** What `statuses.create` takes: a new column. */
export interface CreateStatus extends BoardAddress, WritesMetadata {
  /** 1-100 characters, trimmed. */
  readonly name: string;
  /** Default: after the last one. */
  readonly orderKey?: number;
  /** Default false. */
  readonly done?: boolean;
}

/** What `statuses.update` takes: a column, and the fields to change. */
export interface UpdateStatus extends StatusAddress, WritesMetadata {
  /** 1-100 characters, trimmed. */
  readonly name?: string;
  /** Sort key of the column, within +-2^52. */
  readonly orderKey?: number;
  /** Does not change the tasks already in it. */
  readonly done?: boolean;
}

/** What `statuses.delete` takes. */
export interface DeleteStatus extends StatusAddress {
  /** The status of the same board to which its tasks are moved, to the end, in order. */
  readonly moveTo?: string;
}

export function createStatus(context: Context, input: CreateStatus): Promise<StatusView> {
  return editBoard(context, input, async (tx, _viewer, board) => {
    const at = timestamp(context);
    const { statuses, last } = withRoom(board.statuses, at);
    const status: Status = {
      id: context.ids.next(),
      name: input.name.trim(),
      orderKey: input.orderKey ?? last,
      done: input.done ?? false,
      ...newMetadata(input.metadata),
      ...created(at),
    };
    const others = input.orderKey === undefined ? statuses : board.statuses;
    await replaceParts(tx, board, withStatuses(board, [...others, status], at));
    return statusView(status, 0);
  });
}

/** @throws `being-removed` */
export function updateStatus(context: Context, input: UpdateStatus): Promise<StatusView> {
  return editBoard(context, input, async (tx, viewer, board) => {
    const status = statusOf(board, input.statusId);
    expectVersion(context, status);
    const shown = await statusViewOf(tx, viewer, board, status);
    const ids = ['workspaceId', 'boardId', 'statusId'];
    const writable = ['name', 'orderKey', 'done'] as const;
    const { changes, metadata, isEmpty } = recordChanges(status, input, shown, writable, ids, ['taskCount']);
    if (isEmpty) return shown;
    requireNotBeingRemoved(status, 'status');
    const at = timestamp(context);
    const next = changed(withMetadata(status, metadata), { ...changes, name: changes.name?.trim() ?? status.name }, at);
    const statuses = board.statuses.map((other) => (other.id === next.id ? next : other));
    await replaceParts(tx, board, withStatuses(board, statuses, at));
    return statusView(next, shown.taskCount);
  });
}

/**
 * Many tasks are moved by a stored job; the call returns when it is done. Other calls run in between and see the status
 * with `beingRemoved`. A second deletion of the same status waits for the same job.
 *
 * @throws `status-not-empty` if it holds tasks that are not in the trash and `moveTo` is absent
 * @throws `column-crowded` if the target has no room after its last task
 * @throws `being-removed` if it receives the tasks of another status, is being removed with another `moveTo`, or the
 * target is being removed
 */
export async function deleteStatus(context: Context, input: DeleteStatus): Promise<void> {
  const job = await editBoard(context, input, (tx, viewer, board) =>
    removeStatus(tx, context, viewer.structure, board, input),
  );
  if (job !== null) await context.jobs.finish(job);
}

/** @returns the job that does the rest, or null if the removal is complete */
async function removeStatus(
  tx: Transaction,
  context: Context,
  structure: Structure,
  board: Board,
  { statusId, moveTo }: DeleteStatus,
): Promise<JobAddress | null> {
  const { workspaceId } = board;
  const status = statusOf(board, statusId);
  expectVersion(context, status);
  const named = board.statuses.find((other) => other.id === moveTo);
  if (moveTo !== undefined && (named === undefined || named.id === status.id)) throw unusable('moveTo');
  if (status.removal !== undefined) {
    if (moveTo !== undefined && moveTo !== status.removal.moveTo) requireNotBeingRemoved(status, 'status');
    return { workspaceId, id: status.removal.jobId };
  }
  requireRemovable(board, status, named);
  const at = timestamp(context);
  const target = named ?? (await statusForTrashed(tx, structure, board, status));
  const more = target !== undefined && (await moveTasks(tx, context, board, status, target, RECORDS_AT_ONCE));
  const others = board.statuses.filter((other) => other.id !== status.id);
  if (!more) {
    await tx.boards.replace(withStatuses(board, others, at));
    return null;
  }
  await requireFewRemovals(tx, workspaceId);
  const removal = { jobId: context.ids.next(), moveTo: target.id };
  await tx.boards.replace(withStatuses(board, [...others, changed(status, { removal }, at)], at));
  const job = { kind: 'status-removal', id: removal.jobId, workspaceId, boardId: board.id, statusId } as const;
  await enqueueJob(tx, context, { ...job, notBefore: null, origin: originOf(context) });
  return job;
}

/**
 * The status to which tasks in the trash are moved from one that is removed; undefined if that holds none.
 *
 * @throws `status-not-empty`
 */
async function statusForTrashed(
  tx: Transaction,
  structure: Structure,
  board: Board,
  status: Status,
): Promise<Status | undefined> {
  const [first] = await tx.tasks.column(board.workspaceId, status.id, { limit: 1 });
  if (first === undefined) return undefined;
  const target = board.statuses.find((other) => other.id !== status.id && other.removal === undefined);
  if (target === undefined || (await holdsReachableTasks(tx, structure, board, status))) {
    throw conflict('status-not-empty', 'The status has tasks: name another status of the board with moveTo.');
  }
  return target;
}

/** Whether any task of a status is not in the trash. O(tasks in the trash with a page above their own). */
async function holdsReachableTasks(
  tx: Transaction,
  structure: Structure,
  { workspaceId, id }: Board,
  status: Status,
): Promise<boolean> {
  const removed = structure.removedTasks();
  const { tasks } = await tx.tasks.countByStatus(workspaceId, id);
  const unreachable = removed.size === 0 ? new Map() : await tx.tasks.countAmong(workspaceId, id, removed);
  return (tasks.get(status.id) ?? 0) > ((unreachable.get(status.id) as number | undefined) ?? 0);
}

function statusOf(board: Board, statusId: string): Status {
  return found(board.statuses.find((status) => status.id === statusId));
}

/** The first status that is not being removed. @throws `board-without-status` */
export function firstStatus(board: Board): Status {
  const first = board.statuses.find(({ removal }) => removal === undefined);
  if (first === undefined) throw conflict('board-without-status', 'The board has no status yet: create one first.');
  return first;
}

/** Equal keys are ordered by id, and so by creation: ids are UUID v7. */
function withStatuses(board: Board, statuses: readonly Status[], at: string): Board {
  const ordered = statuses.toSorted((a, b) => a.orderKey - b.orderKey || (a.id < b.id ? -1 : 1));
  return changed(board, { statuses: ordered }, at);
}

/** The key after the last status, and the statuses: respread if the range of keys is used up. */
export function withRoom(given: readonly Status[], at: string): { statuses: readonly Status[]; last: number } {
  const last = keyAfter(given.at(-1)?.orderKey);
  if (last !== null) return { statuses: given, last };
  const keys = spread(given.length + 1);
  const statuses = given.map((status, i) => changed(status, { orderKey: keys[i]! }, at));
  return { statuses, last: keys.at(-1)! };
}
