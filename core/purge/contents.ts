import { removeItemsOf } from '../checklist/of-task.ts';
import { removeCommentsOf } from '../comment/of-task.ts';
import { removeFirst, type Removed } from '../kernel/removed.ts';
import type { HistoryKind } from '../model/log/history-entry.ts';
import type { Transaction } from '../ports/store.ts';

type Part = (limit: number) => Promise<Removed>;

/** Removes up to `limit` records, part by part. */
async function removeParts(parts: readonly Part[], limit: number): Promise<Removed> {
  let removed = 0;
  for (const part of parts) {
    const some = await part(limit - removed);
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
  return removeParts(
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
  return removeParts(
    kinds.map((kind) => (left: number) => tx.changeLog.removeHistory({ workspaceId, recordId, kind }, left)),
    limit,
  );
}

/** Removes up to `limit` entries of the histories of a board and its page, and names of statuses and tags that it had. */
export function removeBoardHistory(
  tx: Transaction,
  workspaceId: string,
  boardId: string,
  limit: number,
): Promise<Removed> {
  return removeParts(
    [
      (left) => removeHistories(tx, workspaceId, boardId, ['board', 'page'], left),
      (left) => removeNamesOf(tx, { workspaceId, boardId }, left),
    ],
    limit,
  );
}

/** Removes up to `limit` names of statuses and tags that a board had. */
function removeNamesOf(
  tx: Transaction,
  of: { readonly workspaceId: string; readonly boardId: string },
  limit: number,
): Promise<Removed> {
  return removeFirst(
    limit,
    (first) => tx.removedNames.list('ofBoard', of, { limit: first }),
    (name) => tx.removedNames.remove(name),
  );
}
