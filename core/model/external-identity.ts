import type { Versioned } from '../kernel/record.ts';

/** Who a user is to an issuer of tokens elsewhere. A user has at most one of each issuer. Never changed. */
export interface ExternalIdentity extends Versioned {
  readonly id: string;
  readonly userId: string;
  readonly issuer: string;
  /** Names one person at the issuer, for good. */
  readonly subject: string;
}
