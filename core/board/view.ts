import type { Viewer } from '../access/viewer.ts';
import type { ReadTransaction } from '../ports/store.ts';
import { scopeOf } from '../task/scope.ts';
import type { Board, Status, Tag } from '../model/board.ts';

/** A board in a list. */
export type BoardSummary = Omit<Board, 'statuses' | 'tags'>;

export interface StatusView extends Status {
  /** Of the tasks that the caller sees. */
  readonly taskCount: number;
}

/** A board with its columns and tags. */
export interface BoardView extends BoardSummary {
  readonly statuses: readonly StatusView[];
  readonly tags: readonly Tag[];
}

export async function boardView(tx: ReadTransaction, viewer: Viewer, board: Board): Promise<BoardView> {
  const scope = scopeOf(viewer);
  const counts = await tx.tasks.countByStatus(board.workspaceId, board.id, scope);
  const statuses = board.statuses.map((status) => ({ ...status, taskCount: counts.get(status.id) ?? 0 }));
  return { ...board, statuses, tags: [...board.tags] };
}

export function boardSummary({ statuses: _, tags: __, ...board }: Board): BoardSummary {
  return board;
}
