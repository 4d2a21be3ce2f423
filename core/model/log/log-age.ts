/** Since when the log of a workspace has changes: the index by which those to be removed are found. */
export interface LogAge {
  /** Of the workspace. */
  readonly id: string;
  /** No later than the oldest change that is kept. */
  readonly oldestAt: string;
}
