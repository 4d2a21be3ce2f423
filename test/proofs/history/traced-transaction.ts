import type { AuditRecord } from '../../../core/model/audit-record.ts';
import type { Change } from '../../../core/model/change.ts';
import type { Transaction } from '../../../core/ports/store.ts';

/** What a write leaves behind of itself: which record it brought to which version, and what it is audited with. */
export type Trace = Change | AuditRecord;

/** The transaction, with the traces that it leaves traced. */
export function traced(tx: Transaction, traces: Trace[]): Transaction {
  const { changes, audit } = tx;
  return {
    ...tx,
    changes: {
      get: (...address) => changes.get(...address),
      many: (...address) => changes.many(...address),
      by: (values) => changes.by(values),
      list: (index, values, part) => changes.list(index, values, part),
      count: (index, values, part) => changes.count(index, values, part),
      insert(change) {
        traces.push(change);
        return changes.insert(change);
      },
    },
    audit: {
      get: (...address) => audit.get(...address),
      many: (...address) => audit.many(...address),
      by: (values) => audit.by(values),
      list: (index, values, part) => audit.list(index, values, part),
      count: (index, values, part) => audit.count(index, values, part),
      insert(record) {
        traces.push(record);
        return audit.insert(record);
      },
    },
  };
}
