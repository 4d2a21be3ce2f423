/** One item of the checklist of a task. Its changes count as changes of the task. */
export interface ChecklistItem {
  /** UUID. */
  readonly id: string;
  /** The workspace that it is in. */
  readonly workspaceId: string;
  /** The task that it is on. */
  readonly taskId: string;
  /** Sort key in the checklist, unique there. Within +-2^52. */
  readonly orderKey: number;
  /** 1-500 characters. */
  readonly text: string;
  /** It does not change the task's own completion. */
  readonly done: boolean;
  /** An assignment: see `core/task/assignment.ts`. Null: none. */
  readonly assigneeId: string | null;
}

/** The most items of one checklist. */
export const MAX_ITEMS = 100;
