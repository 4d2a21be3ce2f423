import type { JobOrigin } from './job.ts';
import type { StoredPage } from './workspace/page.ts';
import type { TrashCounts } from './trash-counts.ts';
import { taskFrom, type Task } from './content/task.ts';

/** The kind of the topmost record of a deletion. Everything below it was deleted with it. */
export type TrashKind = 'page' | 'board' | 'task';

/**
 * A deletion that can be undone until `purgeAt`. It holds the records without which the rest is unreachable: the topmost
 * page, and its task. All below stays stored where it was.
 */
export interface TrashItem {
  /** The id of the deleted page, board or task. */
  readonly id: string;
  /** The workspace of the deleted record. */
  readonly workspaceId: string;
  /** The kind of record. Everything below it was deleted with it. */
  readonly kind: TrashKind;
  /** 1-500 characters. */
  readonly name: string;
  /** The member who deleted it. */
  readonly deletedById: string;
  /** ISO 8601 UTC with milliseconds. */
  readonly deletedAt: string;
  /** The time when it is deleted permanently. ISO 8601 UTC with milliseconds. */
  readonly purgeAt: string;
  /** The revision of the structure that it was deleted from: tells which of two deletions came first. */
  readonly revision: number;
  /** The topmost page as it was; null for a task without a page of its own. */
  readonly page: StoredPage | null;
  /** The task as it was; null for one that is not taken off its board. */
  readonly task: Task | null;
  /** The board of the task; without one, the id of the item. */
  readonly boardId: string;
  /** Whether it has `task`. */
  readonly isTask: boolean;
  /** The external id of the task: no other task can take it meanwhile. */
  readonly externalId: string | null;
  /**
   * Nothing was nested under it. Such a page can be deleted with editing only: by its creator, or by anybody if it is
   * of a task.
   */
  readonly isLeaf: boolean;
  /** What was deleted with it, as quotas count it. */
  readonly counts: TrashCounts;
  /** Up to 500 of the boards among them. */
  readonly boards: readonly string[];
  /**
   * The pages below it on which the level may differ from that on it: they set access, or are elsewhere in the tree.
   * Null: too many to be listed.
   */
  readonly checks: readonly string[] | null;
  /** The user and request that deleted it. */
  readonly by: JobOrigin;
}

/** Adds fields to the task that were added since it was stored. */
export function trashItemFrom(stored: TrashItem): TrashItem {
  return stored.task === null ? stored : { ...stored, task: taskFrom(stored.task) };
}
