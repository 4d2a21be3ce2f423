import type { Versioned } from '../kernel/record.ts';

/** A card on a board. When it has a page, the page has the same id. */
export interface Task extends Versioned {
  /** Also that of its page, when it has one. */
  readonly id: string;
  /** The workspace that it is in. */
  readonly workspaceId: string;
  /** Running number in the workspace. Never reused. */
  readonly num: number;
  /** 1-500 characters. */
  readonly title: string;
  /** Up to 50,000 characters. */
  readonly description: string;
  readonly boardId: string;
  readonly statusId: string;
  /** Sort key in the status, unique there. Within +-2^52. */
  readonly statusOrderKey: number;
  /** 0-1000: 0 none, 100 low, 200 medium, 300 high, 400 urgent; in between is the host's own. */
  readonly priority: number;
  /** Completion flag. */
  readonly complete: boolean;
  /** The member who made it. */
  readonly createdById: string;
  /** `YYYY-MM-DD`. */
  readonly dateStart: string | null;
  /** `YYYY-MM-DD`, not before `dateStart`. */
  readonly dateEnd: string | null;
  /** Its id in another system, unique among the tasks of the workspace; null: none. */
  readonly externalId: string | null;
  /** Ids of tags of its board. */
  readonly tags: readonly string[];
  /** Assignments, which name members: see `core/task/assignment.ts`. */
  readonly assignees: readonly string[];
  /** How many comments the task has. Changing it does not raise the version. */
  readonly commentCount: number;
  /** Absent: there were none. */
  readonly boardEdits?: BoardEdits;
}

/** Priorities by name; a host may use any number from 0 to 1000. */
export const Priority = { None: 0, Low: 100, Medium: 200, High: 300, Urgent: 400 } as const;

/** Changes of nothing but what is seen together with the board: board, status, place in it and tags. */
export interface BoardEdits {
  readonly count: number;
  /** That of the task behind the last of them. */
  readonly version: number;
  /** When something else was changed last, as long as the task has this version. */
  readonly updatedAt: string;
}
