import type { Structure } from '../model/workspace/structure.ts';

/**
 * Identifies what one call has computed on a snapshot for the write that follows. Results are cached by this object, so
 * the write finds them whatever other calls compute meanwhile.
 */
export interface Precomputed {
  /** The structure that it was computed from. */
  readonly structure: Structure;
}
