import { removeFirst, type Removed } from '../kernel/removed.ts';
import type { Transaction } from '../ports/store.ts';

/** Removes up to `limit` names of statuses and tags that a board had. */
export function removeNamesOf(
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
