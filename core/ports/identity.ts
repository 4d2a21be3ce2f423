import type { Caller } from './context.ts';

/** Authenticates requests. */
export interface Identity {
  /**
   * @param authorization the Authorization header
   * @returns null if the header is not of a kind that this identity handles. Whether the caller still exists is checked
   * by the use case, in its own transaction.
   * @throws `unauthenticated` with the reason, for a header of its kind that is invalid
   * @throws `issuer-unavailable` if it cannot be validated now
   */
  authenticate(authorization: string | undefined): Promise<Caller | null>;
}
