import type { AuditRecord } from '../../../core/model/audit-record.ts';
import type { Change } from '../../../core/model/change.ts';
import type { Transaction } from '../../../core/ports/store.ts';

/** What a write leaves behind of itself: which record it brought to which version, and what it is audited with. */
export type Trace = Change | AuditRecord;

/** The transaction, with the traces that it leaves traced. */
export function traced(tx: Transaction, traces: Trace[]): Transaction {
  return {
    ...tx,
    changes: {
      list: (...range) => tx.changes.list(...range),
      append(changes) {
        traces.push(...changes);
        return tx.changes.append(changes);
      },
    },
    audit: {
      list: (...range) => tx.audit.list(...range),
      append(records) {
        traces.push(...records);
        return tx.audit.append(records);
      },
    },
  };
}
