import type { Level } from './level.ts';
import type { Role } from './role.ts';
import type { Versioned } from '../kernel/record.ts';

/** An invitation as it is stored; whether it is `expired` follows from the clock. Its id is a secret (UUID v4). */
export interface Invitation extends Versioned {
  readonly id: string;
  readonly workspaceId: string;
  /** Case-folded. Null: anyone who has the id may join. */
  readonly email: string | null;
  readonly role: Role;
  /** Granted on joining. */
  readonly pages: readonly { readonly pageId: string; readonly access: Level }[];
  readonly status: 'pending' | 'accepted' | 'revoked';
  /** The member who issued it. */
  readonly createdById: string;
  /** The membership in which they issued it, see {@link Member.membership}: with the end of that it is revoked. */
  readonly issuerMembership: number;
  readonly expiresAt: string;
  readonly acceptedAt: string | null;
  /** The member it was accepted by. */
  readonly memberId: string | null;
}

/** An invitation as a store or an export keeps it. One from before memberships were counted has no number. */
export type StoredInvitation = Omit<Invitation, 'issuerMembership'> & { readonly issuerMembership?: number };

/** Leaving revoked the invitations that have no number, so one that is pending is of the first membership counted. */
export function invitationFrom(stored: StoredInvitation): Invitation {
  return stored.issuerMembership === undefined ? { ...stored, issuerMembership: 1 } : (stored as Invitation);
}
