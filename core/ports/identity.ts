import type { Caller } from './context.ts';

/** Tells on whose behalf a request is made, from what it carries. */
export interface Identity {
  /**
   * @param authorization the Authorization header
   * @returns null when it names nobody that this identity knows of. Whether a caller still exists is decided
   * by the use case, in its own transaction.
   * @throws `unauthenticated` with what is wrong, for what this identity would know
   * @throws `issuer-unavailable` when that cannot be told now
   */
  authenticate(authorization: string | undefined): Promise<Caller | null>;
}
