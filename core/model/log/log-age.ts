/** The time of the oldest change in the log of a workspace: the index by which expired changes are found. */
export interface LogAge {
  /** Of the workspace. */
  readonly id: string;
  /** No later than the oldest change that is kept. */
  readonly oldestAt: string;
}
