/**
 * Work that a commit has left to be done, because it concerns more records than one transaction should write. It is
 * stored in that commit, so it survives a crash, and is done in steps by whichever process gets to it (`core/jobs`).
 */
export type Job = Purge | WorkspaceRemoval | UserDisabling | StatusRemoval | TagRemoval | MembershipEnd | Respread;

export type JobKind = Job['kind'];

interface StoredJob {
  /** UUID v7: the oldest sorts first. */
  readonly id: string;
  readonly workspaceId: string;
  /** No step before this time. */
  readonly notBefore: string | null;
  /** The runner that does the steps, and until when others leave them to it. Absent: nobody yet. */
  readonly claim?: { readonly runner: string; readonly until: string };
}

/** A job of the first kind as stores of older releases keep it. */
export type StoredJobRecord = Job | Omit<Purge, 'kind'>;

export function jobFrom(stored: StoredJobRecord): Job {
  return 'kind' in stored ? stored : { kind: 'purge', ...stored };
}

export type JobAddress = Pick<Job, 'workspaceId' | 'id'>;

/** Who asked for a job: what its steps write is journaled in their name. */
export interface JobOrigin {
  readonly userId: string | null;
  readonly requestId: string | null;
}

/**
 * Removes what a committed deletion has made unreachable: boards with their tasks and comments, and what goes with
 * pages. Stores of older releases keep it without `kind`.
 */
export interface Purge extends StoredJob {
  readonly kind: 'purge';
  /** They go before what is found below `pages`. */
  readonly boards: readonly string[];
  /** Removed pages with others below them. Absent: none. */
  readonly pages?: readonly string[];
  /** Removed tasks with comments left. Absent: none. */
  readonly tasks?: readonly string[];
  /** What was found on the way and goes before all that is named above, the last first. Absent: nothing. */
  readonly found?: readonly FoundToPurge[];
  /** In whose name it is noted that access to the pages went. Absent: it was noted by the deletion. */
  readonly by?: JobOrigin;
}

export interface FoundToPurge {
  readonly kind: 'board' | 'page';
  readonly id: string;
}

/** Removes all that is stored of a workspace that is not there: a deleted one, or one whose import was interrupted. */
export interface WorkspaceRemoval extends StoredJob {
  readonly kind: 'workspace-removal';
}

/**
 * Says that it is being looked at whether a user may be disabled. Both ids are the user's. It has no work of its own: it is
 * removed when its time has come.
 */
export interface UserDisabling extends StoredJob {
  readonly kind: 'user-disabling';
}

/** Moves the tasks of a status that is being removed to the status that takes them over, then removes it. */
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

/** Takes the assignments of a membership that has ended off their tasks, and revokes the invitations issued in it. */
export interface MembershipEnd extends StoredJob {
  readonly kind: 'membership-end';
  readonly memberId: string;
  /** Which membership of the member it was, from 1. */
  readonly membership: number;
  readonly origin: JobOrigin;
}

/**
 * Moves the tasks of a status apart where a write found no room, so that the next one finds some. Those above the
 * place move up, then those below move down, each side as far as it takes.
 */
export interface Respread extends StoredJob {
  readonly kind: 'respread';
  readonly origin: JobOrigin;
  readonly statusId: string;
  /** Between tasks: those with greater keys are above it. */
  readonly place: number;
  readonly side: 'above' | 'below';
  /** No other side follows. */
  readonly isLast: boolean;
  /** Tasks of this side that are looked at, and later, that are still to be moved. */
  readonly count: number;
  /** The key reached: of the last task looked at, and later, that of the next to be moved. Null at the begin. */
  readonly edge: number | null;
  /** Between the keys that they get. Null while the tasks are looked at. */
  readonly gap: number | null;
}
