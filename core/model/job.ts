/**
 * Work that a commit has left to be done, because it concerns more records than one transaction should write. It is
 * stored in that commit, so it survives a crash, and is done in steps by whichever process gets to it (`core/jobs`).
 */
export type Job = Purge | StatusRemoval | TagRemoval | MembershipEnd;

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

export type JobAddress = Pick<Job, 'workspaceId' | 'id'>;

/** Who asked for a job: what its steps write is journaled in their name. */
export interface JobOrigin {
  readonly userId: string | null;
  readonly requestId: string | null;
}

/**
 * Removes what a committed deletion has made unreachable: boards with their tasks and comments, and what lies below
 * pages. Stores of older releases keep it without `kind`.
 */
export interface Purge extends StoredJob {
  readonly kind: 'purge';
  readonly boards: readonly string[];
  /** Removed pages with others below them. Absent: none. */
  readonly pages?: readonly string[];
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

/** Takes the assignments of a membership that has ended off their tasks. */
export interface MembershipEnd extends StoredJob {
  readonly kind: 'membership-end';
  readonly memberId: string;
  /** Which membership of the member it was, from 1. */
  readonly membership: number;
  readonly origin: JobOrigin;
}
