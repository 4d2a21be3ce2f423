import { EDIT } from '../access/level.ts';
import { allLevels, enter, type Viewer } from '../access/viewer.ts';
import type { Context } from '../context.ts';
import { found } from '../errors.ts';
import { pageAt } from '../page/read.ts';
import type { ReadTransaction, Transaction } from '../store.ts';
import { scopeOf } from '../task/scope.ts';
import { write } from '../transaction.ts';
import type { Board, Status } from './board.ts';
import type { StatusView } from './view.ts';

export interface BoardAddress {
  readonly workspaceId: string;
  readonly boardId: string;
}

export interface StatusAddress extends BoardAddress {
  readonly statusId: string;
}

/** A write on a board that its caller may edit. */
export function editBoard<T>(
  context: Context,
  address: BoardAddress,
  work: (tx: Transaction, viewer: Viewer, board: Board) => Promise<T>,
): Promise<T> {
  return write(context, async (tx) => {
    const [viewer, board] = await Promise.all([
      enter(tx, context, address.workspaceId),
      tx.boards.get(address.workspaceId, address.boardId),
    ]);
    pageAt(viewer, address.boardId, EDIT);
    return work(tx, viewer, found(board));
  });
}

export async function statusViewOf(
  tx: ReadTransaction,
  viewer: Viewer,
  board: Board,
  status: Status,
): Promise<StatusView> {
  const counts = await tx.tasks.countByStatus(board.workspaceId, board.id, scopeOf(viewer, allLevels(viewer)));
  return { ...status, taskCount: counts.get(status.id) ?? 0 };
}
