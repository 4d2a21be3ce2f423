import type { Structure } from '../model/workspace/structure.ts';

/**
 * What one call has worked out on a snapshot for the write that follows, kept with this object: whatever other calls work
 * out meanwhile, and whatever the store keeps in memory, the write finds it.
 */
export interface WorkedOut {
  /** The structure that it was worked out from. */
  readonly structure: Structure;
}
