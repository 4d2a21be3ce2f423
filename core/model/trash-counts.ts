/** What is in the trash, as quotas count it. */
export interface TrashCounts {
  /** Pages, those of boards and tasks too. */
  readonly pages: number;
  /** Boards. */
  readonly boards: number;
  /** Access entries. */
  readonly entries: number;
  /** Tasks that are taken off their boards. Those of boards in the trash stay stored with them. */
  readonly tasks: number;
}

export const NOTHING_TRASHED: TrashCounts = { pages: 0, boards: 0, entries: 0, tasks: 0 };
