import type { Versioned } from '../kernel/record.ts';

/** An API token. Its secret is never stored, only the hash. */
export interface Token extends Versioned {
  /** UUID. */
  readonly id: string;
  /** Whose it is. */
  readonly userId: string;
  /** 1-100 characters. */
  readonly name: string;
  readonly hash: string;
  /** When it stops working; null: never. ISO 8601 UTC. */
  readonly expiresAt: string | null;
  /** The user who made it; null when the operator did. */
  readonly createdById: string | null;
}
