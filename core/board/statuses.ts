import { conflict, found, unusable } from '../kernel/errors.ts';
import type { Context } from '../ports/context.ts';
import { appendColumn } from '../task/place.ts';
import { keyAfter, spread } from '../kernel/order-key.ts';
import { changesOf } from '../kernel/partial-update.ts';
import { changed, created, expectVersion, timestamp } from '../kernel/record.ts';
import type { Board, Status } from '../model/board.ts';
import type { StatusView } from './view.ts';
import { editBoard, statusViewOf, type StatusAddress } from './edit.ts';

export interface CreateStatus {
  readonly workspaceId: string;
  readonly boardId: string;
  readonly name: string;
  /** Default: behind the last one. */
  readonly orderKey?: number;
  /** Default false. */
  readonly done?: boolean;
}

export interface UpdateStatus extends StatusAddress {
  readonly name?: string;
  readonly orderKey?: number;
  /** Changes no task that is there already. */
  readonly done?: boolean;
}

export interface DeleteStatus extends StatusAddress {
  /** The status of the same board that takes over its tasks, behind its own, in order. */
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
      ...created(at),
    };
    await tx.boards.replace(
      withStatuses(board, [...(input.orderKey === undefined ? statuses : board.statuses), status], at),
    );
    return { ...status, taskCount: 0 };
  });
}

export function updateStatus(context: Context, input: UpdateStatus): Promise<StatusView> {
  return editBoard(context, input, async (tx, viewer, board) => {
    const status = statusOf(board, input.statusId);
    expectVersion(context, status);
    const shown = await statusViewOf(tx, viewer, board, status);
    const ids = ['workspaceId', 'boardId', 'statusId'];
    const changes = changesOf(input, shown, ['name', 'orderKey', 'done'], ids);
    if (Object.keys(changes).length === 0) return shown;
    const at = timestamp(context);
    const next = changed(status, { ...changes, name: changes.name?.trim() ?? status.name }, at);
    const statuses = board.statuses.map((other) => (other.id === next.id ? next : other));
    await tx.boards.replace(withStatuses(board, statuses, at));
    return { ...next, taskCount: shown.taskCount };
  });
}

/** @throws `status-not-empty` when it holds tasks and `moveTo` is absent */
export function deleteStatus(context: Context, input: DeleteStatus): Promise<void> {
  return editBoard(context, input, async (tx, _viewer, board) => {
    const status = statusOf(board, input.statusId);
    expectVersion(context, status);
    const target = board.statuses.find((other) => other.id === input.moveTo);
    if (input.moveTo !== undefined && (target === undefined || target.id === status.id)) throw unusable('moveTo');
    const [first] = await tx.tasks.column(board.workspaceId, status.id, { limit: 1 });
    const at = timestamp(context);
    if (first !== undefined) {
      if (target === undefined) {
        throw conflict('status-not-empty', 'The status holds tasks: name another of the board with moveTo.');
      }
      await appendColumn(tx, board.workspaceId, status, target, at);
    }
    await tx.boards.replace(
      withStatuses(
        board,
        board.statuses.filter((other) => other.id !== status.id),
        at,
      ),
    );
  });
}

function statusOf(board: Board, statusId: string): Status {
  return found(board.statuses.find((status) => status.id === statusId));
}

/** @throws `board-without-status` */
export function firstStatus(board: Board): Status {
  const [first] = board.statuses;
  if (first === undefined) throw conflict('board-without-status', 'The board has no status yet: create one first.');
  return first;
}

/** UUID v7 ids break ties by creation. */
function withStatuses(board: Board, statuses: readonly Status[], at: string): Board {
  const ordered = statuses.toSorted((a, b) => a.orderKey - b.orderKey || (a.id < b.id ? -1 : 1));
  return changed(board, { statuses: ordered }, at);
}

/** The key behind the last status, and the statuses, spread anew when the range is used up. */
export function withRoom(given: readonly Status[], at: string): { statuses: readonly Status[]; last: number } {
  const last = keyAfter(given.at(-1)?.orderKey);
  if (last !== null) return { statuses: given, last };
  const keys = spread(given.length + 1);
  const statuses = given.map((status, i) => changed(status, { orderKey: keys[i]! }, at));
  return { statuses, last: keys.at(-1)! };
}
