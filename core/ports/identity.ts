import { type OptionRule, withFunctions } from '../kernel/options.ts';
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

/** What is given as an identity. */
export const IDENTITY: OptionRule = withFunctions(
  'an object with a function authenticate(authorization)',
  'authenticate',
);
