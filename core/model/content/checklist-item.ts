/** One item of the checklist of a task. Its changes count as changes of the task. */
export interface ChecklistItem {
  /** UUID. */
  readonly id: string;
  /** The workspace of the record. */
  readonly workspaceId: string;
  /** The task of the record. */
  readonly taskId: string;
  /** Sort key in the checklist, unique there. Within +-2^52. */
  readonly orderKey: number;
  /** 1-500 characters. */
  readonly text: string;
  /** Whether it is done. This does not change the completion of the task. */
  readonly done: boolean;
  /** An assignment: see `core/task/assignment.ts`. Null: none. */
  readonly assigneeId: string | null;
}

/** The most items of one checklist. */
export const MAX_ITEMS = 100;
