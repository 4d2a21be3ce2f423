import type { Versioned } from '../../kernel/record.ts';

/** The identity of a user at an external token issuer. A user has at most one per issuer. Immutable. */
export interface ExternalIdentity extends Versioned {
  /** UUID. */
  readonly id: string;
  /** The user whom it signs in. */
  readonly userId: string;
  /** The issuer: the claim `iss`. */
  readonly issuer: string;
  /** The issuer's permanent id of the user: the claim `sub`. */
  readonly subject: string;
}
