import type { Caller } from '../../core/context.ts';

/** Tells on whose behalf a request is made, from what it carries. */
export interface Identity {
  /**
   * @param authorization the Authorization header
   * @returns null when it names nobody. Whether a caller still exists is decided by the use case, in its
   * own transaction.
   */
  authenticate(authorization: string | undefined): Promise<Caller | null>;
}
