import type { Principal } from '../access/resolve.ts';
import type { Slice } from '../kernel/record.ts';
import type { ChangeEvent } from '../model/log/change-event.ts';

/** A slice of events. `next` is the same as `cursor`, or null if there are no more changes yet. */
export interface ChangeSlice extends Slice<ChangeEvent> {
  /** The cursor to continue from, also without events. */
  readonly cursor: string;
}

/** One read of changes. */
export interface ChangeRead {
  readonly slice: ChangeSlice;
  /** Up to where it knows the log. */
  readonly offset: number;
  readonly workspaceId: string;
  /** Who reads. */
  readonly principal: Principal;
}
