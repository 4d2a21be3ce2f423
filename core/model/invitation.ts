import type { Level } from './level.ts';
import type { Role } from './role.ts';
import type { Versioned } from '../kernel/record.ts';

/** A level on a page that comes with an invitation. */
export interface InvitationGrant {
  /** A page on which the issuer has 400. */
  readonly pageId: string;
  /** 400 full, 300 edit, 200 comment, 100 view, 0 denied. */
  readonly access: Level;
}

/** An invitation as it is stored; whether it is `expired` follows from the clock. Its id is a secret (UUID v4). */
export interface Invitation extends Versioned {
  /** The secret to join with. */
  readonly id: string;
  /** The workspace that it is for. */
  readonly workspaceId: string;
  /** Case-folded. Null: anyone who has the id may join. */
  readonly email: string | null;
  /** The role that it gives: 40 Owner, 30 Admin, 20 Member, 10 Guest. */
  readonly role: Role;
  /** Granted on joining. */
  readonly pages: readonly InvitationGrant[];
  readonly status: 'pending' | 'accepted' | 'revoked';
  /** The member who issued it. */
  readonly createdById: string;
  /** The membership in which they issued it, see {@link Member.membership}: with the end of that it is revoked. */
  readonly issuerMembership: number;
  /** When it stops working. ISO 8601 UTC. */
  readonly expiresAt: string;
  /** When it was accepted; null before. ISO 8601 UTC. */
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
