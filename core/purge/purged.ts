import type { FoundToPurge } from '../model/job.ts';

/** The result of one part of a purge step. */
export interface Purged {
  /** Records written. */
  readonly written: number;
  /** Whether its board or page is purged completely. */
  readonly done: boolean;
  /** Boards and pages to be purged first. */
  readonly found: readonly FoundToPurge[];
}
