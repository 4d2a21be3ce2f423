import type { LinkEnd, TaskLinks } from './content/task-links.ts';
import type { TrashCounts } from './trash-counts.ts';

/**
 * Work that writes more records than one transaction should. It is stored in the transaction that starts it, so it
 * survives a crash, and is done in steps by any process on the store (`core/jobs`).
 */
export type Job =
  | Purge
  | TrashPurge
  | WorkspaceRemoval
  | UserDisabling
  | ProfileChange
  | StatusRemoval
  | TagRemoval
  | MembershipEnd
  | Respread
  | SiblingRespread
  | LogTrimming
  | MetadataIndexing
  | Copy
  | FailedCopy;

/** The kind of a stored job. */
export type JobKind = Job['kind'];

interface StoredJob {
  /** UUID v7: sorts by creation. */
  readonly id: string;
  /** The workspace that it works in. */
  readonly workspaceId: string;
  /** No step runs before this time. Null: at once. */
  readonly notBefore: string | null;
  /** The lease: the runner of the job, and the time at which others may take it over. Absent before the first step. */
  readonly lease?: { readonly runner: string; readonly until: string };
}

/** A job in a store. A purge of an older release has no `kind`. */
export type StoredJobRecord = Job | Omit<Purge, 'kind'>;

export function jobFrom(stored: StoredJobRecord): Job {
  return 'kind' in stored ? stored : { kind: 'purge', ...stored };
}

export type JobAddress = Pick<Job, 'workspaceId' | 'id'>;

/** The user and request that left the job: the writes of its steps are journaled as theirs. */
export interface JobOrigin {
  readonly userId: string | null;
  readonly requestId: string | null;
}

/**
 * Removes what a committed deletion has made unreachable: boards with their tasks and comments, and descendants of
 * pages. Older releases stored it without `kind`.
 */
export interface Purge extends StoredJob {
  /** Tells it from other jobs. */
  readonly kind: 'purge';
  /** Deleted boards: purged before `pages`. */
  readonly boards: readonly string[];
  /** Removed pages whose descendants are still stored. Absent: none. */
  readonly pages?: readonly string[];
  /** Removed tasks whose comments are still stored. Absent: none. */
  readonly tasks?: readonly string[];
  /** Links of the first of `tasks` that the tasks at their other ends still hold. Absent: none. */
  readonly links?: TaskLinks;
  /**
   * A stack of boards and pages found during the purge, purged before all of the above, last in first out. Absent:
   * none.
   */
  readonly found?: readonly FoundToPurge[];
  /**
   * The revision of the structure from which the purged records were deleted. Pages that went to the trash with the
   * board of their task in an earlier revision are kept. Absent: none are kept.
   */
  readonly revision?: number;
  /** The author of the audit records on the removed access of pages. Absent: the deletion has written them. */
  readonly by?: JobOrigin;
}

/** Removes items of the trash for good, each when it is due. One for each workspace with a trash, with its id. */
export interface TrashPurge extends StoredJob {
  readonly kind: 'trash-purge';
  /** Of all that is in the trash. */
  readonly totals: TrashCounts;
}

export interface FoundToPurge {
  readonly kind: 'board' | 'page';
  readonly id: string;
}

/** Removes all stored records of a workspace that was deleted, or whose import was interrupted. */
export interface WorkspaceRemoval extends StoredJob {
  readonly kind: 'workspace-removal';
  /** The part that is being removed, and where its removal goes on. Absent: nothing is removed yet. */
  readonly at?: { readonly part: string; readonly from: string | null };
}

/**
 * A lease that marks a check in progress of whether a user may stay disabled. Both ids are the user's. Its one step,
 * when it is due, gives them their access back.
 */
export interface UserDisabling extends StoredJob {
  readonly kind: 'user-disabling';
  /** Absent: the check of an older release, which ended no access before. */
  readonly origin?: JobOrigin;
}

/** Trims the change logs of all workspaces, after the settings were changed. `workspaceId` is an id of its own. */
export interface LogTrimming extends StoredJob {
  readonly kind: 'log-trimming';
  /** The id of the last workspace that is done. Null: none is. */
  readonly after: string | null;
}

/** Logs in each workspace of a user that their profile has changed. `workspaceId` is the id of the user. */
export interface ProfileChange extends StoredJob {
  readonly kind: 'profile-change';
  /** The last workspace that it is logged in; null: none yet. */
  readonly after: string | null;
  /** What has changed. */
  readonly fields: readonly string[];
  /** The profile has changed again since it was logged in the first workspace: it is logged in all of them once more. */
  readonly again?: true;
  readonly origin: JobOrigin;
}

