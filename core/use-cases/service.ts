import { listAudit, listServiceAudit } from '../audit/list.ts';
import { listChanges } from '../changes/list.ts';
import { readSnapshot } from '../changes/snapshot/read.ts';
import { watchChanges } from '../changes/watch.ts';
import { importBoard } from '../import/board.ts';
import { getQuotas, updateQuotas } from '../service/quotas.ts';
import { checkStore } from '../doctor/check.ts';
import { exportWorkspace } from '../transfer/export.ts';
import { importWorkspace } from '../transfer/import.ts';

/** Imports, exports, quotas, the audit trail, changes and checks of the store. */
export const serviceUseCases = {
  /** Imports, for the operator and service administrators. */
  imports: {
    /**
     * Imports a board from another system with its authors and times, all or nothing. Another import adds only what is
     * missing.
     *
     * @throws `invalid-input`, `quota-exceeded`, `forbidden`, `not-found`
     * @throws `external-id-taken` if another record takes an external id of the board during the import
     * @throws `unusable-reference` for a `memberId` that names no member
     * @throws `being-removed` for a status or tag whose deletion has begun
     */
    board: importBoard,
    /**
     * Imports an exported workspace with its ids. It becomes visible in one commit at the end.
     *
     * @throws `workspace-exists`, `alias-taken`, `quota-exceeded`
     * @throws `invalid-input` for records that do not form a workspace
     */
    workspace: importWorkspace,
  },
  /** Exports. */
  exports: {
    /**
     * Passes a whole workspace from one snapshot to `sink`, record by record. For owners and the operator.
     *
     * @throws `forbidden`, `not-found`
     */
    workspace: exportWorkspace,
  },
  /** Limits of the whole service, for service administrators and the operator. */
  quotas: {
    /**
     * The quotas in force.
     *
     * @throws `forbidden`
     */
    get: getQuotas,
    /**
     * Sets quotas for every process on the store. Counts that exceed a new quota may stay, but not grow.
     *
     * @throws `forbidden`, `version-mismatch`
     */
    update: updateQuotas,
  },
  /** The audit trail. */
  audit: {
    /**
     * The audit records of a workspace, newest first; without those of pages that the caller may not see. Paged. Needs
     * role Admin.
     *
     * @throws `forbidden`, `not-found`
     */
    list: listAudit,
    /**
     * The audit records of users and tokens, newest first. Paged. For service administrators and the operator.
     *
     * @throws `forbidden`
     */
    service: listServiceAudit,
  },
  /** The changes of a workspace, as its members see them. */
  changes: {
    /**
     * The changes after a cursor as events, oldest first: each record once, in the place of its last change. Applied to
     * what the caller saw at the cursor, they lead to what the caller sees now. O(limit), and O(pages) in steps where
     * the structure has changed.
     *
     * @throws `cursor-expired` for a cursor of another workspace or store, or if changes after it have been removed
     */
    list: listChanges,
    /**
     * Passes everything that the caller sees of a workspace to `sink`, item by item. The first item has the cursor of
     * this state. In a session it takes no `sink`, and returns an iterator.
     *
     * @throws `not-found`
     * @throws `snapshot-incomplete` if it takes longer than 240 s, or if the caller may see less than at the start
     */
    snapshot: readSnapshot,
    /**
     * The changes after a cursor, or from now on, as an endless iterator of events. It starts when the first event is
     * requested, reads after each write, and holds only its cursor, which it passes to `onCursor` of the options.
     * `signal`, of the input or of the options, ends it without an error, even while it waits. `return` ends it after
     * the requested event.
     *
     * @throws `not-found` as soon as the caller is no longer a member, `unauthenticated` when they are disabled or
     * their token is revoked or expires
     * @throws `cursor-expired` for a cursor of another workspace or store, or if changes after it have been removed
     */
    watch: watchChanges,
  },
  /** Checks of the store's invariants. */
  doctor: {
    /**
     * Reads every record and reports violated invariants; changes nothing. O(store). For the operator and service
     * administrators, in process only.
     *
     * @throws `forbidden`
     */
    check: checkStore,
  },
} as const;
