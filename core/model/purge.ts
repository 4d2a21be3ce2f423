/**
 * What a committed deletion has made unreachable and is still to be removed: boards with their tasks and
 * comments, and what lies below pages. It survives a crash, and is worked off in small transactions so
 * that nobody waits for a large one.
 */
export interface Purge {
  readonly id: string;
  readonly workspaceId: string;
  readonly boards: readonly string[];
  /** Removed pages with others below them. Absent: none. */
  readonly pages?: readonly string[];
  /** Not before this time: an import is still writing what would be removed if it does not finish. */
  readonly notBefore: string | null;
}
