import type { Versioned } from '../../kernel/record.ts';

/** An API token. Only a hash of its secret is stored. */
export interface Token extends Versioned {
  /** UUID. */
  readonly id: string;
  /** The user it belongs to. */
  readonly userId: string;
  /** 1-100 characters. */
  readonly name: string;
  /** SHA-256 of the secret. */
  readonly hash: string;
  /** The time when it expires; null: never. ISO 8601 UTC. */
  readonly expiresAt: string | null;
  /** The user who created it; null for the operator. */
  readonly createdById: string | null;
}
