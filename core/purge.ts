/**
 * Content that a committed deletion has made unreachable and that is still to be removed. It survives
 * a crash, and is worked off in small transactions so that nobody waits for a large one.
 */
export interface Purge {
  readonly id: string;
  readonly workspaceId: string;
  /** Boards to remove with their tasks and comments. Null: everything of the workspace. */
  readonly boards: readonly string[] | null;
  /** Tasks to remove with their comments, on whatever board. */
  readonly tasks: readonly string[];
}
