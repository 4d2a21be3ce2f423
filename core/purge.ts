/**
 * Boards that a committed deletion has made unreachable and that are still to be removed with their
 * tasks and comments. It survives a crash, and is worked off in small transactions so that nobody
 * waits for a large one.
 */
export interface Purge {
  readonly id: string;
  readonly workspaceId: string;
  readonly boards: readonly string[];
  /** Not before this time: an import is still writing what would be removed if it does not finish. */
  readonly notBefore: string | null;
}
