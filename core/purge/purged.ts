import type { FoundToPurge } from '../model/job.ts';

/** What a part of a step did. */
export interface Purged {
  /** Records that it wrote. */
  readonly written: number;
  /** Whether nothing is left of what it was to purge. */
  readonly done: boolean;
  /** To be purged before it goes on. */
  readonly found: readonly FoundToPurge[];
}
