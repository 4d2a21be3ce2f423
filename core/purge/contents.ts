import { removeItemsOf } from '../checklist/of-task.ts';
import { removeCommentsOf } from '../comment/of-task.ts';
import { removeFirst, type Removed } from '../kernel/removed.ts';
import { COLLECTION_NAMES, type CollectionName, specOf } from '../model/collections.ts';
import type { HistoryKind } from '../model/log/history-entry.ts';
import type { AnyCollection } from '../ports/collection.ts';
import type { Transaction } from '../ports/store.ts';

type Removal = (limit: number) => Promise<Removed>;

/** Removes up to `limit` records by these removals, one after another. */
async function removeInOrder(removals: readonly Removal[], limit: number): Promise<Removed> {
  let removed = 0;
  for (const removal of removals) {
    const some = await removal(limit - removed);
    removed += some.removed;
    if (some.more) return { removed, more: true };
  }
  return { removed, more: false };
}

/** Removes up to `limit` comments, items of the checklist and entries of the history of a task and its page. */
export function removeContentsOf(
  tx: Transaction,
  workspaceId: string,
  taskId: string,
  limit: number,
): Promise<Removed> {
  return removeInOrder(
    [
      (left) => removeItemsOf(tx, workspaceId, taskId, left),
      (left) => removeCommentsOf(tx, workspaceId, taskId, left),
      (left) => removeHistories(tx, workspaceId, taskId, ['task', 'page'], left),
    ],
    limit,
  );
}

/** Removes up to `limit` entries of the histories of records with one id. */
export function removeHistories(
  tx: Transaction,
  workspaceId: string,
  recordId: string,
  kinds: readonly HistoryKind[],
  limit: number,
): Promise<Removed> {
  return removeInOrder(
    kinds.map((kind) => (left: number) => tx.changeLog.removeHistory({ workspaceId, recordId, kind }, left)),
    limit,
  );
}

/** Removes up to `limit` records that belong to a board, and entries of the histories of the board and its page. */
export function removeContentsOfBoard(
  tx: Transaction,
  workspaceId: string,
  boardId: string,
  limit: number,
): Promise<Removed> {
  return removeInOrder(
    [
      (left) => removeHistories(tx, workspaceId, boardId, ['board', 'page'], left),
      (left) => removeFromBoards(tx, 'ofBoard', { workspaceId, boardId }, left),
    ],
    limit,
  );
}

/** The collections of records that belong to boards. */
const OF_BOARDS = COLLECTION_NAMES.filter((name) => specOf(name).partOfBoard === true);

/** Removes up to `limit` records that belong to a board, or to any of the workspace. */
export function removeFromBoards(
  tx: Transaction,
  index: 'ofBoard' | 'ofWorkspace',
  of: { readonly workspaceId: string; readonly boardId?: string },
  limit: number,
): Promise<Removed> {
  const removalOf = (name: CollectionName) => (left: number) => {
    const records = tx[name] as unknown as AnyCollection;
    return removeFirst(
      left,
      (first) => records.list(index, of, { limit: first }),
      (record) => records.remove(record),
    );
  };
  return removeInOrder(OF_BOARDS.map(removalOf), limit);
}
