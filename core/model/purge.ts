/**
 * Records that a committed deletion has made unreachable and that are still to be removed: boards with their tasks
 * and comments, and descendants of pages. It is stored, so it survives a crash, and is worked off in small
 * transactions.
 */
export interface Purge {
  readonly id: string;
  readonly workspaceId: string;
  readonly boards: readonly string[];
  /** Removed pages with others below them. Absent: none. */
  readonly pages?: readonly string[];
  /** The earliest time to start: the lease of an import that is still writing these records. */
  readonly notBefore: string | null;
}