/** Moves the tasks of a status that is being removed to another status, then removes it. */
export interface StatusRemoval extends StoredJob {
  readonly kind: 'status-removal';
  readonly boardId: string;
  readonly statusId: string;
  readonly origin: JobOrigin;
}

/** Takes a tag that is being removed off its tasks, then removes it. */
export interface TagRemoval extends StoredJob {
  readonly kind: 'tag-removal';
  readonly boardId: string;
  readonly tagId: string;
  readonly origin: JobOrigin;
}

/** Removes the assignments of an ended membership, and revokes the invitations issued in it. */
export interface MembershipEnd extends StoredJob {
  readonly kind: 'membership-end';
  readonly memberId: string;
  /** The number of the ended membership, from 1. */
  readonly membership: number;
  readonly origin: JobOrigin;
}

/** Clears and builds indexes of metadata after a change of the keys that have one. */
export interface MetadataIndexing extends StoredJob {
  readonly kind: 'metadata-indexing';
  /** The ids of indexes whose entries are still to be removed. */
  readonly clears: readonly string[];
  /** The ids of the indexes that are built. */
  readonly builds: readonly string[];
  /** The number of the next task to be indexed. */
  readonly after: number;
}

/**
 * Respreads the sort keys of a column around a place where a write found no room. The tasks above the place get larger
 * keys, then those below get smaller ones, each side as far as needed. Its id is that of the status: there is one of each.
 */
export interface Respread extends StoredJob {
  readonly kind: 'respread';
  readonly origin: JobOrigin;
  readonly statusId: string;
  /** A key between tasks: those with greater keys are above it. */
  readonly place: number;
  readonly side: 'above' | 'below';
  /** This is the last side. */
  readonly isLast: boolean;
  /** While `gap` is null: tasks of this side counted so far. Then: tasks still to be moved. */
  readonly count: number;
  /**
   * The key reached. While `gap` is null: of the last task counted. Then: the new key of the next task to be moved.
   * Null at the start.
   */
  readonly edge: number | null;
  /** The distance between the new keys. Null while the tasks are counted. */
  readonly gap: number | null;
}

/** Makes room at a place among siblings where a write found none. */
export interface SiblingRespread extends StoredJob {
  readonly kind: 'sibling-respread';
  /** Null: the siblings are at the top. */
  readonly parentId: string | null;
  /** The sibling right before the place. Null: the place is before all. */
  readonly afterId: string | null;
}

/**
 * Copies what a member sees below a page. Boards with their tasks are staged out of reach, one after the other; the last
 * step puts the pages in place, all at once. What it has staged is purged if it fails.
 */
export interface Copy extends StoredJob {
  readonly kind: 'copy';
  /** The member who copies. What they see is decided anew in each step. */
  readonly origin: JobOrigin;
  readonly sourceId: string;
  readonly rootId: string;
  /** The name of the copy. */
  readonly name: string;
  /** The page above the copy. Null: at the top. */
  readonly parentId: string | null;
  readonly tasks: boolean;
  readonly comments: boolean;
  readonly assignees: boolean;
  /** The purge of all that is staged: held back until the copy fails. */
  readonly purgeId: string;
  /** The boards that are still to be copied. */
  readonly boards: readonly string[];
  /** How far the first of them is copied; null: not at all. */
  readonly at: CopiedUpTo | null;
  /** Boards that were hidden from the member when a part of them was copied: they are left out. Absent: none. */
  readonly lost?: readonly string[];
  /** When the copy began. Absent in copies of older releases. */
  readonly begunAt?: string;
  /** The key of the record with the answer of the call, which is forgotten if the copy fails. Absent: it is not stored. */
  readonly answerKey?: string;
  /** Present when a task with links was copied that had changed since the copy began. */
  readonly linkedAnew?: true;
}

export interface CopiedUpTo {
  /** The last task that was copied; `num` 0 before the first. */
  readonly num: number;
  readonly taskId: string;
  /** The last comment that was copied of a task with too many for one step. Null: all of its comments are copied. */
  readonly comment: { readonly createdAt: string; readonly id: string } | null;
  /** The last link that was copied of a task with too many for one step. Absent: all of its links are copied. */
  readonly link?: { readonly end: LinkEnd; readonly id: string };
}

/** Informs the member who made a copy that it failed. It has the id of the copy, and is removed when it is due. */
export interface FailedCopy extends StoredJob {
  readonly kind: 'copy-failed';
  readonly userId: string | null;
  /** The text with which a guard refused it. Absent: it failed for another reason. */
  readonly detail?: string;
}
