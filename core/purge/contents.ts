import { removeItemsOf } from '../checklist/of-task.ts';
import { removeCommentsOf } from '../comment/of-task.ts';
import { removeFirst, removeInOrder, type Removed } from '../kernel/removed.ts';
import { COLLECTION_NAMES, type CollectionName, specOf } from '../model/collections.ts';
import type { Task } from '../model/content/task.ts';
import type { AnyCollection } from '../ports/collection.ts';
import type { Transaction } from '../ports/store.ts';

/** A task, and what it counts of its contents: what is 0 is not looked for. */
type TaskToClear = Pick<Task, 'workspaceId' | 'id'> & Partial<Pick<Task, 'checklistTotal' | 'commentCount'>>;

/**
 * Removes up to `limit` comments, items of the checklist and entries of the histories of a task and its page.
 *
 * @param keepsHistory the caller removes the histories of many at once
 */
export function removeContentsOf(
  tx: Transaction,
  task: TaskToClear,
  limit: number,
  keepsHistory = false,
): Promise<Removed> {
  const { workspaceId, id, checklistTotal, commentCount } = task;
  const removals = [
    ...(checklistTotal === 0 ? [] : [(left: number) => removeItemsOf(tx, workspaceId, id, left)]),
    ...(commentCount === 0 ? [] : [(left: number) => removeCommentsOf(tx, workspaceId, id, left)]),
    ...(keepsHistory ? [] : [(left: number) => removeHistoriesOf(tx, workspaceId, [id], left)]),
  ];
  return removeInOrder(removals, limit);
}

/** Removes up to `limit` entries of the histories of tasks and their pages, or of pages. */
export function removeHistoriesOf(
  tx: Transaction,
  workspaceId: string,
  recordIds: readonly string[],
  limit: number,
): Promise<Removed> {
  return tx.changeLog.removeHistories({ workspaceId, recordIds, kinds: ['task', 'page'] }, limit);
}

/** Removes up to `limit` records that belong to a board, and entries of the histories of the board and its page. */
export function removeContentsOfBoard(
  tx: Transaction,
  workspaceId: string,
  boardId: string,
  limit: number,
): Promise<Removed> {
  const histories = { workspaceId, recordIds: [boardId], kinds: ['board', 'page'] } as const;
  const removalOf = (name: CollectionName) => (left: number) => {
    const records = tx[name] as unknown as AnyCollection;
    return removeFirst(
      left,
      (first) => records.list('ofBoard', { workspaceId, boardId }, { limit: first }),
      (record) => records.remove(record),
    );
  };
  return removeInOrder([(left) => tx.changeLog.removeHistories(histories, left), ...OF_BOARDS.map(removalOf)], limit);
}

/** The collections of records that belong to boards. */
const OF_BOARDS = COLLECTION_NAMES.filter((name) => specOf(name).partOfBoard === true);
