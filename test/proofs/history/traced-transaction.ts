import type { AuditRecord } from '../../../core/model/log/audit-record.ts';
import type { Change, NewChange } from '../../../core/model/log/change.ts';
import type { AnyCollection } from '../../../core/ports/collection.ts';
import type { ChangeLog } from '../../../core/ports/change-log.ts';
import { withParts } from '../../../core/ports/lazy-transaction.ts';
import { CollectionWrapper } from '../../../core/write/collection-wrapper.ts';
import type { Transaction } from '../../../core/ports/store.ts';

/** What a write leaves behind of itself: which record it brought to which version, and what it is audited with. */
export type Trace = Change | NewChange | AuditRecord;

/** The transaction, with the traces that it leaves traced. */
export function traced(tx: Transaction, traces: Trace[]): Transaction {
  const changeLog = (): ChangeLog => ({
    head: (workspaceId) => tx.changeLog.head(workspaceId),
    list: (workspaceId, after, limit) => tx.changeLog.list(workspaceId, after, limit),
    historyOf: (of, before, limit) => tx.changeLog.historyOf(of, before, limit),
    isTruncated: (of) => tx.changeLog.isTruncated(of),
    append: (workspaceId, changes) => {
      traces.push(...changes);
      return tx.changeLog.append(workspaceId, changes);
    },
    trim: (workspaceId, floor, limit) => tx.changeLog.trim(workspaceId, floor, limit),
    removeHistories: (of, limit) => tx.changeLog.removeHistories(of, limit),
    clear: (workspaceId, from, limit) => tx.changeLog.clear(workspaceId, from, limit),
  });
  return withParts(tx, { changeLog }, (name) => {
    if (name !== 'changes' && name !== 'audit') return undefined;
    return new TracedCollection(tx[name] as unknown as AnyCollection<Trace>, traces);
  });
}

class TracedCollection extends CollectionWrapper<Trace> {
  readonly #traces: Trace[];

  constructor(inner: AnyCollection<Trace>, traces: Trace[]) {
    super(inner);
    this.#traces = traces;
  }

  override insert(trace: Trace): Promise<void> {
    this.#traces.push(trace);
    return super.insert(trace);
  }
}
