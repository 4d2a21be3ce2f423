import type { Change } from '../../core/change.ts';
import type { Transaction } from '../../core/store.ts';

/** The transaction, with its change records noted: which record was brought to which version. */
export function noted(tx: Transaction, changes: Change[]): Transaction {
  return {
    ...tx,
    changes: {
      list: (...range) => tx.changes.list(...range),
      append(appended) {
        changes.push(...appended);
        return tx.changes.append(appended);
      },
    },
  };
}
